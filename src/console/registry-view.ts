/** The gates of a ledger as the console shows them: read again before each page, at most every second. */
import type { Policy } from '../gate/policy/policy.ts';
import type { Registry } from '../gate/registry.ts';
import { readRegistry } from '../gate/registry.ts';
import type { Store } from '../ledger/store.ts';
import type { ServerView } from './console-services.ts';

interface RegistryView {
  readonly servers: () => readonly ServerView[];
  readonly policy: () => Policy | undefined;
  readonly refresh: () => Promise<void>;
}

const FRESH_MS = 1000;

export function openRegistryView(store: Store): RegistryView {
  let known: Registry = { servers: [] };
  let readAt = Number.NEGATIVE_INFINITY;
  return {
    servers: () => known.servers,
    policy: () => known.policy,
    refresh: async () => {
      if (Date.now() - readAt < FRESH_MS) return;
      known = await readRegistry(store);
      readAt = Date.now();
    },
  };
}
