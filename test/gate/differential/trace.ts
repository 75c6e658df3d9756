/**
 * What a client saw, step by step. What differs from run to run (ids, tokens) is replaced by a fixed word,
 * long texts by their hash, so that two traces can be compared value by value.
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json, JsonObject, Message } from './fixture-world.ts';

export interface StepTrace {
  readonly step: string;
  /** What the client made of the answer. */
  readonly outcome: Json;
  /** Messages by method; those without one are responses. */
  readonly received: Readonly<Record<string, readonly Json[]>>;
  /** In which order the messages of one request arrived. */
  readonly order: string;
  /** The responses as they were written. */
  readonly texts: readonly string[];
}

const LONG = 4000;
/** A key of the caller is another one in every run. */
const OWN_KEY = /own-key-[\da-f-]+/g;
/** In the message of an error that quotes a whole response. */
const ID = /"id":\d+/;
const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
/** These may come on another stream than that of the request, in any order. */
const UNORDERED = /message$|updated$|list_changed$|acknowledged$/;

export class Recorder {
  /** How many `tools/call` requests were sent. */
  calls = 0;
  /** Called with every message that arrives, after it was written down. */
  onreceived: ((message: Message) => void) | undefined;
  #messages: { readonly message: Message; readonly text: string | undefined }[] = [];

  sent(message: Message): void {
    if (message.method === 'tools/call' && message.id !== undefined) this.calls += 1;
  }

  received(message: Message, text?: string): void {
    this.#messages.push({ message, text });
    this.onreceived?.(message);
  }

  /** Waits for notifications, but not for ever: that one is missing shows in the trace. */
  async wait(counts: Readonly<Record<string, number>>, mostMs = 2500): Promise<void> {
    const isMissing = (): boolean =>
      Object.entries(counts).some(
        ([method, count]) =>
          this.#messages.filter(({ message }) => message.method === method).length < count,
      );
    for (const until = Date.now() + mostMs; isMissing() && Date.now() < until;) await sleep(5);
  }

  take(step: string, outcome: Json): StepTrace {
    const messages = this.#messages;
    this.#messages = [];
    const received: Record<string, Json[]> = {};
    const order: string[] = [];
    for (const { message } of messages) {
      const { method = 'response', params, result, error } = message;
      const body = result ?? error ?? params ?? {};
      (received[method] ??= []).push(normalize(body));
      if (!UNORDERED.test(method)) order.push(method);
    }
    const texts = messages
      .filter(({ message, text }) => message.method === undefined && text !== undefined)
      .map(({ text = '' }) => text.replaceAll(OWN_KEY, 'own-key'));
    return { step, outcome: normalize(outcome), received, order: order.join(' '), texts };
  }
}

function normalize(value: Json | undefined): Json {
  if (typeof value === 'string' && value.length > LONG) {
    return `${value.length} characters, ${createHash('sha256').update(value).digest('hex')}`;
  }
  if (typeof value === 'string') return value.replaceAll(OWN_KEY, 'own-key').replace(ID, '"id":0');
  if (Array.isArray(value)) return value.map((each: Json) => normalize(each));
  if (typeof value !== 'object' || value === null) return value ?? null;
  return Object.fromEntries(
    Object.entries(value as JsonObject)
      .filter(([, member]) => member !== undefined)
      .map(([key, member]) => {
        if (key === 'progressToken') return [key, 'a token'];
        if (key === SUBSCRIPTION) return [key, 'a subscription'];
        return [key, normalize(member)];
      }),
  );
}
