/**
 * The beginning with all servers at once. One that does not answer in time is left out; if it answers
 * after all, it joins, and the client is told that the lists have changed.
 */
import type { JsonValue } from '../../../lib/json-value.ts';
import type { Listener } from '../../protocol/channel.ts';
import { LEGACY_VERSIONS, META, MODERN_VERSION } from '../../protocol/envelope.ts';
import type { Frame, JsonObject, RpcId } from '../../protocol/frame.ts';
import { toNotification, toResult } from '../../protocol/frame.ts';
import { isObject } from '../../protocol/read-frame.ts';
import type { Peer } from './peer.ts';

const LISTS = ['tools', 'prompts', 'resources'] as const;

export interface HandshakeOptions {
  readonly info: JsonObject;
  readonly timeoutMs: number;
  readonly report: (message: string) => void;
}

export class Handshake {
  readonly #client: Pick<Listener, 'frame'>;
  readonly #options: HandshakeOptions;
  /** The client's word that the session has begun, for servers that come late. */
  #initialized: Frame | undefined;

  constructor(client: Pick<Listener, 'frame'>, options: HandshakeOptions) {
    this.#client = client;
    this.#options = options;
  }

  async begin(request: Frame, id: RpcId, peers: readonly Peer[]): Promise<void> {
    const isSession = request.message.method === 'initialize';
    const hellos = await Promise.all(
      peers.map(async (peer): Promise<readonly Hello[]> => {
        const late = (frame: Frame): void => this.#joined(peer, frame);
        const answer = await peer.ask(request, id, this.#options.timeoutMs, late);
        const frame = answer.kind === 'answered' ? answer.frame : undefined;
        const hello = frame && read(peer, frame);
        // Only a session has to be begun; requests of 2026 may be tried at any time.
        peer.isOut = isSession && hello === undefined;
        if (hello !== undefined) return [hello];
        const why = answer.kind === 'failed' ? answer.failure.detail : 'it refused the handshake';
        this.#options.report(`${peer.name} is left out: ${why}`);
        return [];
      }),
    );
    const merge = isSession ? toMergedInitialize : toMergedDiscover;
    this.#client.frame(toResult(id, merge(hellos.flat(), this.#options.info)));
  }

  initialized(frame: Frame, peers: readonly Peer[]): void {
    this.#initialized = frame;
    for (const peer of peers) if (!peer.isOut) peer.send(frame);
  }

  #joined(peer: Peer, frame: Frame): void {
    if (read(peer, frame) === undefined || !peer.isOut) return;
    peer.isOut = false;
    this.#options.report(`${peer.name} has joined`);
    if (this.#initialized === undefined) return;
    peer.send(this.#initialized);
    for (const list of LISTS) {
      if (!peer.can(list)) continue;
      this.#client.frame(toNotification(`notifications/${list}/list_changed`));
    }
  }
}

function read(peer: Peer, { message: { result } }: Frame): Hello | undefined {
  if (!isObject(result)) return undefined;
  const { capabilities } = result;
  peer.capabilities = isObject(capabilities) ? capabilities : {};
  return { server: peer.name, result };
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
