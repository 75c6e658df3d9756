/**
 * The gates of a ledger as the console shows them: read again before each page, at most every second. `areHere`: they run
 * on this machine, so that their locks are files of this machine.
 */
import { existsSync } from 'node:fs';
import type { Policy } from '../gate/policy/policy.ts';
import type { RegisteredServer } from '../gate/registry.ts';
import { readRegistry } from '../gate/registry.ts';
import { isOwnLock } from '../gate/tools/lock.ts';
import type { Store } from '../ledger/store.ts';
import type { ServerView } from './console-services.ts';

interface RegistryView {
  readonly servers: () => readonly ServerView[];
  readonly alike: (name: string) => readonly ServerView[];
  readonly policy: () => Policy | undefined;
  readonly refresh: () => Promise<void>;
}

const FRESH_MS = 1000;

export function openRegistryView(store: Store, areHere: boolean): RegistryView {
  let servers: readonly ServerView[] = [];
  let all: readonly ServerView[] = [];
  let policy: Policy | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  return {
    servers: () => servers,
    alike: (name) => all.filter((server) => server.name === name),
    policy: () => policy,
    refresh: async () => {
      if (Date.now() - readAt < FRESH_MS) return;
      const read = await readRegistry(store);
      servers = read.servers.map((server) => withLock(server, areHere));
      all = read.all.map((server) => withLock(server, areHere));
      ({ policy } = read);
      readAt = Date.now();
    },
  };
}

/** The ledger names the file, and this console would write it: one of the user's own locks, or one that is there already. */
function withLock({ lock, ...server }: RegisteredServer, areHere: boolean): ServerView {
  if (lock === undefined) return server;
  const isOurs = areHere && (isOwnLock(lock) || existsSync(lock));
  return isOurs ? { ...server, lock } : { ...server, lockElsewhere: lock };
}
