/** Questions that the gate puts to a client of the 2025 revisions, and what clients say they can show. */
import { eraOf } from './wire/eras/era-of.ts';
import { META } from './wire/eras/protocol.ts';
import type { Frame, JsonObject, RpcId } from './wire/frame.ts';
import { isId, toFrame } from './wire/frame.ts';
import { isObject } from './wire/read-frame.ts';

type End = (answer: JsonObject | undefined) => void;

export class ClientQuestions {
  readonly #newId: () => string;
  readonly #push: (frame: Frame) => void;
  readonly #open = new Map<RpcId, End>();
  #capabilities: unknown;

  constructor(newId: () => string, push: (frame: Frame) => void) {
    this.#newId = newId;
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
    const id = this.#newId();
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

  /** Whether the client's response was for us. */
  take({ message: { id, result } }: Frame): boolean {
    const end = isId(id) ? this.#open.get(id) : undefined;
    if (end === undefined) return false;
    end(isObject(result) ? result : undefined);
    return true;
  }
}
