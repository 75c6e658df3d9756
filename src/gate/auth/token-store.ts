/**
 * The OAuth tokens that the gate holds for servers behind it, by server URL, in one private file that
 * all processes of a user share. Nothing here prints; the clients of the gate never see a token.
 */
import type { Stats } from 'node:fs';
import { chmod, lstat, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import type { StoredOAuthClientInformation, StoredOAuthTokens } from '@modelcontextprotocol/client';
import type { JsonValue } from '../../lib/json-value.ts';
import { stateFolder } from '../../lib/state-folder.ts';
import { parseStrictJson } from '../../lib/strict-json.ts';
import { writeAtomically } from '../../lib/write-atomically.ts';
import type { Environment } from '../config/environment.ts';

/** The token file cannot be used as it is. Says what to do about it, and nothing of its content. */
class TokenFileError extends Error {
  override readonly name = 'TokenFileError';
}

const HAS_MODES = process.platform !== 'win32';
const PATIENCE_MS = 30_000;
const PAUSE_MS = 25;
const SQLITE_BUSY = 5;
/** As a bearer token is written, RFC 6750, and whatever else is visible ASCII. */
const TOKEN = /^[\x21-\x7e]{1,16384}$/;
/** Ten years: any date can be written. */
const LONGEST_SECONDS = 10 * 365 * 86_400;

/** What is kept for one server. */
export interface ServerTokens {
  readonly client?: StoredOAuthClientInformation;
  readonly tokens?: StoredOAuthTokens;
  /** Seconds since 1970. */
  readonly expiresAt?: number;
  /** Who issued them, and for which resource: refreshing asks nobody else. */
  readonly authorizationServer?: string;
  readonly resource?: string;
}

export interface TokenStore {
  readonly file: string;
  read(serverUrl: string): Promise<ServerTokens | undefined>;
  /**
   * Changes what is kept for one server while no other process can: the work gets what is there and
   * returns what is to be there: the same to change nothing, `undefined` to forget the server.
   */
  update(
    serverUrl: string,
    work: (before: ServerTokens) => Promise<ServerTokens | undefined> | ServerTokens | undefined,
  ): Promise<ServerTokens | undefined>;
}

export function tokenFile(environment: Environment): string {
  return join(stateFolder(environment), 'tokens.json');
}

type Servers = ReadonlyMap<string, ServerTokens>;

export function openTokenStore(file: string): TokenStore {
  let seen: { readonly mark: string; readonly servers: Servers } | undefined;

  const load = async (): Promise<Servers> => {
    const stats = await checkPrivateFile(file);
    if (stats === undefined) return new Map();
    // A write makes a new file, so an old number means that nothing changed.
    const mark = `${stats.ino} ${stats.mtimeMs} ${stats.size}`;
    if (seen?.mark !== mark) {
      const text = await unlessAbsent(readFile(file, 'utf8'));
      if (text === undefined) return new Map();
      seen = { mark, servers: toServers(text, file) };
    }
    return seen.servers;
  };

  return {
    file,
    read: async (serverUrl) => (await load()).get(keyOf(serverUrl)),
    update: async (serverUrl, work) => {
      await makePrivateFolder(dirname(file));
      return await withLock(file, async () => {
        const key = keyOf(serverUrl);
        const servers = new Map(await load());
        const before = servers.get(key) ?? {};
        const after = await work(before);
        if (after === before) return after;
        if (after === undefined) servers.delete(key);
        else servers.set(key, after);
        const text = `${JSON.stringify(Object.fromEntries(servers), null, 2)}\n`;
        await writeAtomically(file, text, 0o600);
        return after;
      });
    },
  };
}

/** Tokens themselves only say for how long they are valid; kept is until when. */
export function toServerTokens(
  tokens: StoredOAuthTokens,
  now: Date,
): Pick<ServerTokens, 'tokens' | 'expiresAt'> {
  if (tokens.token_type.toLowerCase() !== 'bearer') {
    throw new Error('the authorization server gave a token that is not a bearer token');
  }
  if (!TOKEN.test(tokens.access_token)) {
    throw new Error('the authorization server gave a token that no header can hold');
  }
  const { expires_in: life } = tokens;
  const seconds = life === undefined ? undefined : Math.min(Math.max(life, 0), LONGEST_SECONDS);
  const expiresAt = seconds === undefined ? undefined : Math.floor(now.getTime() / 1000) + seconds;
  const kept = seconds === undefined ? tokens : { ...tokens, expires_in: seconds };
  return { tokens: kept, ...(expiresAt !== undefined && { expiresAt }) };
}

function keyOf(serverUrl: string): string {
  const url = new URL(serverUrl);
  url.hash = '';
  return url.href;
}

function toServers(text: string, file: string): Servers {
  const read = parseStrictJson(text);
  const value = read.kind === 'json' ? read.value : undefined;
  if (!isObject(value)) {
    throw new TokenFileError(`${file} is damaged; delete it and run plimsoll login again`);
  }
  // The file is ours alone, and what is in it was checked when it was received.
  return new Map(
    Object.entries(value).filter(([, entry]) => isObject(entry)),
  ) as unknown as Servers;
}

function isObject(value: JsonValue | undefined): value is { readonly [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * One at a time across processes, by a lock of SQLite on a file beside: the system releases it when its
 * holder dies. The file stays, since without it two could hold the lock. Nothing but SQLite may open it:
 * closing it would release the lock.
 */
async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const path = `${file}.lock`;
  const lock = new DatabaseSync(path);
  try {
    await chmod(path, 0o600);
    const start = performance.now();
    while (!take(lock)) {
      if (performance.now() - start > PATIENCE_MS)
        throw new TokenFileError(`${file} is in use by another plimsoll; try again later`);
      await wait(PAUSE_MS);
    }
    return await work();
  } finally {
    lock.close();
  }
}

function take(lock: DatabaseSync): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return false; // as node:sqlite throws
    throw error;
  }
}

/** Throws when others can read or replace it. On Windows the folder of the user protects it. */
async function checkPrivateFile(file: string): Promise<Stats | undefined> {
  const stats = await unlessAbsent(lstat(file));
  if (stats === undefined) return undefined;
  if (!stats.isFile()) throw new TokenFileError(`${file} is not a plain file; move it away`);
  if (!HAS_MODES) return stats;
  if (stats.uid !== process.getuid?.()) {
    throw new TokenFileError(`${file} belongs to another user; move it away`);
  }
  if ((stats.mode & 0o077) !== 0) {
    throw new TokenFileError(`${file} can be read by others; run: chmod 600 ${file}`);
  }
  return stats;
}

async function makePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (!HAS_MODES) return;
  const stats = await unlessAbsent(lstat(folder));
  if (stats !== undefined && (stats.mode & 0o022) !== 0) {
    throw new TokenFileError(`${folder} can be changed by others; run: chmod 700 ${folder}`);
  }
}

/** Anybody may delete the file at any time, also between two looks at it. */
async function unlessAbsent<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
