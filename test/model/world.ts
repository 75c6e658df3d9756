/**
 * One moment of the model: the row, the workers, the partner and the keeper. Plain data, never
 * changed in place. Time is no number here: a row's times are either near or past, seen from NOW.
 */
import type {
  KeyRecord,
  KeyRules,
  EffectClass,
  HeldKey,
  Arrival,
  Write,
} from '../../src/ledger/idempotency/key-record.ts';

export interface World {
  readonly row: KeyRecord | undefined;
  readonly workers: readonly Worker[];
  readonly partner: Partner;
  readonly keeper: Keeper;
}

/** One call under the key; its name is the owner that the row will carry. */
export interface Worker {
  readonly name: string;
  readonly phase: Phase;
  /** What became of the one request it may send. */
  readonly request: 'none' | 'flying' | 'done' | 'refused';
  /** The row has durably said DISPATCHED with this worker's attempt, and it may still send. */
  readonly intends: boolean;
  /** A write that the store may still come to. */
  readonly straggler: Straggler | undefined;
}

interface Straggler {
  readonly write: Write;
  readonly hasEffect: boolean;
}

export type Phase =
  /** `gone`: will never act again, and nothing of it is under way. `dead`: something may be. */
  | { readonly kind: 'idle' | 'gone' | 'dead' }
  | { readonly kind: 'arriving'; readonly arrival: Taking }
  | { readonly kind: 'amending'; readonly held: HeldKey; readonly write: Write }
  | { readonly kind: HoldingKind; readonly held: HeldKey };

type HoldingKind =
  | 'holding'
  /** A commit did not say whether it happened. */
  | 'unsure'
  | 'releasing'
  /** The intent is durable; the next thing is to send. */
  | 'ready'
  | 'waiting'
  | 'succeeded'
  | 'refused'
  | 'doubting'
  | 'doubted'
  /** It has an answer for a key record that is no longer its own. */
  | 'late';

export type Taking = Exclude<Arrival, { readonly kind: 'standing' }>;

export interface Partner {
  /** How often the effect happened; two stands for many. */
  readonly effects: 0 | 1 | 2;
  /** What a dedup partner knows of the key. */
  readonly memory: 'none' | 'done' | 'refused';
  readonly isMemoryOld: boolean;
  /** It has promised never to do it. */
  readonly isCancelled: boolean;
}

/** Sweeps and reconciles, one thing at a time. */
export type Keeper =
  | { readonly kind: 'idle' }
  | { readonly kind: 'writing'; readonly write: Write }
  | { readonly kind: 'asking'; readonly keyRecord: KeyRecord; readonly senderIsDead: boolean }
  | { readonly kind: 'told'; readonly wasFound: boolean };

export const NOW = 1_000_000;

export const RULES: KeyRules = Object.freeze({
  leaseMs: 1,
  settleMs: 10,
  partnerMs: 100,
  replayMs: 1000,
});

export const GONE: Phase = Object.freeze({ kind: 'gone' });
export const IDLE: Phase = Object.freeze({ kind: 'idle' });

export function toGone(worker: Worker): Worker {
  return { ...worker, phase: GONE, request: 'none', intends: false };
}

const NAMES = ['A', 'B', 'C'] as const;

export function initialWorld(workers: number): World {
  return {
    row: undefined,
    workers: NAMES.slice(0, workers).map((name) => ({
      name,
      phase: IDLE,
      request: 'none',
      intends: false,
      straggler: undefined,
    })),
    partner: { effects: 0, memory: 'none', isMemoryOld: false, isCancelled: false },
    keeper: { kind: 'idle' },
  };
}

export function arrivingOf(owner: string, effectClass: EffectClass) {
  const fixed = { id: 'k', tenant: '', principal: '', operation: '', keyHint: '' };
  return { ...fixed, fingerprint: 'f', partnerKey: 'd', effectClass, owner, now: NOW };
}

export function withWorker(world: World, worker: Worker): World {
  return {
    ...world,
    workers: world.workers.map((each) => (each.name === worker.name ? worker : each)),
  };
}

/** The row as a write left it; whoever it names as the attempt now has its intent on record. */
export function withRow(world: World, row: KeyRecord | undefined): World {
  if (row === world.row) return world;
  const intender = row?.state === 'DISPATCHED' ? row.attempt : undefined;
  return {
    ...world,
    row,
    workers: world.workers.map((each) =>
      each.name === intender && each.phase.kind !== 'gone' ? { ...each, intends: true } : each,
    ),
  };
}

export function withEffect(world: World): World {
  const { partner } = world;
  return { ...world, partner: { ...partner, effects: partner.effects === 0 ? 1 : 2 } };
}
