/**
 * The merged lists of the servers behind the mux. Every page of every server is fetched for each
 * answer; what was merged is kept, and sent again as long as no server's pages have changed.
 */
import type { Frame, JsonObject, RpcId } from '../frame.ts';
import { locate } from '../locate.ts';
import { isObject } from '../read-frame.ts';
import { editFrame } from '../eras/edit-frame.ts';
import { CODES } from '../eras/protocol.ts';
import { toText } from '../eras/to-text.ts';
import type { ListKind, MergedList } from './merge-lists.ts';
import { mergeLists } from './merge-lists.ts';
import type { Peer } from './peer.ts';

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

export interface MergedListsOptions {
  readonly timeoutMs: number;
  readonly report: (message: string) => void;
  /** Told once for every list that was merged anew. */
  readonly merged: (kind: ListKind, list: MergedList) => void;
}

export class MergedLists {
  readonly #options: MergedListsOptions;
  readonly #kept = new Map<string, Kept>();

  constructor(options: MergedListsOptions) {
    this.#options = options;
  }

  async fetch(
    kind: ListKind,
    peers: readonly Peer[],
    request: Frame,
    id: RpcId,
    modernInfo: JsonObject | undefined,
  ): Promise<Frame> {
    const asked = peers.filter(
      (peer) => !peer.isOut && !peer.isClosed && peer.can(kind.capability),
    );
    const pages = await Promise.all(asked.map((peer) => this.#collect(peer, request, id)));
    const parts = asked.map((peer, index) => ({ server: peer.name, pages: pages[index] ?? [] }));
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
    const merged = mergeLists(kind, results, modernInfo);
    for (const message of merged.dropped) this.#options.report(message);
    const kept = { texts, merged, bytes: Buffer.from(JSON.stringify(merged.result)) };
    this.#kept.set(key, kept);
    this.#options.merged(kind, merged);
    return toAnswer(id, kept);
  }

  async #collect(peer: Peer, request: Frame, id: RpcId): Promise<readonly Page[]> {
    const pages: Page[] = [];
    const cursors = new Set<string>();
    let next = request;
    while (pages.length < MOST_PAGES) {
      const answer = await peer.ask(next, id, this.#options.timeoutMs);
      if (answer.kind === 'failed') {
        this.#options.report(`${peer.name}: ${answer.failure.detail}; its list is left out`);
        return [];
      }
      const page = toPage(answer.frame);
      if (page === undefined) {
        if (!isUnknownMethod(answer.frame)) {
          this.#options.report(`${peer.name}: answered with an error; its list is left out`);
        }
        return [];
      }
      pages.push(page);
      const cursor = page.result['nextCursor'];
      // A server that sends round in a circle would never end.
      if (typeof cursor !== 'string' || cursors.has(cursor)) return pages;
      cursors.add(cursor);
      next = editFrame(request, [{ kind: 'set', path: ['params', 'cursor'], value: cursor }]);
    }
    return pages;
  }
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
