/**
 * `subscriptions/listen` of a client at every server behind the aggregate: acknowledged once all have, and
 * ended once all have ended, or once a server restarts, so that the client subscribes to the new one.
 */
import type { JsonValue } from '../../../lib/json-value.ts';
import type { Edit } from '../../protocol/edit-frame.ts';
import { editFrame } from '../../protocol/edit-frame.ts';
import { readMeta, META } from '../../protocol/envelope.ts';
import { toNotification, toResult } from '../../protocol/frame.ts';
import type { Listener } from '../../protocol/channel.ts';
import type { Frame, JsonObject, RpcId } from '../../protocol/frame.ts';
import { isObject } from '../../protocol/read-frame.ts';
import { toOwnName } from './names.ts';
import type { Peer } from './peer.ts';

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';

interface Fan {
  readonly id: RpcId;
  /** The servers that listen, by the id that each was asked under. */
  readonly streams: Map<Peer, RpcId>;
  readonly silent: Set<Peer>;
  /** Servers whose stream has ended after it was acknowledged. */
  readonly ended: Set<Peer>;
  honoured: JsonObject;
  isAcknowledged: boolean;
  /** What came before the acknowledgement, which must be first. */
  readonly early: Frame[];
}

interface FanListenOptions {
  readonly info: JsonObject;
  readonly timeoutMs: number;
  /** Who has a resource; `undefined` if nobody is known to. */
  readonly findOwner: (uri: string) => Peer | undefined;
}

export class FanListen {
  readonly #client: Pick<Listener, 'frame' | 'failed'>;
  readonly #options: FanListenOptions;
  readonly #fans = new Map<RpcId, Fan>();

  constructor(client: Pick<Listener, 'frame' | 'failed'>, options: FanListenOptions) {
    this.#client = client;
    this.#options = options;
  }

  open(request: Frame, id: RpcId, peers: readonly Peer[]): void {
    const fan: Fan = {
      id,
      streams: new Map(),
      silent: new Set(peers),
      ended: new Set(),
      honoured: {},
      isAcknowledged: false,
      early: [],
    };
    this.#fans.set(id, fan);
    for (const peer of peers) fan.streams.set(peer, peer.toFreshId());
    for (const [peer, own] of fan.streams) {
      const end = (): void => this.#ended(fan, peer);
      peer.request(this.#narrow(request, peer), { clientId: id, answered: end, failed: end }, own);
    }
    setTimeout(() => this.#acknowledge(fan), this.#options.timeoutMs).unref();
    if (peers.length === 0) this.#ended(fan, undefined);
  }

  /** Whether the notification came by a stream. */
  forward(peer: Peer, frame: Frame): boolean {
    const { method, params } = frame.message;
    const own = readMeta(params)[META.subscription];
    if (own === undefined) return false;
    const fan = [...this.#fans.values()].find(({ streams }) => streams.get(peer) === own);
    if (fan === undefined) return true;
    if (method === ACKNOWLEDGED) {
      const { notifications } = params ?? {};
      if (isObject(notifications)) {
        fan.honoured = unite(fan.honoured, prefixTaskIds(notifications, peer));
      }
      this.#heard(fan, peer);
      return true;
    }
    const path = ['params', '_meta', META.subscription] as const;
    const edited = editFrame(frame, [{ kind: 'set', path, value: fan.id }]);
    const stamped = { ...edited, about: fan.id };
    if (fan.isAcknowledged) this.#client.frame(stamped);
    else fan.early.push(stamped);
    return true;
  }

  /** Whether there was such a subscription. The servers are told by whoever calls. */
  cancel(id: RpcId): boolean {
    if (!this.#fans.delete(id)) return false;
    this.#client.failed(id, { kind: 'lost', detail: 'the subscription was cancelled' });
    return true;
  }

  /** The new server knows nothing of what its predecessor had acknowledged. */
  renewed(peer: Peer): void {
    const voided = [...this.#fans.values()].filter(({ ended }) => ended.has(peer));
    for (const fan of voided) this.#end(fan);
  }

  #heard(fan: Fan, peer: Peer): void {
    fan.silent.delete(peer);
    if (fan.silent.size === 0) this.#acknowledge(fan);
  }

  #acknowledge(fan: Fan): void {
    if (fan.isAcknowledged || !this.#fans.has(fan.id)) return;
    fan.isAcknowledged = true;
    const params = { notifications: fan.honoured, _meta: { [META.subscription]: fan.id } };
    this.#client.frame(toNotification(ACKNOWLEDGED, params, fan.id));
    for (const frame of fan.early.splice(0)) this.#client.frame(frame);
  }

  #ended(fan: Fan, peer: Peer | undefined): void {
    if (peer !== undefined) {
      fan.streams.delete(peer);
      if (!fan.silent.has(peer)) fan.ended.add(peer);
      this.#heard(fan, peer);
    } else this.#acknowledge(fan);
    if (fan.streams.size === 0) this.#end(fan);
  }

  #end(fan: Fan): void {
    if (!this.#fans.delete(fan.id)) return;
    for (const [peer, requestId] of fan.streams) {
      const params = { requestId, reason: 'the subscription ended' };
      peer.send(toNotification('notifications/cancelled', params));
    }
    const _meta = { [META.subscription]: fan.id, [META.server]: this.#options.info };
    this.#client.frame(toResult(fan.id, { resultType: 'complete', _meta }));
  }

  /** A server is asked only for resources that may be its own. */
  #narrow(request: Frame, peer: Peer): Frame {
    const given = request.message.params?.['notifications'];
    const asked = isObject(given) ? given : {};
    const edits: Edit[] = [];
    const narrow = (field: string, value: readonly string[]): void => {
      if (!Array.isArray(asked[field])) return;
      edits.push({ kind: 'set', path: ['params', 'notifications', field], value: [...value] });
    };
    const uris = toTexts(asked['resourceSubscriptions']).filter((uri) => {
      const owner = this.#options.findOwner(uri);
      return owner === undefined || owner === peer;
    });
    narrow('resourceSubscriptions', uris);
    const tasks = toTexts(asked['taskIds']).flatMap((id) => toOwnName(id, peer.name) ?? []);
    narrow('taskIds', tasks);
    return editFrame(request, edits);
  }
}

function toTexts(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

function prefixTaskIds(notifications: JsonObject, { name }: Peer): JsonObject {
  const ids = toTexts(notifications['taskIds']).map((id) => `${name}__${id}`);
  return { ...notifications, ...(ids.length > 0 && { taskIds: ids }) };
}

function unite(one: JsonObject, other: JsonObject): JsonObject {
  const united = ['resourceSubscriptions', 'taskIds'].flatMap((field) => {
    const texts = new Set([...toTexts(one[field]), ...toTexts(other[field])]);
    return texts.size > 0 ? [[field, [...texts]] as const] : [];
  });
  return { ...one, ...other, ...Object.fromEntries(united) };
}
