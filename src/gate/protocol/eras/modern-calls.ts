/**
 * The calls of a 2025 client at a server of 2026. When an answer is a question, the client is sent the
 * question as a request, and the call is sent again with the answer, until it is complete.
 */
import { ShortLivedMap } from '../../../lib/short-lived-map.ts';
import type { Failure } from '../channel.ts';
import type { Frame, JsonObject, RpcId } from '../frame.ts';
import { isObject } from '../read-frame.ts';
import type { Edit } from '../edit-frame.ts';
import { editFrame } from '../edit-frame.ts';
import { addEnvelope, CODES } from '../envelope.ts';
import type { InputRequest } from './input-request.ts';
import { fromEmbedded, isDeclared } from './input-request.ts';
import { toError, toNotification, toRequest } from '../frame.ts';
import type { Ends } from './open-either.ts';

const MOST_ROUNDS = 10;
/** A server that only says "later" is not asked again at once. */
const PAUSE_MS = 250;

interface ModernCall {
  /** As the client sent it. */
  readonly request: Frame;
  readonly clientId: RpcId;
  readonly envelope: JsonObject;
  readonly round: number;
  /** The client wants no answer, and is not asked anything any more. */
  readonly isCancelled: boolean;
}

const CANCELLED: Failure = Object.freeze({
  kind: 'lost',
  detail: 'the call was cancelled while the server waited for an answer of the client',
});

/** A call whose client is being asked. */
interface Round {
  readonly call: ModernCall;
  readonly state: string | undefined;
  /** The key of each question that is not answered yet, by the id it was sent with. */
  readonly open: Map<RpcId, { readonly key: string; readonly method: string }>;
  readonly answers: Record<string, JsonObject>;
}

export class ModernCalls {
  readonly #ends: Ends;
  readonly #calls = new ShortLivedMap<RpcId, ModernCall>();
  readonly #rounds = new Set<Round>();

  constructor(ends: Ends) {
    this.#ends = ends;
  }

  start(request: Frame, clientId: RpcId, envelope: JsonObject): void {
    this.#calls.set(clientId, { request, clientId, envelope, round: 0, isCancelled: false });
    this.#ends.server.send(addEnvelope(request, envelope));
  }

  /** The id that the client gave, for one that the server knows. */
  toClientId(id: RpcId): RpcId {
    return this.#calls.get(id)?.clientId ?? id;
  }

  answered(frame: Frame, id: RpcId, capabilities: JsonObject): void {
    const call = this.#calls.get(id);
    if (call === undefined) return;
    this.#calls.delete(id);
    const { result } = frame.message;
    if (isObject(result) && result['resultType'] === 'input_required') {
      if (call.isCancelled) this.#ends.client.failed(call.clientId, CANCELLED);
      else this.#ask(call, result, capabilities);
      return;
    }
    const edits: Edit[] = [];
    if (id !== call.clientId) edits.push({ kind: 'set', path: ['id'], value: call.clientId });
    if (isObject(result) && result['resultType'] === 'complete') {
      edits.push({ kind: 'remove', path: ['result', 'resultType'] });
    }
    const edited = editFrame(frame, edits);
    this.#ends.client.frame(
      frame.about === undefined ? edited : { ...edited, about: call.clientId },
    );
  }

  failed(id: RpcId, failure: Failure): void {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    if (call !== undefined) this.#ends.client.failed(call.clientId, failure);
  }

  /** An answer of the client to a question of ours. */
  replied({ message }: Frame, id: RpcId): void {
    const round = [...this.#rounds].find(({ open }) => open.has(id));
    const question = round?.open.get(id);
    if (round === undefined || question === undefined) return;
    round.open.delete(id);
    if (isObject(message.result)) round.answers[question.key] = message.result;
    else if (question.method === 'elicitation/create') {
      round.answers[question.key] = { action: 'cancel' };
    } else {
      this.#drop(round);
      this.#refuse(round.call, `the client did not answer ${question.method}`);
      return;
    }
    if (round.open.size === 0) this.#resend(round);
  }

  cancel(frame: Frame, clientId: RpcId): void {
    const round = [...this.#rounds].find(({ call }) => call.clientId === clientId);
    if (round !== undefined) {
      this.#drop(round);
      this.#ends.client.failed(clientId, CANCELLED);
    }
    const [id, call] = this.#calls.entries().find(([, one]) => one.clientId === clientId) ?? [];
    if (id === undefined || call === undefined) return;
    // It may still be answered, and the answer then counts.
    this.#calls.set(id, { ...call, isCancelled: true });
    const path = ['params', 'requestId'] as const;
    const edits = id === clientId ? [] : [{ kind: 'set', path, value: id } as const];
    this.#ends.server.send(editFrame(frame, edits));
  }

  /** Calls whose client is being asked are not at the server. */
  failSent(failure: Failure): void {
    for (const id of this.#calls.keys()) this.failed(id, failure);
  }

  clear(): void {
    this.#calls.clear();
    this.#rounds.clear();
  }

  #ask(call: ModernCall, result: JsonObject, capabilities: JsonObject): void {
    const { inputRequests, requestState } = result;
    const asked = isObject(inputRequests) ? Object.entries(inputRequests) : [];
    const questions: [string, InputRequest][] = [];
    for (const [key, embedded] of asked) {
      const question = fromEmbedded(embedded);
      if (question === undefined || !isDeclared(capabilities, question)) {
        this.#refuse(call, 'the server asks for something that the client has not declared');
        return;
      }
      questions.push([key, question]);
    }
    if (call.round >= MOST_ROUNDS) {
      this.#refuse(call, `the server asked more than ${MOST_ROUNDS} times`);
      return;
    }
    const state = typeof requestState === 'string' ? requestState : undefined;
    const round: Round = { call, state, open: new Map(), answers: {} };
    this.#rounds.add(round);
    const frames = questions.map(([key, { method, params }]) => {
      const id = this.#ends.ids.next();
      round.open.set(id, { key, method });
      return toRequest(id, method, params, call.clientId);
    });
    // Sent only now: a client in the same process answers before the loop would end.
    for (const frame of frames) this.#ends.client.frame(frame);
    if (frames.length === 0) setTimeout(() => this.#resend(round), PAUSE_MS).unref();
  }

  #resend(round: Round): void {
    // A round that was cancelled in the meantime is not gone on with.
    if (!this.#rounds.delete(round)) return;
    const { call, state, answers } = round;
    const id = this.#ends.ids.next();
    this.#calls.set(id, { ...call, round: call.round + 1 });
    const edits: Edit[] = [{ kind: 'set', path: ['id'], value: id }];
    if (Object.keys(answers).length > 0) {
      edits.push({ kind: 'set', path: ['params', 'inputResponses'], value: { ...answers } });
    }
    if (state !== undefined) {
      edits.push({ kind: 'set', path: ['params', 'requestState'], value: state });
    }
    this.#ends.server.send(addEnvelope(editFrame(call.request, edits), call.envelope));
  }

  #drop(round: Round): void {
    this.#rounds.delete(round);
    for (const requestId of round.open.keys()) {
      const { clientId } = round.call;
      this.#ends.client.frame(toNotification('notifications/cancelled', { requestId }, clientId));
    }
  }

  #refuse({ clientId }: ModernCall, message: string): void {
    this.#ends.client.frame(toError(clientId, CODES.invalidParams, message));
  }
}
