/** The answers that the gate gives itself: problems as `isError` results, stored results, protocol errors. */
import { CALL_META_KEYS } from '../../effect/meta-keys.ts';
import type { DecodedOutcome } from '../../ledger/idempotency/outcome.ts';
import type { Receipt } from '../../ledger/receipt.ts';
import type { JsonValue } from '../../lib/json-value.ts';
import type { Problem } from '../../lib/problem.ts';
import { toProblem } from '../../lib/problem.ts';
import { eraOf, META, readMeta } from '../protocol/envelope.ts';
import type { Edit } from '../protocol/edit-frame.ts';
import { editFrame } from '../protocol/edit-frame.ts';
import type { Frame, JsonObject, RpcId } from '../protocol/frame.ts';
import { toFrame } from '../protocol/frame.ts';
import { isObject, readServerFrame } from '../protocol/read-frame.ts';
import type { GateCall } from './read-call.ts';
import { readOutcome } from './read-outcome.ts';

/** What an answer depends on, apart from what it says. */
type AnswerTarget = Pick<GateCall, 'id' | 'frame'> & {
  readonly tool?: Pick<GateCall['tool'], 'definition'>;
};

const NOTHING_RAN = /\s*Nothing was run\.\s*/g;

/** What is refused now was sent before, and got no answer then: nobody may be told that nothing ran. */
export function withEarlierAttempt(problem: Problem): Problem {
  const detail = problem.detail.replaceAll(NOTHING_RAN, ' ').trim();
  const remedy = problem.remedy.replaceAll(NOTHING_RAN, ' ').trim();
  const earlier = 'An earlier attempt was sent and may have run.';
  return Object.freeze({ ...problem, detail: `${detail} ${earlier}`, remedy });
}

/** A refusal that a client, a model and an auditor can all act on. */
export function toProblemAnswer(call: AnswerTarget, problem: Problem): Frame {
  const { title, detail, remedy, retryAfter } = problem;
  // A model reads the text alone.
  const said = retryAfter === undefined ? remedy : remedy.replace('`retryAfter`', `${retryAfter}`);
  const text = `${title}. ${detail} ${said}`;
  const data = { ...problem } as unknown as JsonValue; // a problem is plain data
  // Some clients validate even a refusal against the tool's output schema, and then show nothing at all.
  const isFree = call.tool?.definition['outputSchema'] === undefined;
  return toResultAnswer(call, {
    isError: true,
    content: [{ type: 'text', text }],
    ...(isFree && { structuredContent: data }),
    _meta: { [CALL_META_KEYS.problem.key]: data },
  });
}

export function toResultAnswer({ id, frame }: AnswerTarget, result: JsonObject): Frame {
  const isModern = eraOf(frame.message) === 'modern';
  const resultType = isModern && !('resultType' in result) ? { resultType: 'complete' } : {};
  return toFrame({ jsonrpc: '2.0', id, result: { ...resultType, ...result } }, id);
}

/** The answer of an earlier run of the same call, whichever part of the product stored it. */
export function toStoredAnswer(
  call: AnswerTarget,
  outcome: DecodedOutcome,
): { readonly frame: Frame; readonly outcome: Receipt['outcome'] } {
  switch (outcome.kind) {
    case 'failure':
      return { frame: toProblemAnswer(call, outcome.problem), outcome: outcome.problem.code };
    case 'success': {
      const { value, content } = outcome;
      const text = JSON.stringify(value ?? null);
      // Without the value that its output schema asks for, a client would reject it unless it is an error.
      const isLacking = !isObject(value) && call.tool?.definition['outputSchema'] !== undefined;
      const result = {
        content: (content ?? [{ type: 'text', text }]) as JsonValue, // read from JSON
        ...(isObject(value) && { structuredContent: value }),
        ...(isLacking && { isError: true }),
      };
      return { frame: toReplay(call, result), outcome: 'success' };
    }
    case 'result': {
      const { result, text = JSON.stringify(result) } = outcome;
      const frame = toCachedAnswer(call, Buffer.from(text));
      const path = ['result', '_meta', CALL_META_KEYS.replayed.key] as const;
      return {
        frame: isObject(result) ? editFrame(frame, [{ kind: 'set', path, value: true }]) : frame,
        outcome: readOutcome({ result }),
      };
    }
    case 'unreadable': {
      const detail = 'The call ran before, but its stored answer cannot be read.';
      const problem = toProblem('outcome-unknown', detail);
      return { frame: toProblemAnswer(call, problem), outcome: problem.code };
    }
  }
}

function toReplay(call: AnswerTarget, result: JsonObject): Frame {
  const meta = isObject(result['_meta']) ? result['_meta'] : {};
  const _meta = { ...meta, [CALL_META_KEYS.replayed.key]: true };
  return toResultAnswer(call, { ...result, _meta });
}

/** A kept result under the id of this call, byte for byte but for what the other era says differently. */
export function toCachedAnswer(
  { id, frame: request }: Pick<AnswerTarget, 'id' | 'frame'>,
  result: Uint8Array,
): Frame {
  const head = Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`);
  const bytes = Buffer.concat([head, result, CLOSING]);
  const frame = readServerFrame(bytes, id);
  if (frame === undefined) return { bytes, message: { id }, about: id };
  return editFrame(frame, toEraEdits(frame, eraOf(request.message)));
}

const CLOSING = Buffer.from('}');

/** Whoever ran the call may have spoken another revision than whoever asks now. */
function toEraEdits({ message: { result } }: Frame, era: ReturnType<typeof eraOf>): Edit[] {
  if (!isObject(result)) return [];
  const { resultType } = result;
  if (era === 'modern') {
    const path = ['result', 'resultType'] as const;
    return resultType === undefined ? [{ kind: 'set', path, value: 'complete' }] : [];
  }
  const edits: Edit[] = [];
  if (resultType === 'complete') edits.push({ kind: 'remove', path: ['result', 'resultType'] });
  if (Object.hasOwn(readMeta(result), META.server)) {
    edits.push({ kind: 'remove', path: ['result', '_meta', META.server] });
  }
  return edits;
}

/** An error that is about the request, not about what the tool did. */
export function toProtocolError(id: RpcId, code: number, problem: Problem): Frame {
  const data = { ...problem } as unknown as JsonValue; // a problem is plain data
  return toFrame({ jsonrpc: '2.0', id, error: { code, message: problem.detail, data } }, id);
}
