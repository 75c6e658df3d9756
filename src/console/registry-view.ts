/**
 * The gates of a ledger as the console shows them: read again before each page, at most every second. `areHere`: they run
 * on this machine, so that their locks are files of this machine.
 */
import type { Policy } from '../gate/policy/policy.ts';
import type { RegisteredServer } from '../gate/registry.ts';
import { readRegistry } from '../gate/registry.ts';
import type { Store } from '../ledger/store.ts';
import type { ServerView } from './console-services.ts';

interface RegistryView {
  readonly servers: () => readonly ServerView[];
  readonly policy: () => Policy | undefined;
  readonly refresh: () => Promise<void>;
}

const FRESH_MS = 1000;

export function openRegistryView(store: Store, areHere: boolean): RegistryView {
  let servers: readonly ServerView[] = [];
  let policy: Policy | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  return {
    servers: () => servers,
    policy: () => policy,
    refresh: async () => {
      if (Date.now() - readAt < FRESH_MS) return;
      const read = await readRegistry(store);
      servers = areHere ? read.servers : read.servers.map(withoutLock);
      ({ policy } = read);
      readAt = Date.now();
    },
  };
}

function withoutLock(server: RegisteredServer): ServerView {
  return { ...server, lock: undefined };
}
