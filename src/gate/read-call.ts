/** Reads a `tools/call` request into a call, or says why it is none. Pure. */
import { narrowEffect } from '../effect/effect.ts';
import type { Problem } from '../lib/problem.ts';
import { toProblem } from '../lib/problem.ts';
import type { GateCall, KnownTool } from './gate-call.ts';
import type { Frame, JsonObject } from './wire/frame.ts';
import { isId } from './wire/frame.ts';
import { locate } from './wire/locate.ts';
import { foldCase, isObject } from './wire/read-frame.ts';

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
  const { effect } = tool.reading;
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
