/** One rule of a policy, and which calls it speaks of. Plain data, as it was written, with lists made whole. */
import type { Act } from '../../effect/act.ts';
import type { Mode } from '../../effect/effect.ts';
import type { Tier } from '../../effect/tier.ts';
import type { Asking } from './verdict.ts';

export interface Rule {
  readonly name: string;
  /** Absent: every call. */
  readonly match?: Match;
  /** CEL; must hold besides `match`. */
  readonly when?: string;
  readonly then: 'allow' | 'ask' | 'deny';
  /** Shown as it is to whoever is asked or refused. */
  readonly because?: string;
  /** How this rule asks, where it differs from the policy. */
  readonly ask?: Partial<Asking>;
  /** Lets the same spend run again at once without a question. */
  readonly repeats?: 'allow';
}

/** What is given must hold, all of it; of a list, one is enough. `*` stands for any run of characters. */
export interface Match {
  readonly server?: readonly string[];
  readonly tool?: readonly string[];
  readonly tier?: readonly Tier[];
  readonly act?: readonly Act[];
  readonly mode?: Mode;
  /** Of the principal's id. */
  readonly principal?: readonly string[];
}
