/**
 * `subscriptions/listen` of 2026 clients over a server of 2025, which announces changes unasked and
 * is subscribed to for single resources.
 */
import type { Frame, JsonObject, RpcId } from '../frame.ts';
import { isObject } from '../read-frame.ts';
import { editFrame } from '../edit-frame.ts';
import { toError, toNotification, toRequest, toResult } from '../frame.ts';
import { CODES, META } from '../envelope.ts';
import type { Ends } from './open-either.ts';

interface Filter {
  readonly methods: ReadonlySet<string>;
  readonly uris: readonly string[];
}

const UPDATED = 'notifications/resources/updated';

const CHANGES = Object.freeze([
  { field: 'toolsListChanged', list: 'tools', method: 'notifications/tools/list_changed' },
  { field: 'promptsListChanged', list: 'prompts', method: 'notifications/prompts/list_changed' },
  {
    field: 'resourcesListChanged',
    list: 'resources',
    method: 'notifications/resources/list_changed',
  },
] as const);

export class LegacySubscriptions {
  readonly #ends: Ends;
  /** What the server can announce. */
  capabilities: JsonObject = {};
  readonly #open = new Map<RpcId, Filter>();

  constructor(ends: Ends) {
    this.#ends = ends;
  }

  open(id: RpcId, { message }: Frame): void {
    const asked = message.params?.['notifications'];
    if (!isObject(asked)) {
      const error = toError(id, CODES.invalidParams, '`notifications` says what to listen for');
      this.#ends.client.frame(error);
      return;
    }
    const changes = CHANGES.filter(
      ({ field, list }) => asked[field] === true && this.#can(list, 'listChanged'),
    );
    const uris = this.#can('resources', 'subscribe') ? toTexts(asked['resourceSubscriptions']) : [];
    this.#subscribe(uris);
    const methods = new Set<string>(changes.map(({ method }) => method));
    this.#open.set(id, { methods, uris });
    const notifications = {
      ...Object.fromEntries(changes.map(({ field }) => [field, true])),
      ...(uris.length > 0 && { resourceSubscriptions: uris }),
    };
    const params = { notifications, _meta: { [META.subscription]: id } };
    const frame = toNotification('notifications/subscriptions/acknowledged', params, id);
    this.#ends.client.frame(frame);
  }

  /** The server no longer knows of them. */
  endAll(): void {
    for (const id of this.#open.keys()) {
      const result = { resultType: 'complete', _meta: { [META.subscription]: id } };
      this.#ends.client.frame(toResult(id, result));
    }
    this.#open.clear();
  }

  /** Whether there was such a subscription; the client wants it no longer. */
  end(id: RpcId): boolean {
    const filter = this.#open.get(id);
    if (filter === undefined) return false;
    this.#open.delete(id);
    this.#ends.client.failed(id, { kind: 'lost', detail: 'the subscription was cancelled' });
    for (const uri of filter.uris) {
      if (!this.#isWanted(uri)) this.#ask('resources/unsubscribe', uri);
    }
    return true;
  }

  /** Whether the notification is one that only subscribers get. */
  forward(frame: Frame): boolean {
    const { method = '', params } = frame.message;
    if (method !== UPDATED && CHANGES.every((change) => change.method !== method)) return false;
    const uri = params?.['uri'];
    for (const [id, { methods, uris }] of this.#open) {
      const isFor = method === UPDATED ? uris.some((one) => one === uri) : methods.has(method);
      if (!isFor) continue;
      const path = ['params', '_meta', META.subscription] as const;
      this.#ends.client.frame({
        ...editFrame(frame, [{ kind: 'set', path, value: id }]),
        about: id,
      });
    }
    return true;
  }

  #subscribe(uris: readonly string[]): void {
    for (const uri of uris) {
      if (!this.#isWanted(uri)) this.#ask('resources/subscribe', uri);
    }
  }

  #isWanted(uri: string): boolean {
    return [...this.#open.values()].some(({ uris }) => uris.includes(uri));
  }

  #ask(method: string, uri: string): void {
    this.#ends.server.send(toRequest(this.#ends.ids.next(), method, { uri }));
  }

  #can(list: string, feature: string): boolean {
    const capability = this.capabilities[list];
    return isObject(capability) && capability[feature] === true;
  }
}

function toTexts(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return [...new Set(value.filter((one): one is string => typeof one === 'string'))];
}
