/** What can be done to a claim, as data: arrivals, writes, standings and verdicts. */
import type { Claim, ClaimRules, EffectClass, HeldClaim } from './claim.ts';

export type Write =
  | { readonly kind: 'insert'; readonly row: Claim }
  | { readonly kind: 'change'; readonly expect: Partial<Claim>; readonly set: Partial<Claim> }
  | { readonly kind: 'remove'; readonly expect: Partial<Claim> };

/** What a caller is told when its call does not run. */
export type Standing =
  | { readonly kind: 'replay'; readonly outcome: string }
  | { readonly kind: 'key-reused' }
  | { readonly kind: 'in-flight'; readonly retryAfterMs: number }
  | { readonly kind: 'outcome-unknown' }
  | { readonly kind: 'key-expired' };

export type Arrival =
  /** Nothing was attempted yet: take it, then dispatch. */
  | { readonly kind: 'claim'; readonly write: Write; readonly held: HeldClaim }
  /** It may have been attempted, and the partner dedups: send again under the same key. */
  | { readonly kind: 'resend'; readonly write: Write; readonly held: HeldClaim }
  /** It may have been attempted, and nobody can tell: say so, for good. */
  | { readonly kind: 'give-up'; readonly write: Write }
  | { readonly kind: 'standing'; readonly standing: Standing };

/** A call that asks for its claim. */
export interface Asking {
  readonly id: string;
  readonly tenant: string;
  readonly principal: string;
  readonly operation: string;
  readonly keyHint: string;
  readonly fingerprint: string;
  readonly effectClass: EffectClass;
}

export interface Arriving extends Asking {
  readonly downstreamKey: string;
  /** Unique to this arrival, so that an old owner never passes for a new one. */
  readonly owner: string;
  readonly now: number;
}

export interface ClaimMachine {
  readonly arrive: (claim: Claim | undefined, arriving: Arriving, rules: ClaimRules) => Arrival;
  /** The intent, made durable before the first byte goes out. */
  readonly dispatch: (held: HeldClaim, now: number, rules: ClaimRules) => Write;
  readonly extend: (held: HeldClaim, now: number, rules: ClaimRules) => Write;
  readonly settle: (
    held: HeldClaim,
    state: 'SUCCEEDED' | 'FAILED_FINAL',
    outcome: string,
    now: number,
    rules: ClaimRules,
  ) => Write;
  /** It is certain that this attempt sent nothing. */
  readonly release: (held: HeldClaim, now: number) => Write;
  /** This attempt may or may not have had its effect. */
  readonly doubt: (held: HeldClaim, now: number) => Write;
  /** The answer of an attempt that had been given up. */
  readonly late: (
    claim: Claim,
    held: HeldClaim,
    outcome: string,
    now: number,
    rules: ClaimRules,
  ) => Write | undefined;
  /** What time alone does to a claim. */
  readonly sweep: (claim: Claim, now: number, rules: ClaimRules) => Write | undefined;
  readonly reconcile: (
    claim: Claim,
    verdict: Verdict,
    now: number,
    rules: ClaimRules,
  ) => Write | undefined;
}

/** What is known of an UNKNOWN claim afterwards. */
export type Verdict =
  | { readonly kind: 'executed'; readonly outcome: string }
  | {
      readonly kind: 'not-executed';
      readonly outcome: string;
      /** `cancelled`: the partner promised never to do it. `not-found`: it was only looked for. */
      readonly proof: 'cancelled' | 'not-found';
      /**
       * Whoever sent it had been gone for the whole settle window when the partner was asked, so that
       * nothing can still have been under way from there.
       */
      readonly senderIsDead: boolean;
    }
  | { readonly kind: 'cannot-tell' };
