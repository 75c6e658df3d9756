/** Answers that the gate gives itself: problems as `isError` results, and kept results under a new id. */
import { CALL_META_KEYS } from '../../effect/meta-keys.ts';
import type { JsonValue } from '../../lib/json-value.ts';
import type { Problem } from '../../lib/problem.ts';
import type { GateCall } from './gate-call.ts';
import type { Frame, JsonObject } from '../protocol/frame.ts';
import { toFrame } from '../protocol/frame.ts';
import { eraOf } from '../protocol/envelope.ts';
import { isObject } from '../protocol/read-frame.ts';

/** A refusal that a client, a model and an auditor can all act on. */
export function toProblemAnswer(
  call: Pick<GateCall, 'id' | 'frame' | 'tool'>,
  problem: Problem,
): Frame {
  const text = `${problem.title}. ${problem.detail} ${problem.remedy}`;
  const data = { ...problem } as unknown as JsonValue; // a problem is plain data
  // Some clients hold even a refusal against the tool's output schema, and then show nothing at all.
  const isFree = call.tool.definition['outputSchema'] === undefined;
  return toResultAnswer(call, {
    isError: true,
    content: [{ type: 'text', text }],
    ...(isFree && { structuredContent: data }),
    _meta: { [CALL_META_KEYS.problem.key]: data },
  });
}

export function toResultAnswer(
  { id, frame }: Pick<GateCall, 'id' | 'frame'>,
  result: JsonObject,
): Frame {
  const isModern = eraOf(frame.message) === 'modern';
  const resultType = isModern && !('resultType' in result) ? { resultType: 'complete' } : {};
  return toFrame({ jsonrpc: '2.0', id, result: { ...resultType, ...result } }, id);
}

/** The answer of an earlier run of the same call. */
export function toReplayAnswer(call: GateCall, result: JsonValue): Frame {
  if (!isObject(result)) return toFrame({ jsonrpc: '2.0', id: call.id, result }, call.id);
  const meta = isObject(result['_meta']) ? result['_meta'] : {};
  return toResultAnswer(call, {
    ...result,
    _meta: { ...meta, [CALL_META_KEYS.replayed.key]: true },
  });
}

/** An error that is about the request, not about what the tool did. */
export function toProtocolError(call: Pick<GateCall, 'id'>, code: number, problem: Problem): Frame {
  const data = { ...problem } as unknown as JsonValue; // a problem is plain data
  return toFrame(
    { jsonrpc: '2.0', id: call.id, error: { code, message: problem.detail, data } },
    call.id,
  );
}
