/**
 * The merged lists of the servers behind the aggregate. Every page of every server is fetched for each
 * answer; what was merged is kept, and sent again as long as no server's pages have changed.
 */
import { editFrame, toText } from '../../protocol/edit-frame.ts';
import { CODES, META } from '../../protocol/envelope.ts';
import type { Frame, JsonObject, RpcId } from '../../protocol/frame.ts';
import { toError } from '../../protocol/frame.ts';
import { locate } from '../../protocol/json-text.ts';
import { isObject } from '../../protocol/read-frame.ts';
import { toTtl } from './handshake.ts';
import type { Peer } from './peer.ts';
import { toPrefixed } from './names.ts';
import type { PlainNames } from './plain-names.ts';

const MOST_PAGES = 1000;

interface Page {
  /** The result as the server wrote it. */
  readonly text: string;
  readonly result: JsonObject;
}

interface Kept {
  readonly texts: readonly string[];
  readonly merged: MergedList;
  readonly bytes: Buffer;
}

interface MergedListsOptions {
  readonly timeoutMs: number;
  readonly report: (message: string) => void;
  /** Absent: every name gets the one of its server in front. */
  readonly names: PlainNames | undefined;
  /** Whether the client still waits for the answer to this request. */
  readonly isWanted: (id: RpcId) => boolean;
  /** Told once for every list that was merged anew. */
  readonly merged: (kind: ListKind, list: MergedList) => void;
}

export class MergedLists {
  readonly #options: MergedListsOptions;
  readonly #kept = new Map<string, Kept>();

  constructor(options: MergedListsOptions) {
    this.#options = options;
  }

  /** `undefined` where the client has cancelled: half a list says nothing about the whole. */
  async fetch(
    kind: ListKind,
    peers: readonly Peer[],
    request: Frame,
    id: RpcId,
    modernInfo: JsonObject | undefined,
  ): Promise<Frame | undefined> {
    const asked = peers.filter(
      (peer) => !peer.isOut && !peer.isClosed && peer.can(kind.capability),
    );
    const collected = await Promise.all(asked.map((peer) => this.#collect(peer, request, id)));
    if (!this.#options.isWanted(id)) return undefined;
    const failures = collected.flatMap(({ why }) => (why === undefined ? [] : [why]));
    const outside = peers.filter((peer) => peer.isOut || peer.isClosed);
    if (asked.length === 0 ? outside.length > 0 : failures.length === asked.length) {
      const names = outside.map(({ name }) => `${name}: it is not running`);
      const detail = [...failures, ...names].join('; ');
      return toError(id, CODES.internal, `no server gave its list: ${detail}`);
    }
    const parts = asked.map((peer, index) => ({
      server: peer.name,
      pages: collected[index]?.pages ?? [],
    }));
    const texts = parts.flatMap((part) => [part.server, ...part.pages.map(({ text }) => text)]);
    const key = `${kind.field} ${modernInfo !== undefined}`;
    const had = this.#kept.get(key);
    const isSame =
      had?.texts.length === texts.length && had.texts.every((text, index) => text === texts[index]);
    if (had !== undefined && isSame) return toAnswer(id, had);
    const results = parts.map(({ server, pages: own }) => ({
      server,
      pages: own.map(({ result }) => result),
    }));
    const merged = mergeLists(kind, results, modernInfo, this.#options.names);
    for (const message of merged.dropped) this.#options.report(message);
    const kept = { texts, merged, bytes: Buffer.from(JSON.stringify(merged.result)) };
    this.#kept.set(key, kept);
    this.#options.merged(kind, merged);
    return toAnswer(id, kept);
  }

  async #collect(peer: Peer, request: Frame, id: RpcId): Promise<Collected> {
    const pages: Page[] = [];
    const cursors = new Set<string>();
    let next = request;
    while (pages.length < MOST_PAGES && this.#options.isWanted(id)) {
      const answer = await peer.ask(next, id, this.#options.timeoutMs);
      if (answer.kind === 'failed') {
        return this.#leaveOut(`${peer.name}: ${answer.failure.detail}`);
      }
      const page = toPage(answer.frame);
      if (page === undefined) {
        if (isUnknownMethod(answer.frame)) return { pages: [] };
        return this.#leaveOut(`${peer.name}: ${toReason(answer.frame)}`);
      }
      pages.push(page);
      const cursor = page.result['nextCursor'];
      // A server that sends round in a circle would never end.
      if (typeof cursor !== 'string' || cursors.has(cursor)) return { pages };
      cursors.add(cursor);
      next = editFrame(request, [{ kind: 'set', path: ['params', 'cursor'], value: cursor }]);
    }
    return { pages };
  }

  #leaveOut(why: string): Collected {
    this.#options.report(`${why}; its list is left out`);
    return { pages: [], why };
  }
}

/** The list of one server, or why there is none. */
interface Collected {
  readonly pages: readonly Page[];
  readonly why?: string;
}

function toReason({ message: { error } }: Frame): string {
  const told = isObject(error) ? error['message'] : undefined;
  return typeof told === 'string' ? `answered with an error (${told})` : 'answered with an error';
}

function toPage(frame: Frame): Page | undefined {
  const { result } = frame.message;
  if (!isObject(result)) return undefined;
  const text = toText(frame);
  const place = locate(text, ['result']);
  return { text: text.slice(place?.start, place?.end), result };
}

function isUnknownMethod({ message: { error } }: Frame): boolean {
  return isObject(error) && error['code'] === CODES.methodNotFound;
}

function toAnswer(id: RpcId, { bytes, merged }: Kept): Frame {
  const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
  const message = { jsonrpc: '2.0', id, result: merged.result };
  return { bytes: Buffer.concat([Buffer.from(head), bytes, Buffer.from('}')]), message, about: id };
}

/** Lists of several servers as one, in the order of the servers. Pure. */
export interface ListKind {
  /** The member of the result that holds the items. */
  readonly field: string;
  /** The member of an item that tells it from others. */
  readonly key: string;
  /** Whether the key gets the server's name; an address is left as it is. */
  readonly isPrefixed: boolean;
  /** What a server must be able to do to have such a list. */
  readonly capability: string;
}

export const LISTS: ReadonlyMap<string, ListKind> = new Map([
  ['tools/list', { field: 'tools', key: 'name', isPrefixed: true, capability: 'tools' }],
  ['tasks/list', { field: 'tasks', key: 'taskId', isPrefixed: true, capability: 'tasks' }],
  ['prompts/list', { field: 'prompts', key: 'name', isPrefixed: true, capability: 'prompts' }],
  [
    'resources/list',
    { field: 'resources', key: 'uri', isPrefixed: false, capability: 'resources' },
  ],
  [
    'resources/templates/list',
    {
      field: 'resourceTemplates',
      key: 'uriTemplate',
      isPrefixed: false,
      capability: 'resources',
    },
  ],
]);

/** The pages of one server's list. */
interface ListPart {
  readonly server: string;
  readonly pages: readonly JsonObject[];
}

interface MergedList {
  readonly result: JsonObject;
  /** Whose each item is, by its key in the merged list. */
  readonly owners: ReadonlyMap<string, string>;
  /** Why items were left out, in a sentence each. */
  readonly dropped: readonly string[];
}

/** `modernInfo` is who answers, told only to a client of 2026. */
export function mergeLists(
  kind: ListKind,
  parts: readonly ListPart[],
  modernInfo: JsonObject | undefined,
  names?: PlainNames,
): MergedList {
  const { field, key, isPrefixed } = kind;
  const show = (server: string, name: string): string | undefined =>
    names === undefined ? toPrefixed(server, name) : names.show(kind, { server, name });
  const items: JsonObject[] = [];
  const owners = new Map<string, string>();
  const dropped: string[] = [];
  for (const { server, pages } of parts) {
    for (const item of pages.flatMap((page) => toItems(page[field]))) {
      const own = item[key];
      if (typeof own !== 'string') continue;
      const shown = isPrefixed ? show(server, own) : own;
      if (shown === undefined) dropped.push(`${server}: the name “${own}” is too long to prefix`);
      else if (owners.has(shown)) dropped.push(`${server}: “${own}” is listed twice`);
      else {
        owners.set(shown, server);
        items.push(isPrefixed ? { ...item, [key]: shown } : item);
      }
    }
  }
  const ttls = parts.flatMap(({ pages }) => pages.map((page) => toTtl(page['ttlMs'])));
  const modern = modernInfo && {
    resultType: 'complete',
    ttlMs: ttls.length === 0 ? 0 : Math.min(...ttls),
    cacheScope: 'private',
    _meta: { [META.server]: modernInfo },
  };
  return { result: { ...modern, [field]: items }, owners, dropped };
}

function toItems(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Which server has which resource, as far as their lists tell. */
export class ResourceOwners {
  readonly #peers: ReadonlyMap<string, Peer>;
  #addresses: ReadonlyMap<string, string> = new Map();
  #templates: ReadonlyMap<string, string> = new Map();

  constructor(peers: ReadonlyMap<string, Peer>) {
    this.#peers = peers;
  }

  learn({ key }: ListKind, { owners }: MergedList): void {
    if (key === 'uri') this.#addresses = owners;
    else if (key === 'uriTemplate') this.#templates = owners;
  }

  find(uri: string): Peer | undefined {
    const server =
      this.#addresses.get(uri) ?? this.#templates.get(uri) ?? this.#findByTemplate(uri);
    return server === undefined ? undefined : this.#peers.get(server);
  }

  /** By the longest beginning that has no variable in it. */
  #findByTemplate(uri: string): string | undefined {
    let longest = 0;
    let found: string | undefined;
    for (const [template, server] of this.#templates) {
      const variable = template.indexOf('{');
      const length = variable === -1 ? template.length : variable;
      if (length <= longest || !uri.startsWith(template.slice(0, length))) continue;
      longest = length;
      found = server;
    }
    return found;
  }
}
