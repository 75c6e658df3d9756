/**
 * Questions of a 2025 server during a call: held here, put to the 2026 client as the answer of its
 * request, and answered to the server when the client returns.
 */
import type { JsonValue } from '../../../lib/json-value.ts';
import type { Edit } from '../edit-frame.ts';
import { editFrame } from '../edit-frame.ts';
import { CACHEABLE_METHODS, CODES, META, readEnvelope } from '../envelope.ts';
import type { Frame, JsonObject, RpcId } from '../frame.ts';
import { toError, toNotification, toResult } from '../frame.ts';
import { isObject } from '../read-frame.ts';
import { isDeclared, toEmbedded } from './input-request.ts';
import type { Ending, LegacyCall, LegacyCalls } from './legacy-calls.ts';
import type { Ends } from './open-either.ts';

export class LegacyQuestions {
  readonly #ends: Ends;
  readonly #calls: LegacyCalls;
  /** Who answers. */
  serverInfo: JsonValue | undefined;
  #count = 0;

  constructor(ends: Ends, calls: LegacyCalls) {
    this.#ends = ends;
    this.#calls = calls;
  }

  ask(frame: Frame, id: RpcId, method: string): void {
    const call = this.#calls.findAsking(frame.about);
    const question = { id, method, params: frame.message.params };
    if (call === undefined || !isDeclared(call.capabilities, question)) {
      this.#refuse(id, `the client cannot be asked for ${method}`);
      return;
    }
    this.#count += 1;
    call.questions.set(`question-${this.#count}`, question);
    this.#put(call);
  }

  /** The server no longer wants an answer. */
  withdraw({ message }: Frame): void {
    const id = message.params?.['requestId'];
    const call = this.#calls.find(({ questions }) =>
      [...questions.values()].some((q) => q.id === id),
    );
    for (const [key, question] of call?.questions ?? []) {
      if (question.id === id) call?.questions.delete(key);
    }
  }

  /** The client returns with answers, to a call that waits for them. */
  resume(retry: Frame, id: RpcId): void {
    const { requestState, inputResponses } = retry.message.params ?? {};
    const handle = typeof requestState === 'string' ? requestState : '';
    const call = this.#calls.resume(handle, retry);
    if (call === undefined) {
      const message = 'the requestState is not known, used up or not of this call';
      this.#ends.client.frame(toError(id, CODES.invalidParams, message));
      return;
    }
    const envelope = readEnvelope(retry.message);
    call.waiting = { id, envelope };
    call.capabilities = envelope.capabilities;
    const answers = isObject(inputResponses) ? inputResponses : {};
    for (const [key, question] of call.questions) {
      const answer = Object.hasOwn(answers, key) ? answers[key] : undefined;
      if (!isObject(answer)) continue;
      call.questions.delete(key);
      this.#send(toResult(question.id, answer), call);
    }
    if (call.ending !== undefined) this.#end(call, call.ending);
    else if (call.questions.size > 0) this.#put(call);
  }

  /** The server has ended the call; its client may not be there to hear it. */
  settle(call: LegacyCall, ending: Ending): void {
    call.ending = ending;
    this.#end(call, ending);
  }

  /** The client did not return: nobody will answer, so the server need not go on. */
  abandon(call: LegacyCall): void {
    for (const { id } of call.questions.values()) this.#refuse(id, 'nobody answered in time');
    if (call.ending !== undefined) return;
    const params = { requestId: call.id, reason: 'nobody answered in time' };
    this.#send(toNotification('notifications/cancelled', params), call);
  }

  #put(call: LegacyCall): void {
    const { waiting } = call;
    if (waiting === undefined) return;
    const questions = [...call.questions].map(([key, question]) => [key, toEmbedded(question)]);
    const result = {
      resultType: 'input_required',
      inputRequests: Object.fromEntries(questions) as JsonObject,
      requestState: this.#calls.park(call),
      ...(this.serverInfo !== undefined && { _meta: { [META.server]: this.serverInfo } }),
    };
    this.#ends.client.frame(toResult(waiting.id, result));
  }

  #end(call: LegacyCall, ending: Ending): void {
    const { waiting, method } = call;
    if (waiting === undefined) return;
    this.#calls.finish(call);
    if (ending.kind === 'failed') this.#ends.client.failed(waiting.id, ending.failure);
    else {
      const request = { method, id: waiting.id };
      this.#ends.client.frame(toModernResponse(ending.frame, request, this.serverInfo));
    }
  }

  #refuse(id: RpcId, message: string): void {
    this.#ends.server.send(toError(id, CODES.methodNotFound, message));
  }

  /** On behalf of the caller, whose headers a server over HTTP may need. */
  #send(frame: Frame, { caller }: LegacyCall): void {
    this.#ends.server.send(caller === undefined ? frame : { ...frame, caller });
  }
}

/** A server's answer of 2025, as 2026 words it: only what is missing is added. Pure. */
function toModernResponse(
  frame: Frame,
  request: { readonly method: string; readonly id: RpcId },
  serverInfo: JsonValue | undefined,
): Frame {
  const { id, result, error } = frame.message;
  const edits: Edit[] = [];
  if (id !== request.id) edits.push({ kind: 'set', path: ['id'], value: request.id });
  if (isObject(result)) {
    const add = (path: readonly [string, ...string[]], value: JsonValue): void => {
      edits.push({ kind: 'set', path: ['result', ...path], value });
    };
    if (result['resultType'] === undefined) add(['resultType'], 'complete');
    if (CACHEABLE_METHODS.has(request.method)) {
      if (result['ttlMs'] === undefined) add(['ttlMs'], 0);
      if (result['cacheScope'] === undefined) add(['cacheScope'], 'private');
    }
    if (serverInfo !== undefined) add(['_meta', META.server], serverInfo);
  }
  if (isObject(error) && error['code'] === CODES.resourceNotFound) {
    edits.push({ kind: 'set', path: ['error', 'code'], value: CODES.invalidParams });
  }
  const edited = editFrame(frame, edits);
  return frame.about === undefined ? edited : { ...edited, about: request.id };
}
