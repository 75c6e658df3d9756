/**
 * The verbs an operation can perform, and what each verb declares by default. A declaration may
 * override any of these facts; the verb only sets the defaults.
 */
import type { Repeat } from './repeat.ts';
import { repeat } from './repeat.ts';
import type { Tier } from './tier.ts';

export type Act =
  | 'read'
  | 'compute'
  | 'create'
  | 'append'
  | 'update'
  | 'put'
  | 'set'
  | 'move'
  | 'archive'
  | 'delete'
  | 'revoke'
  | 'cancel'
  | 'spend'
  | 'refund'
  | 'share'
  | 'deliver'
  | 'provision';

/** What the act does to state that was there before it. */
export type Change = 'nothing' | 'adds' | 'alters' | 'removes';

export interface ActTraits {
  readonly tier: Tier;
  readonly change: Change;
  readonly repeat: Repeat;
  /** Earlier content is replaced and lost. */
  readonly overwrites: boolean;
  /** Another operation can restore the earlier state. */
  readonly reversible: boolean;
}

const plain = { tier: 'compute', overwrites: false, reversible: true } as const;

export const ACTS: Readonly<Record<Act, ActTraits>> = Object.freeze({
  read: { ...plain, tier: 'read', change: 'nothing', repeat: repeat('same') },
  compute: { ...plain, change: 'adds', repeat: repeat('fresh') },
  create: { ...plain, change: 'adds', repeat: repeat('fresh') },
  append: { ...plain, change: 'adds', repeat: repeat('fresh') },
  update: { ...plain, change: 'alters', repeat: repeat('same'), overwrites: true },
  put: { ...plain, change: 'alters', repeat: repeat('same'), overwrites: true },
  set: { ...plain, change: 'alters', repeat: repeat('same') },
  move: { ...plain, change: 'alters', repeat: repeat('fresh') },
  archive: { ...plain, change: 'alters', repeat: repeat('same') },
  delete: {
    ...plain,
    tier: 'destructive',
    change: 'removes',
    repeat: repeat('end-state'),
    reversible: false,
  },
  revoke: {
    ...plain,
    tier: 'destructive',
    change: 'removes',
    repeat: repeat('end-state'),
    reversible: false,
  },
  cancel: {
    ...plain,
    tier: 'destructive',
    change: 'removes',
    repeat: repeat('end-state'),
    reversible: false,
  },
  spend: {
    ...plain,
    tier: 'external_spend',
    change: 'alters',
    repeat: repeat('key-required'),
    reversible: false,
  },
  refund: {
    ...plain,
    tier: 'external_spend',
    change: 'alters',
    repeat: repeat('key-required'),
    reversible: false,
  },
  share: { ...plain, tier: 'share_export', change: 'adds', repeat: repeat('fresh') },
  deliver: { ...plain, change: 'adds', repeat: repeat('fresh'), reversible: false },
  provision: { ...plain, change: 'adds', repeat: repeat('fresh') },
});
