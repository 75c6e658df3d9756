/** Gathers what a verdict is made from. */
import type { CallFacts } from './decide/call-facts.ts';
import type { GateCall } from './gate-call.ts';
import type { GatedServer } from './gate-services.ts';

export function toFacts(call: GateCall, server: GatedServer, repeated: boolean): CallFacts {
  const { tool, effect, caller, args } = call;
  return {
    server: server.name,
    trusted: server.trusted,
    tool: tool.name,
    effect,
    confidence: tool.reading.confidence,
    reasons: tool.reading.reasons,
    principal: caller.principal,
    mode: server.mode,
    arguments: args,
    quarantined: tool.isQuarantined,
    repeated,
  };
}
