/** What a run of the model is about: who takes part, and which precautions they take. */
import { keyRecordMachine } from '../../src/ledger/idempotency/key-record-machine.ts';
import type { EffectClass, KeyRecordMachine } from '../../src/ledger/idempotency/key-record.ts';
import type { Apply } from './conditional-store.ts';
import { applyWrite } from './conditional-store.ts';

export interface Setting {
  readonly effectClass: EffectClass;
  readonly workers: number;
  readonly machine: KeyRecordMachine;
  readonly store: Apply;
  /** A commit that nobody heard of may come through at any later time. */
  readonly hasStragglers: boolean;
  /** Nothing is sent before the intent is durable. */
  readonly sendsAfterIntent: boolean;
  /**
   * `by-key`: a dedup partner keeps a refusal as the key's answer. `at-the-door`: it refuses single
   * requests without looking at the key, as for a revoked token, even where an earlier one was done.
   */
  readonly refusals: 'by-key' | 'at-the-door';
  /** A refusal of a resend settles only where it is the key's answer. */
  readonly doubtsRefusedResend: boolean;
  /** Whoever sends has sent, and been heard, before the partner forgets what is younger. */
  readonly sendsInTime: boolean;
  /** What the keeper knows when it says that the sender is dead. */
  readonly proofOfDeath: ProofOfDeath;
  /** The keeper looks at the sender and the clock before it asks the partner. */
  readonly looksBeforeAsking: boolean;
}

/**
 * Of the attempt that the row names:
 * - `for-a-window`: it has been gone for the settle window.
 * - `just-now`: it is gone.
 * - `none`: nobody has looked.
 */
type ProofOfDeath = 'for-a-window' | 'just-now' | 'none';

export function settingOf(effectClass: EffectClass, changes: Partial<Setting> = {}): Setting {
  return {
    effectClass,
    workers: 3,
    machine: keyRecordMachine,
    store: applyWrite,
    hasStragglers: false,
    sendsAfterIntent: true,
    refusals: 'at-the-door',
    doubtsRefusedResend: true,
    sendsInTime: true,
    proofOfDeath: 'for-a-window',
    looksBeforeAsking: true,
    ...changes,
  };
}
