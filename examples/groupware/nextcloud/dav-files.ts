/** Files over WebDAV, on any server that speaks it. */
import type { DAVResponse } from 'tsdav';
import { davRequest, propfind } from 'tsdav';
import type { FileEntry, FileQuery, Files, Transfer } from '../backend.ts';
import { matchesQuery, nameOf, toPath, toSegments } from '../file-path.ts';
import { conflict, found, invalid } from '../refuse.ts';
import type { GroupwareClient } from './client.ts';
import { refusal } from './client.ts';
import { isOfType, textOf } from './dav-props.ts';
import { toSearch } from './file-search.ts';

const PROPS = {
  'd:resourcetype': {},
  'd:getcontentlength': {},
  'd:getcontenttype': {},
  'd:getlastmodified': {},
  'd:getetag': {},
  'oc:favorite': {},
};

export class DavFiles implements Files {
  readonly #client: GroupwareClient;
  /** Ends with a slash. */
  readonly #root: URL;

  readonly #searchAt: URL | undefined;

  /** `searchAt` is where the server takes searches, if it does, and lies above `root`. */
  constructor(client: GroupwareClient, root: URL, searchAt?: URL) {
    this.#client = client;
    this.#root = root;
    this.#searchAt = searchAt;
  }

  async list(path: string): Promise<readonly FileEntry[]> {
    const clean = toPath(path);
    const [own, ...inside] = await this.#propfind(clean, '1');
    if (!found(own, 'file or directory', clean).is_directory) {
      throw conflict(`${clean} is not a directory.`);
    }
    return inside;
  }

  async read(path: string): Promise<{ readonly entry: FileEntry; readonly content: Buffer }> {
    const entry = await this.#mustExist(path);
    if (entry.is_directory) throw conflict(`${entry.path} is a directory.`);
    const response = await this.#client.fetch(this.#url(entry.path));
    if (!response.ok) throw refusal(response.status, `${entry.path} cannot be read`);
    return { entry, content: Buffer.from(await response.arrayBuffer()) };
  }

  async write(path: string, content: Buffer, contentType?: string): Promise<FileEntry> {
    const clean = target(path);
    const [before] = await this.#propfind(clean, '0');
    if (before?.is_directory === true) throw conflict(`${clean} is a directory.`);
    const response = await this.#client.fetch(this.#url(clean), {
      method: 'PUT',
      body: new Uint8Array(content),
      headers: { 'content-type': contentType ?? 'application/octet-stream' },
    });
    if (!response.ok) throw refusal(response.status, `${clean} was not written`);
    return this.#mustExist(clean);
  }

  async makeDirectory(path: string): Promise<boolean> {
    const clean = target(path);
    const { status, ok } = await this.#client.fetch(this.#url(clean, '/'), { method: 'MKCOL' });
    if (ok) return true;
    if (status !== 405) throw refusal(status, `${clean} was not created`);
    if (!(await this.#mustExist(clean)).is_directory) throw conflict(`${clean} is a file.`);
    return false;
  }

  async remove(path: string): Promise<boolean> {
    const clean = toPath(path);
    if (clean === '') throw invalid('/path', 'The root of the account cannot be deleted.');
    // Some servers want a slash after a directory, and redirect otherwise.
    const [before] = await this.#propfind(clean, '0');
    if (before === undefined) return false;
    const url = this.#url(clean, before.is_directory ? '/' : '');
    const { status, ok } = await this.#client.fetch(url, { method: 'DELETE' });
    if (status === 404) return false;
    if (!ok) throw refusal(status, `${clean} was not deleted`);
    return true;
  }

  move(transfer: Transfer): Promise<void> {
    return this.#transfer('MOVE', transfer);
  }

  copy(transfer: Transfer): Promise<void> {
    return this.#transfer('COPY', transfer);
  }

  async find(query: FileQuery): Promise<readonly FileEntry[]> {
    const hits = (await this.#search(query)) ?? (await this.#walk(query));
    return hits.toSorted((a, b) => (a.path < b.path ? -1 : 1)).slice(0, query.limit);
  }

  /** `undefined` when the server cannot search. */
  async #search(query: FileQuery): Promise<readonly FileEntry[] | undefined> {
    if (this.#searchAt === undefined) return undefined;
    const { path } = await this.#mustExist(query.scope);
    const scope = new URL(this.#url(path)).pathname.slice(this.#searchAt.pathname.length - 1);
    const responses = await davRequest({
      url: this.#searchAt.href,
      init: {
        method: 'SEARCH',
        namespace: 'd',
        headers: { 'content-type': 'text/xml; charset=utf-8' },
        body: toSearch(query, scope, PROPS),
      },
      fetch: this.#client.fetch,
    });
    const failed = responses.find(({ ok, status }) => !ok && status >= 400);
    if (failed?.status === 405) return undefined;
    if (failed !== undefined) throw refusal(failed.status, 'The search failed');
    const entries = responses
      .filter(({ ok, href }) => ok && href !== undefined)
      .map((response) => this.#toEntry(response));
    return entries.filter((entry) => entry.path !== path && matchesQuery(entry, query));
  }

  async #walk(query: FileQuery): Promise<readonly FileEntry[]> {
    const hits: FileEntry[] = [];
    const rest = [toPath(query.scope)];
    for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
      for (const entry of await this.list(next)) {
        if (matchesQuery(entry, query)) hits.push(entry);
        if (entry.is_directory) rest.push(entry.path);
      }
    }
    return hits;
  }

  async #transfer(method: string, { source, destination, overwrite }: Transfer): Promise<void> {
    const entry = await this.#mustExist(source);
    const to = target(destination);
    if (entry.path === '' || to === entry.path || to.startsWith(`${entry.path}/`)) {
      throw conflict('Something cannot be moved or copied onto or into itself.');
    }
    const slash = entry.is_directory ? '/' : '';
    const { status, ok } = await this.#client.fetch(this.#url(entry.path, slash), {
      method,
      headers: { destination: this.#url(to, slash), overwrite: overwrite ? 'T' : 'F' },
    });
    if (status === 412)
      throw conflict(`${to} exists, and overwrite is not set. Nothing was changed.`);
    if (!ok) throw refusal(status, `${method} to ${to} failed`);
  }

  async #mustExist(path: string): Promise<FileEntry> {
    const clean = toPath(path);
    const [entry] = await this.#propfind(clean, '0');
    return found(entry, 'file or directory', clean);
  }

  /** The thing itself first, then what it contains, by name. */
  async #propfind(path: string, depth: '0' | '1'): Promise<readonly FileEntry[]> {
    const responses = await propfind({
      url: this.#url(path),
      props: { _attributes: { 'xmlns:oc': 'http://owncloud.org/ns' }, ...PROPS },
      depth,
      fetch: this.#following,
    });
    const entries = responses.filter(({ ok }) => ok).map((response) => this.#toEntry(response));
    const own = entries.filter((entry) => entry.path === path);
    const inside = entries.filter((entry) => entry.path !== path);
    return [...own, ...inside.toSorted((a, b) => (a.name < b.name ? -1 : 1))];
  }

  /** Apache redirects from a directory to itself with a slash. */
  readonly #following: typeof fetch = async (url, init) => {
    const response = await this.#client.fetch(url, init);
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || location === null) return response;
    const next = new URL(location, this.#root);
    if (next.origin !== this.#root.origin) throw refusal(502, 'The server redirects elsewhere');
    return this.#client.fetch(next, init);
  };

  #toEntry({ href = '', props }: DAVResponse): FileEntry {
    const path = this.#toPath(href);
    const isDirectory = isOfType(props, 'collection');
    const type = textOf(props, 'getcontenttype').split(';')[0] || 'application/octet-stream';
    return Object.freeze({
      path,
      name: nameOf(path),
      is_directory: isDirectory,
      size: isDirectory ? 0 : Number(textOf(props, 'getcontentlength')),
      content_type: isDirectory ? 'httpd/unix-directory' : type,
      last_modified: new Date(textOf(props, 'getlastmodified') || 0).toISOString(),
      etag: textOf(props, 'getetag'),
      is_favorite: textOf(props, 'favorite') === '1',
    });
  }

  #toPath(href: string): string {
    const { pathname } = new URL(href, this.#root);
    const below = pathname.slice(this.#root.pathname.length);
    return toSegments(below).map(decodeURIComponent).join('/');
  }

  #url(path: string, after = ''): string {
    const encoded = toSegments(path).map(encodeURIComponent).join('/');
    return `${this.#root.href}${encoded}${encoded === '' ? '' : after}`;
  }
}

function target(path: string): string {
  const clean = toPath(path);
  if (clean === '') throw invalid('/path', 'The path is empty.');
  return clean;
}
