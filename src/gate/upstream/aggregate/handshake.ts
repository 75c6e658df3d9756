/**
 * The handshake with all servers at once. One that does not answer in time is left out; if it answers
 * after all, it joins, and the client is told that the lists have changed. If none is left, the client
 * is refused with the reasons of each.
 */
import type { JsonValue } from '../../../lib/json-value.ts';
import type { Listener } from '../../protocol/channel.ts';
import { CODES, LEGACY_VERSIONS, META, MODERN_VERSION } from '../../protocol/envelope.ts';
import type { Frame, JsonObject, RpcId } from '../../protocol/frame.ts';
import { toError, toNotification, toResult } from '../../protocol/frame.ts';
import { isObject } from '../../protocol/read-frame.ts';
import type { Answer, Peer } from './peer.ts';

const LISTS = ['tools', 'prompts', 'resources'] as const;

export interface HandshakeOptions {
  readonly info: JsonObject;
  readonly timeoutMs: number;
  readonly report: (message: string) => void;
  readonly refused: (call: Frame, why: Unrouted) => void;
}

/** Why no server gets a call. `invalid`: its id is in use, or its revision is unknown. */
export type Unrouted = 'unknown' | 'unreachable' | 'invalid' | 'cancelled' | 'stopped';

export class Handshake {
  readonly #client: Pick<Listener, 'frame' | 'failed'>;
  readonly #options: HandshakeOptions;
  /** The client's word that the session has begun, for servers that come late. */
  #initialized: Frame | undefined;
  /** Of which lists the client was told that it hears of changes. */
  #promised: readonly string[] = [];
  /** Of which lists each server tells itself, also after a restart. */
  readonly #tells = new Map<Peer, readonly string[]>();

  constructor(client: Pick<Listener, 'frame' | 'failed'>, options: HandshakeOptions) {
    this.#client = client;
    this.#options = options;
  }

  async begin(request: Frame, id: RpcId, peers: readonly Peer[]): Promise<void> {
    const isSession = request.message.method === 'initialize';
    const answers = await Promise.all(
      peers.map(async (peer): Promise<Hello | Refused> => {
        const late = (frame: Frame): void => this.#joined(peer, frame);
        const answer = await peer.ask(request, id, this.#options.timeoutMs, late);
        const frame = answer.kind === 'answered' ? answer.frame : undefined;
        const hello = frame && this.#read(peer, frame);
        // Only a session has to be begun; requests of 2026 may be tried at any time.
        peer.isOut = isSession && hello === undefined;
        if (hello !== undefined) return hello;
        const refused = toRefused(peer.name, answer);
        this.#options.report(`${peer.name} is left out: ${refused.why}`);
        return refused;
      }),
    );
    const hellos = answers.filter((answer) => 'result' in answer);
    if (hellos.length === 0 && answers.length > 0) {
      this.#refuse(
        id,
        answers.filter((answer) => 'why' in answer),
      );
      return;
    }
    const { info } = this.#options;
    if (!isSession) {
      this.#client.frame(toResult(id, toMergedDiscover(hellos, info)));
      return;
    }
    const merged = toMergedInitialize(hellos, info);
    const result = hellos.length < answers.length ? withPromise(merged) : merged;
    this.#promised = toTold(result['capabilities']);
    this.#client.frame(toResult(id, result));
  }

  #refuse(id: RpcId, refused: readonly Refused[]): void {
    const detail = refused.map(({ server, why }) => `${server}: ${why}`).join('; ');
    const errors = refused.flatMap(({ server, error }) =>
      error ? [[server, error] as const] : [],
    );
    const code = errors[0]?.[1]['code'];
    if (errors.length > 0) {
      const servers = Object.fromEntries(errors);
      const known = typeof code === 'number' ? code : CODES.internal;
      this.#client.frame(toError(id, known, `no server began a session: ${detail}`, { servers }));
      return;
    }
    const isLost = refused.some(({ isSent }) => isSent);
    this.#client.failed(id, { kind: isLost ? 'lost' : 'not-sent', detail });
  }

  initialized(frame: Frame, peers: readonly Peer[]): void {
    this.#initialized = frame;
    for (const peer of peers) if (!peer.isOut) peer.send(frame);
  }

  /** A server of 2025 that restarted may have other lists; in 2026 whoever wants to know subscribes. */
  renewed(peer: Peer): void {
    if (this.#initialized === undefined || peer.isOut) return;
    const told = this.#tells.get(peer) ?? [];
    this.#announce(peer, (list) => !told.includes(list));
  }

  #joined(peer: Peer, frame: Frame): void {
    if (this.#read(peer, frame) === undefined || !peer.isOut) return;
    peer.isOut = false;
    this.#options.report(`${peer.name} has joined`);
    if (this.#initialized === undefined) return;
    peer.send(this.#initialized);
    this.#announce(peer);
  }

  #announce(peer: Peer, isOurs: (list: string) => boolean = () => true): void {
    for (const list of this.#promised) {
      if (!peer.can(list) || !isOurs(list)) continue;
      this.#client.frame(toNotification(`notifications/${list}/list_changed`));
    }
  }

  #read(peer: Peer, { message: { result } }: Frame): Hello | undefined {
    if (!isObject(result)) return undefined;
    const { capabilities } = result;
    peer.capabilities = isObject(capabilities) ? capabilities : {};
    this.#tells.set(peer, toTold(capabilities));
    return { server: peer.name, result };
  }
}

/** The lists of whose changes these capabilities say that they are told. */
function toTold(capabilities: unknown): readonly string[] {
  return LISTS.filter((list) => {
    const capability = isObject(capabilities) ? capabilities[list] : undefined;
    return isObject(capability) && capability['listChanged'] === true;
  });
}

/** A server that was left out may join, which changes the lists. */
function withPromise({ capabilities, ...rest }: JsonObject): JsonObject {
  const merged = isObject(capabilities) ? capabilities : {};
  const promised = LISTS.flatMap((list) => {
    const capability = merged[list];
    return isObject(capability) ? [[list, { ...capability, listChanged: true }] as const] : [];
  });
  return { ...rest, capabilities: { ...merged, ...Object.fromEntries(promised) } };
}

/** Why a server is left out. */
interface Refused {
  readonly server: string;
  readonly why: string;
  /** What it answered, if it did. */
  readonly error?: JsonObject;
  readonly isSent: boolean;
}

function toRefused(server: string, answer: Answer): Refused {
  if (answer.kind === 'failed') {
    const { kind, detail } = answer.failure;
    return { server, why: detail, isSent: kind === 'lost' };
  }
  const { error } = answer.frame.message;
  const none = { code: CODES.internal, message: 'it gave no usable answer' };
  const given = isObject(error) ? error : none;
  const told = typeof given['message'] === 'string' ? given['message'] : 'it gave no reason';
  return { server, why: `it refused: ${told}`, error: given, isSent: true };
}

/** A server's answer to `initialize` or `server/discover`. */
interface Hello {
  readonly server: string;
  readonly result: JsonObject;
}

export function toMergedInitialize(hellos: readonly Hello[], info: JsonObject): JsonObject {
  const versions = hellos.map(({ result }) => result['protocolVersion']);
  // The revisions are dates; what the oldest of them says, all can say.
  const oldest = versions.filter((one) => typeof one === 'string').toSorted()[0];
  return {
    protocolVersion: oldest ?? LEGACY_VERSIONS[0],
    capabilities: mergeCapabilities(hellos),
    serverInfo: info,
    ...toInstructions(hellos),
  };
}

export function toMergedDiscover(hellos: readonly Hello[], info: JsonObject): JsonObject {
  const ttls = hellos.map(({ result }) => toTtl(result['ttlMs']));
  return {
    resultType: 'complete',
    supportedVersions: [MODERN_VERSION],
    capabilities: mergeCapabilities(hellos),
    ...toInstructions(hellos),
    ttlMs: ttls.length === 0 ? 0 : Math.min(...ttls),
    cacheScope: 'private',
    _meta: { [META.server]: info },
  };
}

export function toTtl(value: JsonValue | undefined): number {
  return typeof value === 'number' && value > 0 ? value : 0;
}

function mergeCapabilities(hellos: readonly Hello[]): JsonObject {
  let merged: JsonValue = {};
  for (const { result } of hellos) merged = unite(merged, result['capabilities'] ?? {});
  return isObject(merged) ? merged : {};
}

/** What either can do. */
function unite(one: JsonValue, other: JsonValue): JsonValue {
  if (isObject(one) && isObject(other)) {
    const added = Object.entries(other).map(([key, value]) => {
      const had = Object.hasOwn(one, key) ? one[key] : undefined;
      return [key, had === undefined ? value : unite(had, value)] as const;
    });
    return { ...one, ...Object.fromEntries(added) };
  }
  return one === false ? other : one;
}

function toInstructions(hellos: readonly Hello[]): { readonly instructions?: string } {
  const told = hellos.flatMap(({ server, result: { instructions } }) =>
    typeof instructions === 'string' && instructions !== ''
      ? [`# ${server}\n\n${instructions}`]
      : [],
  );
  return told.length === 0 ? {} : { instructions: told.join('\n\n') };
}
