/**
 * The OAuth tokens that the gate holds for servers behind it, by server URL, in one private file that
 * all processes of a user share. Nothing here prints; the clients of the gate never see a token.
 */
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { StoredOAuthClientInformation, StoredOAuthTokens } from '@modelcontextprotocol/client';
import type { JsonValue } from '../../lib/json-value.ts';
import { parseStrictJson } from '../../lib/strict-json.ts';
import type { Environment } from '../config/environment.ts';
import { withFileLock } from './file-lock.ts';
import {
  checkPrivateFile,
  makePrivateFolder,
  readPrivateFile,
  writePrivateFile,
} from './private-file.ts';
import { TokenFileError } from './token-file-error.ts';

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
   * Changes what is kept for one server while no other process can: the work is told what is there
   * and gives what is to be there: the same to leave it alone, `undefined` to forget the server.
   */
  update(
    serverUrl: string,
    work: (before: ServerTokens) => Promise<ServerTokens | undefined> | ServerTokens | undefined,
  ): Promise<ServerTokens | undefined>;
}

export function tokenFile(environment: Environment): string {
  const state = environment['XDG_STATE_HOME'];
  const home = environment['HOME'] ?? homedir();
  return join(state || join(home, '.local', 'state'), 'plimsoll', 'tokens.json');
}

type Servers = ReadonlyMap<string, ServerTokens>;

export function openTokenStore(file: string): TokenStore {
  let seen: { readonly mark: string; readonly servers: Servers } | undefined;

  const load = async (): Promise<Servers> => {
    const stats = await checkPrivateFile(file);
    if (stats === undefined) return new Map();
    // A write makes a new file, so its number tells that nothing changed.
    const mark = `${stats.ino} ${stats.mtimeMs} ${stats.size}`;
    if (seen?.mark !== mark) {
      seen = { mark, servers: toServers((await readPrivateFile(file)) ?? '{}', file) };
    }
    return seen.servers;
  };

  return {
    file,
    read: async (serverUrl) => (await load()).get(keyOf(serverUrl)),
    update: async (serverUrl, work) => {
      await makePrivateFolder(dirname(file));
      return await withFileLock(file, async () => {
        const key = keyOf(serverUrl);
        const servers = new Map(await load());
        const before = servers.get(key) ?? {};
        const after = await work(before);
        if (after === before) return after;
        if (after === undefined) servers.delete(key);
        else servers.set(key, after);
        await writePrivateFile(file, `${JSON.stringify(Object.fromEntries(servers), null, 2)}\n`);
        return after;
      });
    },
  };
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
