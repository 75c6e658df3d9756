/**
 * What a client of the 2025 revisions has agreed with a server: the handshake, the log level and the
 * subscriptions, kept as the frames that made them, so that a new server can be brought to the same point.
 */
import type { Frame, JsonObject } from '../protocol/frame.ts';
import { toNotification } from '../protocol/frame.ts';
import { isObject } from '../protocol/read-frame.ts';

const LISTS = ['tools', 'prompts', 'resources'] as const;

export class SessionMemory {
  #initialize: Frame | undefined;
  #capabilities: JsonObject = {};
  #initialized: Frame | undefined;
  #level: Frame | undefined;
  readonly #subscriptions = new Map<string, Frame>();

  /** The request that begins the session again; `undefined` where none was begun. */
  get opening(): Frame | undefined {
    return this.#initialize;
  }

  /** The client's word that the session has begun. */
  get initialized(): Frame | undefined {
    return this.#initialized;
  }

  /** What follows once the handshake was answered, in this order. */
  get replay(): readonly Frame[] {
    if (this.#initialized === undefined) return [];
    const level = this.#level === undefined ? [] : [this.#level];
    return [this.#initialized, ...level, ...this.#subscriptions.values()];
  }

  /** For the lists of which the client was promised to hear changes: a new server may have others. */
  get listChanges(): readonly Frame[] {
    return LISTS.filter((list) => {
      const capability = this.#capabilities[list];
      return isObject(capability) && capability['listChanged'] === true;
    }).map((list) => toNotification(`notifications/${list}/list_changed`));
  }

  /** A frame leaves for the server. */
  sent(frame: Frame): void {
    const { method, params } = frame.message;
    if (method === 'initialize') this.#forget();
    else if (method === 'notifications/initialized') this.#initialized = frame;
    else if (method === 'resources/unsubscribe') this.#unsubscribe(params);
  }

  /** Only what the server agreed to is part of the session. */
  answered(request: Frame, { message: { result } }: Frame): void {
    const { method, params } = request.message;
    if (!isObject(result)) return;
    if (method === 'initialize') {
      const capabilities = result['capabilities'];
      this.#initialize = request;
      this.#capabilities = isObject(capabilities) ? capabilities : {};
    } else if (method === 'logging/setLevel') this.#level = request;
    else if (method === 'resources/subscribe') {
      this.#subscriptions.set(uriOf(params), request);
    } else if (method === 'resources/unsubscribe') this.#unsubscribe(params);
  }

  /** When it is sent, since it may never be answered; and when it is answered, since then all before it was. */
  #unsubscribe(params: JsonObject | undefined): void {
    this.#subscriptions.delete(uriOf(params));
  }

  #forget(): void {
    this.#initialize = undefined;
    this.#capabilities = {};
    this.#initialized = undefined;
    this.#level = undefined;
    this.#subscriptions.clear();
  }
}

function uriOf(params: JsonObject | undefined): string {
  return JSON.stringify(params?.['uri'] ?? null);
}
