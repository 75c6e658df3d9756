/** Reads a `tools/call` request into a call, or says why it is none. Pure. */
import { narrowEffect } from '../../effect/effect.ts';
import type { Problem } from '../../lib/problem.ts';
import { toProblem } from '../../lib/problem.ts';
import type { GatedServer } from '../gate-services.ts';
import type { CallFacts } from '../policy/verdict.ts';
import type { Frame, JsonObject } from '../protocol/frame.ts';
import { isId } from '../protocol/frame.ts';
import { locate } from '../protocol/json-text.ts';
import { foldCase, isObject } from '../protocol/read-frame.ts';
import type { GateCall, KnownTool } from './gate-call.ts';

const NO_ARGUMENTS: JsonObject = Object.freeze({});

/** The name of the tool, where the request has the shape of a call at all. */
export function readToolName({ message: { params } }: Frame): string | Problem {
  const name = params?.['name'];
  if (typeof name !== 'string') {
    return toProblem('invalid-request', 'A call names its tool.');
  }
  const args = params?.['arguments'];
  if (args !== undefined && !isObject(args)) {
    return toProblem('invalid-request', 'The arguments are not an object.');
  }
  return name;
}

/** For a frame that `readToolName` had nothing against. */
export function toCall(frame: Frame, tool: KnownTool, startedAt: number): GateCall | undefined {
  const { id, params } = frame.message;
  const { caller } = frame;
  if (!isId(id) || caller === undefined) return undefined;
  const given = params?.['arguments'];
  const args = isObject(given) ? given : NO_ARGUMENTS;
  const { effect } = tool.inferred;
  return {
    id,
    frame,
    caller,
    tool,
    effect: effect.varies.length === 0 || hasTwins(args) ? effect : narrowEffect(effect, args),
    args,
    startedAt,
    get argumentsText() {
      // Only questions, keys and caches need it, and finding it costs more than deciding.
      return given === undefined ? '' : textAt(frame, ['params', 'arguments']);
    },
  };
}

/** Of two keys that differ in case only, nobody knows which one the server takes; the worst case counts. */
function hasTwins(args: JsonObject): boolean {
  const folded = Object.keys(args).map(foldCase);
  return new Set(folded).size < folded.length;
}

export function textAt(frame: Frame, path: readonly string[]): string {
  const text = Buffer.from(frame.bytes).toString('utf8');
  const place = locate(text, path);
  return place === undefined ? '' : text.slice(place.start, place.end);
}

/** Gathers what a verdict is made from. */
export function toFacts(call: GateCall, server: GatedServer, repeated: boolean): CallFacts {
  const { tool, effect, caller, args } = call;
  return {
    server: server.name,
    trusted: server.trusted,
    tool: tool.name,
    effect,
    confidence: tool.inferred.confidence,
    reasons: tool.inferred.reasons,
    principal: caller.principal,
    mode: server.mode,
    arguments: args,
    quarantined: tool.isQuarantined,
    repeated,
  };
}
