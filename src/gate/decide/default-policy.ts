/** What holds when nothing was written: the default rules in live mode. Equal to an empty policy file. */
import { DEFAULT_ASKING } from './asking.ts';
import type { Policy } from './policy.ts';
import { toVersioned } from './to-versioned.ts';

export const DEFAULT_POLICY: Policy = toVersioned({
  mode: 'live',
  rules: [],
  asking: DEFAULT_ASKING,
  headless: 'no',
  budgets: [],
  caches: [],
  servers: {},
  retries: { attempts: 3, baseMs: 100, capMs: 20_000 },
  duplicateMinutes: 10,
});
