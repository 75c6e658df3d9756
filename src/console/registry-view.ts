/** The gates of a ledger as the console shows them: read again before each page, at most every second. */
import type { Policy } from '../gate/policy/policy.ts';
import type { RegisteredServer, Registry } from '../gate/registry.ts';
import { readRegistry } from '../gate/registry.ts';
import { isOwnLock } from '../gate/tools/lock.ts';
import type { Pins } from '../gate/tools/pins.ts';
import type { Store } from '../ledger/store.ts';
import type { ServerView } from './console-services.ts';
import { RegistryPins } from './registry-pins.ts';

interface RegistryView {
  readonly servers: () => readonly ServerView[];
  readonly pins: Pins;
  readonly policy: () => Policy | undefined;
  readonly refresh: () => Promise<void>;
}

const FRESH_MS = 1000;

export function openRegistryView(store: Store): RegistryView {
  let known: Registry = { servers: [] };
  let readAt = Number.NEGATIVE_INFINITY;
  const servers = (): readonly ServerView[] => known.servers;
  return {
    servers,
    pins: new RegistryPins(servers),
    policy: () => known.policy,
    refresh: async () => {
      if (Date.now() - readAt < FRESH_MS) return;
      const { servers: seen, ...rest } = await readRegistry(store);
      known = { ...rest, servers: seen.map((server) => withLock(server, store)) };
      readAt = Date.now();
    },
  };
}

/**
 * The ledger says where a gate reads its pins. Only the user's own locks are written: another path may lead
 * anywhere, and in a database that machines share, to a file that the gate does not see.
 */
function withLock({ lock, ...server }: RegisteredServer, { kind }: Store): ServerView {
  return lock !== undefined && kind === 'sqlite' && isOwnLock(lock) ? { ...server, lock } : server;
}
