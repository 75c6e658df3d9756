/** The facts of a call that nobody has made, for the same verdict that a real one would get. */
import type { Effect } from '../../effect/effect.ts';
import type { CallFacts } from '../../gate/decide/call-facts.ts';
import type { KnownTool } from '../../gate/gate-call.ts';
import type { ServerView } from '../console-services.ts';

export interface ImaginedCall extends Pick<CallFacts, 'arguments' | 'principal' | 'repeated'> {
  readonly effect: Effect;
}

export function toCallFacts(server: ServerView, tool: KnownTool, call: ImaginedCall): CallFacts {
  return {
    server: server.name,
    trusted: server.trusted,
    tool: tool.name,
    effect: call.effect,
    confidence: tool.reading.confidence,
    reasons: tool.reading.reasons,
    principal: call.principal,
    mode: server.mode,
    arguments: call.arguments,
    quarantined: tool.isQuarantined,
    repeated: call.repeated,
  };
}
