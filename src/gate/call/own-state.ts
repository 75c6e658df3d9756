/**
 * What a client of the 2026 revision carries back to us: which question was asked, what was answered,
 * and the server's own state inside ours. Takes ours out of a call so that the server sees only its own.
 */
import { createHash } from 'node:crypto';
import { toCanonicalJson } from '../../lib/canonical-json.ts';
import type { JsonValue } from '../../lib/json-value.ts';
import { canonicalArguments } from '../approvals/binding.ts';
import { openState, sealState } from '../approvals/seal.ts';
import type { GateContext } from '../gate-services.ts';
import { editFrame } from '../protocol/edit-frame.ts';
import { ENVELOPE_KEYS } from '../protocol/envelope.ts';
import type { Frame, JsonObject } from '../protocol/frame.ts';
import type { Edit, Path } from '../protocol/json-text.ts';
import { editText } from '../protocol/json-text.ts';
import { isObject } from '../protocol/read-frame.ts';
import type { GateCall } from './read-call.ts';
import { argumentsTextOf } from './read-call.ts';
import type { RunningCall } from './running-call.ts';

/** The name of our question among those of the server. */
export const QUESTION = 'plimsoll-approval';

export interface OwnState {
  readonly approval: string;
  /** Lets the call go on with its server's question; absent while ours is open. */
  readonly continuation?: string;
  /** What the client's person answered us, as it came. */
  readonly answer?: JsonObject;
  /** The call as the server is to see it. */
  readonly bytes: Uint8Array;
}

const STATE_SECONDS = 600;

export function readOwnState(call: GateCall, context: GateContext): OwnState | undefined {
  const { sealKey, now } = context.services;
  const params = call.frame.message.params ?? {};
  const { requestState, inputResponses } = params;
  if (typeof requestState !== 'string') return undefined;
  const opened = openState(sealKey, requestState, now());
  // Whatever is not ours, or no longer, is the server's to judge.
  if (opened.kind === 'refused') return undefined;
  const { state } = opened;
  // Carried into another call, it says nothing about that one.
  if (state.call !== digestCall(call, context)) return undefined;
  const responses = isObject(inputResponses) ? inputResponses : {};
  const { [QUESTION]: answer, ...others } = responses;
  return {
    approval: state.approval,
    ...(state.continuation !== undefined && { continuation: state.continuation }),
    ...(isObject(answer) && { answer }),
    // Where the server has asked nothing, answers to it are made up.
    bytes: withoutOwn(call, state.upstream, state.continuation === undefined ? {} : others),
  };
}

/** What is asked for, by whom and of which server: the part that a client repeats when it comes back. */
export function digestCall(call: GateCall, { server }: GateContext): string {
  const { caller, tool } = call;
  const { principal, session } = caller;
  const parts = [principal.tenant ?? '', principal.id, session, server.name, tool.name];
  const text = toCanonicalJson([...parts, canonicalArguments(argumentsTextOf(call))]);
  return createHash('sha256').update(text).digest('hex');
}

/** In `_meta`, free to differ between a call and the same call sent again: what says nothing to a tool. */
const FREE_META: ReadonlySet<string> = new Set([
  ...ENVELOPE_KEYS,
  'progressToken',
  'traceparent',
  'tracestate',
  'baggage',
]);

const REQUEST_MEMBERS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params']);

/**
 * What a call carries beside its name and arguments, at any level, as JSON: a server may act on it, so people see it and
 * their yes is bound to it. Empty where there is nothing. Our own state and its answers do not count.
 */
export function toBesides(call: GateCall, context: GateContext): string {
  const { message } = call.frame;
  const { name: _, arguments: __, ...params } = message.params ?? {};
  const { _meta, requestState, inputResponses, ...others } = params;
  const meta = isObject(_meta) ? without(_meta, FREE_META) : _meta;
  const hasState = requestState !== undefined || inputResponses !== undefined;
  const isOwn = hasState && readOwnState(call, context) !== undefined;
  const besides: JsonObject = {
    ...others,
    ...(!isOwn && requestState !== undefined && { requestState }),
    ...(!isOwn && inputResponses !== undefined && { inputResponses }),
    ...(meta !== undefined && !isEmpty(meta) && { _meta: meta }),
  };
  const beyond = without(message as JsonObject, REQUEST_MEMBERS);
  if (!isEmpty(beyond)) return toCanonicalJson({ message: beyond, params: besides });
  return isEmpty(besides) ? '' : toCanonicalJson(besides);
}

function without(value: JsonObject, keys: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.has(key)));
}

function isEmpty(value: JsonValue): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

/** A server's question back, so that its answer goes on under the same yes. */
export async function wrapQuestionBack(call: RunningCall, frame: Frame): Promise<Frame> {
  const { context } = call.host;
  const { approvals, ledger, sealKey, now } = context.services;
  const { result } = frame.message;
  const basis = call.permit?.basis;
  if (call.call === undefined || !isObject(result)) return frame;
  if (basis === undefined || basis.kind === 'policy') return frame;
  const continuation = await ledger.store.transaction((tx) =>
    approvals.openContinuation(tx, basis.id),
  );
  const { requestState: upstream } = result;
  const value = sealState(sealKey, {
    approval: basis.id,
    call: digestCall(call.call, context),
    continuation,
    expires: now() + STATE_SECONDS * 1000,
    ...(typeof upstream === 'string' && { upstream }),
  });
  return editFrame(frame, [{ kind: 'set', path: ['result', 'requestState'], value }]);
}

function toEdit(path: Path, value: string | JsonObject | undefined): Edit {
  return value === undefined ? { kind: 'remove', path } : { kind: 'set', path, value };
}

function withoutOwn(call: GateCall, upstream: string | undefined, others: JsonObject): Uint8Array {
  const text = Buffer.from(call.frame.bytes).toString('utf8');
  const hasOthers = Object.keys(others).length > 0;
  const edits = [
    toEdit(['params', 'requestState'], upstream),
    toEdit(['params', 'inputResponses'], hasOthers ? others : undefined),
  ];
  return Buffer.from(editText(text, edits));
}
