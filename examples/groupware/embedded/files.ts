/**
 * Files in a folder of the file system. Their etags come from what the file system says of them; types
 * that were stated and favourites are in the database, as are shares, which follow what they share.
 */
import { randomUUID } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { cp, lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getMimeType, mimes } from 'hono/utils/mime';
import type { FileEntry, FileQuery, Files, Transfer } from '../backend.ts';
import { isName, matchesQuery, nameOf, toPath, toSegments } from '../file-path.ts';
import { conflict, found, invalid } from '../refuse.ts';
import type { Database } from '../../shared/database.ts';
import { toEtag } from './table.ts';

const TYPES = { ...mimes, md: 'text/markdown' };
const DIRECTORY_TYPE = 'httpd/unix-directory';

export class EmbeddedFiles implements Files {
  readonly #db: Database;
  readonly #user: string;
  readonly #root: string;
  /** On the same file system, so that a finished file is moved into place in one step. */
  readonly #scratch: string;

  constructor(db: Database, user: string, folder: string) {
    this.#db = db;
    this.#user = user;
    this.#root = join(folder, 'files', toFolderName(user));
    this.#scratch = join(folder, 'scratch');
  }

  async list(path: string): Promise<readonly FileEntry[]> {
    const entry = await this.#mustExist(path);
    if (!entry.is_directory) throw conflict(`${entry.path} is not a directory.`);
    const names = (await readdir(this.#place(entry.path))).filter(isName).toSorted();
    const paths = names.map((name) => (entry.path === '' ? name : `${entry.path}/${name}`));
    const entries = await Promise.all(paths.map((each) => this.#stat(each)));
    return entries.filter((each) => each !== undefined);
  }

  async read(path: string): Promise<{ readonly entry: FileEntry; readonly content: Buffer }> {
    const entry = await this.#mustExist(path);
    if (entry.is_directory) throw conflict(`${entry.path} is a directory.`);
    return { entry, content: await readFile(this.#place(entry.path)) };
  }

  async write(path: string, content: Buffer, contentType?: string): Promise<FileEntry> {
    const clean = await this.#target(path);
    if ((await this.#stat(clean))?.is_directory) throw conflict(`${clean} is a directory.`);
    await mkdir(this.#scratch, { recursive: true });
    const scratch = join(this.#scratch, randomUUID());
    await writeFile(scratch, content, { flush: true });
    await rename(scratch, this.#place(clean));
    if (contentType !== undefined) {
      const sql = `INSERT INTO file_facts (user, path, content_type) VALUES (:user, :path, :contentType)
        ON CONFLICT DO UPDATE SET content_type = excluded.content_type`;
      this.#db.run(sql, { user: this.#user, path: clean, contentType });
    }
    return this.#mustExist(clean);
  }

  async makeDirectory(path: string): Promise<boolean> {
    const clean = await this.#target(path);
    const before = await this.#stat(clean);
    if (before !== undefined && !before.is_directory) throw conflict(`${clean} is a file.`);
    if (before !== undefined) return false;
    // Whatever else makes the same directory meanwhile: it is there, as asked.
    return (await mkdir(this.#place(clean), { recursive: true })) !== undefined;
  }

  async remove(path: string): Promise<boolean> {
    const clean = toPath(path);
    if (clean === '') throw invalid('/path', 'The root of the account cannot be deleted.');
    if ((await this.#stat(clean)) === undefined) return false;
    // Shares end before the file does: none may open what is written to the path later.
    for (const table of ['shares', 'file_facts']) {
      this.#db.run(`DELETE FROM ${table} WHERE ${UNDER}`, { user: this.#user, path: clean });
    }
    await rm(this.#place(clean), { recursive: true });
    return true;
  }

  async move(transfer: Transfer): Promise<void> {
    const [source, destination] = await this.#prepare(transfer);
    await rename(this.#place(source), this.#place(destination));
    for (const table of ['shares', 'file_facts']) {
      this.#db.run(
        `UPDATE OR REPLACE ${table} SET path = :destination || substr(path, length(:path) + 1) WHERE ${UNDER}`,
        { user: this.#user, path: source, destination },
      );
    }
  }

  async copy(transfer: Transfer): Promise<void> {
    const [source, destination] = await this.#prepare(transfer);
    await cp(this.#place(source), this.#place(destination), { recursive: true });
  }

  async find(query: FileQuery): Promise<readonly FileEntry[]> {
    const hits: FileEntry[] = [];
    const rest = [toPath(query.scope)];
    for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
      for (const entry of await this.list(next)) {
        if (matchesQuery(entry, query)) hits.push(entry);
        if (entry.is_directory) rest.push(entry.path);
      }
    }
    return hits.toSorted((a, b) => (a.path < b.path ? -1 : 1)).slice(0, query.limit);
  }

  setFavorite(path: string): void {
    const sql = `INSERT INTO file_facts (user, path, favorite) VALUES (:user, :path, 1)
      ON CONFLICT DO UPDATE SET favorite = 1`;
    this.#db.run(sql, { user: this.#user, path });
  }

  /** Both paths, with the destination free. */
  async #prepare({ source, destination, overwrite }: Transfer): Promise<[string, string]> {
    const from = (await this.#mustExist(source)).path;
    const to = await this.#target(destination);
    if (from === '' || to === from || to.startsWith(`${from}/`)) {
      throw conflict('Something cannot be moved or copied onto or into itself.');
    }
    if ((await this.#stat(to)) !== undefined) {
      if (!overwrite)
        throw conflict(`${to} exists, and overwrite is not set. Nothing was changed.`);
      await this.remove(to);
    }
    return [from, to];
  }

  /** A path that can be written to: not the root, and in a directory that exists. */
  async #target(path: string): Promise<string> {
    const segments = toSegments(path);
    if (segments.length === 0) throw invalid('/path', 'The path is empty.');
    const parent = segments.slice(0, -1).join('/');
    const entry = await this.#stat(parent);
    if (entry?.is_directory !== true) throw conflict(`There is no directory "${parent}".`);
    return segments.join('/');
  }

  async #mustExist(path: string): Promise<FileEntry> {
    const clean = toPath(path);
    return found(await this.#stat(clean), 'file or directory', clean);
  }

  async #stat(path: string): Promise<FileEntry | undefined> {
    await mkdir(this.#root, { recursive: true });
    const stats = await this.#inspect(path);
    if (stats === undefined) return undefined;
    const isDirectory = stats.isDirectory();
    const facts = this.#db.get(
      'SELECT content_type, favorite FROM file_facts WHERE user = :user AND path = :path',
      { user: this.#user, path },
    );
    const stated = facts?.['content_type'];
    const guessed = isDirectory ? DIRECTORY_TYPE : getMimeType(path, TYPES);
    return Object.freeze({
      path,
      name: nameOf(path),
      is_directory: isDirectory,
      size: isDirectory ? 0 : Number(stats.size),
      content_type:
        typeof stated === 'string'
          ? stated
          : (guessed ?? 'application/octet-stream').split(';')[0]!,
      last_modified: stats.mtime.toISOString(),
      etag: toEtag(String(stats.ino), String(stats.mtimeNs), String(stats.size)),
      is_favorite: facts?.['favorite'] === 1,
    });
  }

  /** Links could lead out of the account, so nothing behind one exists here. */
  async #inspect(path: string): Promise<BigIntStats | undefined> {
    let place = this.#root;
    let stats = await lstat(place, { bigint: true });
    for (const segment of toSegments(path)) {
      place = join(place, segment);
      try {
        stats = await lstat(place, { bigint: true });
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
        throw error;
      }
      if (stats.isSymbolicLink()) return undefined;
    }
    return stats;
  }

  #place(path: string): string {
    return join(this.#root, ...toSegments(path));
  }
}

/** One name for every id, and never one that means another folder. */
function toFolderName(user: string): string {
  const encoded = encodeURIComponent(user);
  return /^\.*$/.test(encoded) ? `%${encoded.replaceAll('.', '2E')}` : encoded;
}

/** A path and everything under it. */
const UNDER = `user = :user AND (path = :path OR substr(path, 1, length(:path) + 1) = :path || '/')`;
