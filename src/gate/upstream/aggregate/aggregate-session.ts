/** Routes what one client and many servers say to each other. */
import type { Failure } from '../../protocol/channel.ts';
import type { ClientPort } from '../../protocol/client-port.ts';
import type { Edit } from '../../protocol/edit-frame.ts';
import { editFrame, readdress } from '../../protocol/edit-frame.ts';
import {
  CODES,
  eraOf,
  MODERN_VERSION,
  readEnvelope,
  toUnsupportedVersion,
} from '../../protocol/envelope.ts';
import type { Frame, RpcId } from '../../protocol/frame.ts';
import { isId, toError, toResult } from '../../protocol/frame.ts';
import { toCancelled } from '../../protocol/in-flight.ts';
import { isObject } from '../../protocol/read-frame.ts';
import { FanListen } from './fan-listen.ts';
import type { HandshakeOptions, Unrouted } from './handshake.ts';
import { Handshake } from './handshake.ts';
import { MergedLists, ResourceOwners } from './merged-lists.ts';
import type { Answer, Peer, PeerEvents } from './peer.ts';
import { ServerRequests } from './peer.ts';
import type { PlainNames } from './plain-names.ts';
import type { Route } from './to-route.ts';
import { toRoute } from './to-route.ts';

/** Errors by which a server says that what was asked for is not its own. */
const NOT_HERE: ReadonlySet<unknown> = new Set([
  CODES.methodNotFound,
  CODES.invalidParams,
  CODES.resourceNotFound,
]);

const NOT_SENT: Failure = Object.freeze({
  kind: 'not-sent',
  detail: 'the request was cancelled before it was sent',
});

const STOPPED: Failure = Object.freeze({
  kind: 'not-sent',
  detail: 'the session ended before the request was sent',
});

interface SessionOptions extends HandshakeOptions {
  /** Absent: every name gets the one of its server in front. */
  readonly names: PlainNames | undefined;
}

export class AggregateSession implements PeerEvents {
  readonly #client: ClientPort;
  readonly #peers: readonly Peer[];
  readonly #options: SessionOptions;
  readonly #handshake: Handshake;
  readonly #lists: MergedLists;
  readonly #owners: ResourceOwners;
  readonly #listening: FanListen;
  readonly #requests: ServerRequests;
  /** What the client sends while a session begins: the servers must not get it before that. */
  #held: Frame[] | undefined;
  #isEnding = false;

  constructor(client: ClientPort, peers: readonly Peer[], options: SessionOptions) {
    const { info, timeoutMs, report, names } = options;
    this.#client = client;
    this.#peers = peers;
    this.#options = options;
    this.#handshake = new Handshake(client, options);
    const owners = new ResourceOwners(new Map(peers.map((peer) => [peer.name, peer])));
    this.#owners = owners;
    this.#lists = new MergedLists({
      timeoutMs,
      report,
      names,
      isWanted: (id) => client.isWanted(id),
      merged: (kind, list) => owners.learn(kind, list),
    });
    const findOwner = (uri: string): Peer | undefined => owners.find(uri);
    this.#listening = new FanListen(client, { info, timeoutMs, findOwner });
    this.#requests = new ServerRequests(client);
  }

  send(frame: Frame): void {
    const { id, method } = frame.message;
    const cancelled = toCancelled(frame);
    if (method === undefined) this.#requests.answer(frame);
    else if (cancelled !== undefined) this.#cancel(frame, cancelled);
    else if (this.#held !== undefined && method !== 'ping') this.#held.push(frame);
    else if (isId(id)) this.#request(frame, id);
    else this.#notify(frame, method);
  }

  asked(peer: Peer, frame: Frame, id: RpcId): void {
    // A server may ping before it answers the handshake, when a client may not be able to hear it.
    if (frame.message.method === 'ping') peer.send(toResult(id, {}));
    else this.#requests.ask(peer, frame, id);
  }

  notified(peer: Peer, frame: Frame): void {
    if (this.#listening.forward(peer, frame)) return;
    const { method, params } = frame.message;
    if (method === 'notifications/cancelled') {
      this.#requests.withdraw(peer, params?.['requestId'], frame);
      return;
    }
    if (!this.#maySay(peer, frame)) {
      this.#options.report(`${peer.name}: a notification about something of others was dropped`);
      return;
    }
    const { about, ...rest } = frame;
    const clientId = peer.toClientId(about);
    this.#client.frame(
      about === undefined ? frame : { ...rest, ...(clientId !== undefined && { about: clientId }) },
    );
  }

  renewed(peer: Peer): void {
    this.#requests.forget(peer);
    this.#listening.renewed(peer);
    this.#client.renewed();
    this.#handshake.renewed(peer);
  }

  closed(peer: Peer): void {
    this.#requests.forget(peer);
    if (!this.#isEnding) this.#options.report(`${peer.name} has ended`);
    if (!this.#peers.every(({ isClosed }) => isClosed)) return;
    this.end();
    this.#client.closed();
  }

  /** What still waits for the handshake is not sent. */
  end(): void {
    this.#isEnding = true;
    for (const frame of this.#held?.splice(0) ?? []) this.#drop(frame, 'stopped', STOPPED);
  }

  #request(frame: Frame, id: RpcId): void {
    const { version } = readEnvelope(frame.message);
    if (version !== undefined && version !== MODERN_VERSION) {
      this.#noteRefused(frame, 'invalid');
      this.#client.frame(toUnsupportedVersion(id, version));
      return;
    }
    const route = toRoute(frame.message, this.#options.names);
    switch (route.kind) {
      case 'handshake':
        void this.#begin(frame, id);
        return;
      case 'list':
        void this.#list(frame, id, route);
        return;
      case 'named':
        this.#callNamed(frame, id, route);
        return;
      case 'unknown-name':
        this.#refuse(frame, id, `Unknown name: ${route.name}`);
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

  async #begin(frame: Frame, id: RpcId): Promise<void> {
    const held: Frame[] | undefined = frame.message.method === 'initialize' ? [] : undefined;
    if (held !== undefined) this.#held = held;
    await this.#handshake.begin(frame, id, this.#peers);
    if (held === undefined || this.#held !== held) return;
    this.#held = undefined;
    for (const each of held) this.send(each);
  }

  async #list(frame: Frame, id: RpcId, { list }: Extract<Route, { kind: 'list' }>): Promise<void> {
    if (frame.message.params?.['cursor'] !== undefined) {
      this.#client.frame(toError(id, CODES.invalidParams, 'the list has only one page'));
      return;
    }
    const info = eraOf(frame.message) === 'modern' ? this.#options.info : undefined;
    const answer = await this.#lists.fetch(list, this.#peers, frame, id, info);
    if (answer !== undefined) this.#client.frame(answer);
  }

  #callNamed(frame: Frame, id: RpcId, route: Extract<Route, { kind: 'named' }>): void {
    const peer = this.#peers.find(({ name }) => name === route.server);
    if (peer === undefined) {
      this.#refuse(frame, id, `Unknown name: ${route.server}__${route.name}`);
      return;
    }
    // A server that cannot be asked has no gate that would record it.
    if (peer.isOut || peer.isClosed) this.#noteRefused(frame, 'unreachable');
    const edit: Edit = { kind: 'set', path: route.path, value: route.name };
    this.#forward(peer, editFrame(frame, [edit]), id);
  }

  #refuse(frame: Frame, id: RpcId, message: string): void {
    this.#noteRefused(frame, 'unknown');
    this.#client.frame(toError(id, CODES.invalidParams, message));
  }

  #noteRefused(frame: Frame, why: Unrouted): void {
    const { id, method } = frame.message;
    if (method === 'tools/call' && isId(id)) this.#options.refused(frame, why);
  }

  #drop(frame: Frame, why: Unrouted, failure: Failure): void {
    const { id } = frame.message;
    this.#noteRefused(frame, why);
    if (isId(id)) this.#client.failed(id, failure);
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
      if (!this.#client.isWanted(id)) break;
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
    const about = frame.message.params?.['requestId'];
    if (method === 'notifications/initialized') this.#handshake.initialized(frame, this.#peers);
    else if (isId(about)) for (const peer of this.#peers) peer.notifyAbout(frame, about);
    else for (const peer of this.#peers) if (!peer.isOut) peer.send(frame);
  }

  #cancel(frame: Frame, id: RpcId): void {
    const at = this.#held?.findIndex(({ message }) => message.id === id) ?? -1;
    const [held] = at === -1 ? [] : (this.#held?.splice(at, 1) ?? []);
    if (held !== undefined) {
      this.#drop(held, 'cancelled', NOT_SENT);
      return;
    }
    for (const peer of this.#peers) peer.notifyAbout(frame, id);
    this.#listening.cancel(id);
  }

  /** A server may speak of its own requests and resources only. */
  #maySay(peer: Peer, { message: { method, params } }: Frame): boolean {
    const uri = params?.['uri'];
    if (method === 'notifications/progress') return peer.hasToken(params?.['progressToken']);
    if (method !== 'notifications/resources/updated' || typeof uri !== 'string') return true;
    const owner = this.#owners.find(uri);
    return owner === undefined || owner === peer;
  }
}

const NOBODY: Failure = Object.freeze({ kind: 'not-sent', detail: 'no server takes the request' });
