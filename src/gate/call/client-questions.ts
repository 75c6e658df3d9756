/**
 * Questions that the gate pushes to clients of the 2025 revisions, and what clients say they can show. A
 * question that somebody else answered first is withdrawn; a late answer to it goes nowhere.
 */
import { eraOf, META } from '../protocol/envelope.ts';
import type { Frame, JsonObject, RpcId } from '../protocol/frame.ts';
import { toNotification, toRequest, OwnIds } from '../protocol/frame.ts';
import { toCancelled } from '../protocol/in-flight.ts';
import { isObject } from '../protocol/read-frame.ts';

type Answered = (answer: JsonObject | undefined) => void;

export class ClientQuestions {
  readonly #push: (frame: Frame) => void;
  /** Random: a server that could foresee an id could put its own question in place of ours. */
  readonly #ids = new OwnIds();
  readonly #open = new Map<unknown, Answered>();
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

  /** `answered` gets `undefined` when the client has no answer. Gives a way to withdraw the question. */
  ask(about: RpcId, params: JsonObject, answered: Answered): () => void {
    const id = this.#ids.next();
    this.#open.set(id, answered);
    this.#push(toRequest(id, 'elicitation/create', params, about));
    return () => {
      if (!this.#open.delete(id)) return;
      const reason = 'The question was answered elsewhere or is no longer open.';
      const withdrawn = { requestId: id, reason };
      const notice = toNotification('notifications/cancelled', withdrawn, about);
      // The client may just be sending something, such as the cancel that withdraws the question.
      queueMicrotask(() => this.#push(notice));
    };
  }

  /** Whether a server's message uses the id of a question of ours, or takes that question back. */
  isAbout(frame: Frame): boolean {
    const { id, method } = frame.message;
    return this.#ids.has(toCancelled(frame) ?? (method === undefined ? undefined : id));
  }

  /** Whether the client's response was for us; a late one is dropped. */
  take({ message: { id, result } }: Frame): boolean {
    if (!this.#ids.has(id)) return false;
    const answered = this.#open.get(id);
    this.#open.delete(id);
    answered?.(isObject(result) ? result : undefined);
    return true;
  }
}
