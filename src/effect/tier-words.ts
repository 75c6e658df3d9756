/** How sentences for people speak of calls and tools of each tier. */
import type { Tier } from './tier.ts';

interface TierWords {
  /** After "every". */
  readonly call: string;
  /** Likewise, where it is not certain. */
  readonly possibleCall: string;
  /** After "marked as" or "pinned as". */
  readonly as: string;
}

export const TIER_WORDS: Readonly<Record<Tier, TierWords>> = Object.freeze({
  read: {
    call: 'call that only reads',
    possibleCall: 'call that may only read',
    as: 'read-only',
  },
  compute: {
    call: 'call that changes something',
    possibleCall: 'call that may change something',
    as: 'an ordinary change',
  },
  share_export: {
    call: 'call that shares data',
    possibleCall: 'call that may share data',
    as: 'sharing data',
  },
  external_spend: {
    call: 'call that spends money',
    possibleCall: 'call that may spend money',
    as: 'spending money',
  },
  destructive: {
    call: 'destructive call',
    possibleCall: 'call that may be destructive',
    as: 'destructive',
  },
});
