/** What one client and many servers say to each other, handed to whom it is for. */
import type { Failure, Listener } from '../../protocol/channel.ts';
import type { Edit } from '../../protocol/edit-frame.ts';
import { editFrame, readdress } from '../../protocol/edit-frame.ts';
import { CODES, eraOf } from '../../protocol/envelope.ts';
import type { Frame, RpcId } from '../../protocol/frame.ts';
import { isId, toError, toResult } from '../../protocol/frame.ts';
import { OwnIds } from '../../protocol/own-ids.ts';
import { isObject } from '../../protocol/read-frame.ts';
import { FanListen } from './fan-listen.ts';
import type { HandshakeOptions } from './handshake.ts';
import { Handshake } from './handshake.ts';
import { MergedLists, ResourceOwners } from './merged-lists.ts';
import type { Answer, Peer, PeerEvents } from './peer.ts';
import type { Route } from './to-route.ts';
import { toRoute } from './to-route.ts';

/** Errors by which a server says that what was asked for is not its own. */
const NOT_HERE: ReadonlySet<unknown> = new Set([
  CODES.methodNotFound,
  CODES.invalidParams,
  CODES.resourceNotFound,
]);

export class AggregateSession implements PeerEvents {
  readonly #client: Listener;
  readonly #peers: readonly Peer[];
  readonly #options: HandshakeOptions;
  readonly #handshake: Handshake;
  readonly #lists: MergedLists;
  readonly #owners: ResourceOwners;
  readonly #listening: FanListen;
  readonly #requests: ServerRequests;

  constructor(client: Listener, peers: readonly Peer[], options: HandshakeOptions) {
    const { info, timeoutMs, report } = options;
    this.#client = client;
    this.#peers = peers;
    this.#options = options;
    this.#handshake = new Handshake(client, options);
    const owners = new ResourceOwners(new Map(peers.map((peer) => [peer.name, peer])));
    this.#owners = owners;
    this.#lists = new MergedLists({
      timeoutMs,
      report,
      merged: (kind, list) => owners.learn(kind, list),
    });
    const findOwner = (uri: string): Peer | undefined => owners.find(uri);
    this.#listening = new FanListen(client, { info, timeoutMs, findOwner });
    this.#requests = new ServerRequests(client);
  }

  send(frame: Frame): void {
    const { id, method } = frame.message;
    if (method === undefined) this.#requests.answer(frame);
    else if (isId(id)) this.#request(frame, id, toRoute(frame.message));
    else this.#notify(frame, method);
  }

  asked(peer: Peer, frame: Frame, id: RpcId): void {
    this.#requests.ask(peer, frame, id);
  }

  notified(peer: Peer, frame: Frame): void {
    if (this.#listening.forward(peer, frame)) return;
    if (frame.message.method === 'notifications/cancelled') {
      this.#requests.withdraw(peer, frame);
      return;
    }
    const { about, ...rest } = frame;
    const clientId = peer.toClientId(about);
    this.#client.frame(
      about === undefined ? frame : { ...rest, ...(clientId !== undefined && { about: clientId }) },
    );
  }

  renewed(): void {
    this.#client.renewed();
  }

  closed(peer: Peer): void {
    this.#requests.forget(peer);
    this.#options.report(`${peer.name} has ended`);
    if (this.#peers.every(({ isClosed }) => isClosed)) this.#client.closed();
  }

  #request(frame: Frame, id: RpcId, route: Route): void {
    switch (route.kind) {
      case 'handshake':
        void this.#handshake.begin(frame, id, this.#peers);
        return;
      case 'list':
        void this.#list(frame, id, route);
        return;
      case 'named':
        this.#callNamed(frame, id, route);
        return;
      case 'unknown-name':
        this.#client.frame(toError(id, CODES.invalidParams, `Unknown name: ${route.name}`));
        return;
      case 'resource':
        this.#callResource(frame, id, route.uri);
        return;
      case 'listen':
        this.#listening.open(frame, id, this.#peers);
        return;
      case 'ping':
        this.#client.frame(toResult(id, {}));
        return;
      case 'log-level':
        void this.#tellAll(frame, id);
        return;
      case 'any':
        void this.#tryEach(frame, id, this.#peers);
    }
  }

  async #list(frame: Frame, id: RpcId, { list }: Extract<Route, { kind: 'list' }>): Promise<void> {
    if (frame.message.params?.['cursor'] !== undefined) {
      this.#client.frame(toError(id, CODES.invalidParams, 'the list has only one page'));
      return;
    }
    const info = eraOf(frame.message) === 'modern' ? this.#options.info : undefined;
    this.#client.frame(await this.#lists.fetch(list, this.#peers, frame, id, info));
  }

  #callNamed(frame: Frame, id: RpcId, route: Extract<Route, { kind: 'named' }>): void {
    const peer = this.#peers.find(({ name }) => name === route.server);
    if (peer === undefined) {
      const message = `Unknown name: ${route.server}__${route.name}`;
      this.#client.frame(toError(id, CODES.invalidParams, message));
      return;
    }
    const edit: Edit = { kind: 'set', path: route.path, value: route.name };
    this.#forward(peer, editFrame(frame, [edit]), id);
  }

  #callResource(frame: Frame, id: RpcId, uri: string): void {
    const owner = this.#owners.find(uri);
    if (owner !== undefined) this.#forward(owner, frame, id);
    else {
      const able = this.#peers.filter((peer) => peer.can('resources'));
      void this.#tryEach(frame, id, able);
    }
  }

  #forward(peer: Peer, frame: Frame, id: RpcId): void {
    peer.request(frame, {
      clientId: id,
      answered: (answer) => this.#client.frame(readdress(answer, id, id)),
      failed: (failure) => this.#client.failed(id, failure),
    });
  }

  /** One server after the other, until one has what is asked for. */
  async #tryEach(frame: Frame, id: RpcId, peers: readonly Peer[]): Promise<void> {
    let last: Answer | undefined;
    for (const peer of peers) {
      if (peer.isOut || peer.isClosed) continue;
      last = await peer.ask(frame, id);
      const error = last.kind === 'answered' ? last.frame.message.error : undefined;
      if (last.kind === 'failed' || !isObject(error) || !NOT_HERE.has(error['code'])) break;
    }
    if (last?.kind === 'answered') this.#client.frame(readdress(last.frame, id, id));
    else this.#client.failed(id, last?.failure ?? NOBODY);
  }

  async #tellAll(frame: Frame, id: RpcId): Promise<void> {
    const able = this.#peers.filter((peer) => !peer.isOut && peer.can('logging'));
    await Promise.all(able.map((peer) => peer.ask(frame, id, this.#options.timeoutMs)));
    this.#client.frame(toResult(id, {}));
  }

  #notify(frame: Frame, method: string): void {
    const requestId = frame.message.params?.['requestId'];
    if (method === 'notifications/initialized') this.#handshake.initialized(frame, this.#peers);
    else if (method === 'notifications/cancelled' && isId(requestId)) {
      this.#listening.cancel(requestId);
      for (const peer of this.#peers) peer.cancel(frame, requestId);
    } else for (const peer of this.#peers) if (!peer.isOut) peer.send(frame);
  }
}

const NOBODY: Failure = Object.freeze({ kind: 'not-sent', detail: 'no server takes the request' });

/** Requests of servers to the client, under ids that no two servers share. */
interface Asked {
  readonly peer: Peer;
  /** The id that the server gave. */
  readonly id: RpcId;
}

class ServerRequests {
  readonly #client: Pick<Listener, 'frame'>;
  readonly #ids = new OwnIds();
  readonly #open = new Map<RpcId, Asked>();

  constructor(client: Pick<Listener, 'frame'>) {
    this.#client = client;
  }

  ask(peer: Peer, frame: Frame, id: RpcId): void {
    const own = this.#ids.next();
    this.#open.set(own, { peer, id });
    this.#client.frame(readdress(frame, own, peer.toClientId(frame.about)));
  }

  answer(frame: Frame): void {
    const { id } = frame.message;
    const asked = isId(id) ? this.#open.get(id) : undefined;
    if (asked === undefined || !isId(id)) return;
    this.#open.delete(id);
    asked.peer.send(editFrame(frame, [{ kind: 'set', path: ['id'], value: asked.id }]));
  }

  /** The server no longer wants an answer. */
  withdraw(peer: Peer, frame: Frame): void {
    const id = frame.message.params?.['requestId'];
    for (const [own, asked] of this.#open) {
      if (asked.peer !== peer || asked.id !== id) continue;
      this.#open.delete(own);
      const edit = { kind: 'set', path: ['params', 'requestId'], value: own } as const;
      this.#client.frame(editFrame(frame, [edit]));
    }
  }

  forget(peer: Peer): void {
    for (const [own, asked] of this.#open) if (asked.peer === peer) this.#open.delete(own);
  }
}
