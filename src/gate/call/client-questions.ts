/** Questions that the gate puts to a client of the 2025 revisions, and what clients say they can show. */
import { randomUUID } from 'node:crypto';
import { eraOf, META } from '../protocol/envelope.ts';
import type { Frame, JsonObject, RpcId } from '../protocol/frame.ts';
import { isId, toFrame } from '../protocol/frame.ts';
import { isObject } from '../protocol/read-frame.ts';

type End = (answer: JsonObject | undefined) => void;

export class ClientQuestions {
  readonly #push: (frame: Frame) => void;
  readonly #open = new Map<RpcId, End>();
  #capabilities: unknown;

  constructor(push: (frame: Frame) => void) {
    this.#push = push;
  }

  seeHandshake({ message: { params } }: Frame): void {
    this.#capabilities = params?.['capabilities'];
  }

  /** The 2026 revision says it with every request, those before it once. */
  canElicit({ message }: Frame): { readonly form: boolean; readonly url: boolean } {
    const meta = message.params?.['_meta'];
    const isModern = eraOf(message) === 'modern' && isObject(meta);
    const capabilities = isModern ? meta[META.capabilities] : this.#capabilities;
    const elicitation = isObject(capabilities) ? capabilities['elicitation'] : undefined;
    if (!isObject(elicitation)) return { form: false, url: false };
    const url = isObject(elicitation['url']);
    // Without a word on modes, forms are meant.
    return { form: isObject(elicitation['form']) || !url, url };
  }

  /** `undefined` when the client has no answer, or leaves. */
  ask(about: RpcId, params: JsonObject, signal: AbortSignal): Promise<JsonObject | undefined> {
    // Random for each question: a server that could foresee it could put its own question in its place.
    const id = `plimsoll-question-${randomUUID()}`;
    return new Promise((resolve) => {
      const leave = (): void => end(undefined);
      const end: End = (answer) => {
        this.#open.delete(id);
        signal.removeEventListener('abort', leave);
        resolve(answer);
      };
      signal.addEventListener('abort', leave);
      this.#open.set(id, end);
      this.#push(toFrame({ jsonrpc: '2.0', id, method: 'elicitation/create', params }, about));
    });
  }

  /** Whether a question of ours is open under this id; nobody else may ask under it. */
  isOpen(id: unknown): boolean {
    return isId(id) && this.#open.has(id);
  }

  /** Whether the client's response was for us. */
  take({ message: { id, result } }: Frame): boolean {
    const end = isId(id) ? this.#open.get(id) : undefined;
    if (end === undefined) return false;
    end(isObject(result) ? result : undefined);
    return true;
  }
}
