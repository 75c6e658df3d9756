/**
 * Applies the claim machine to a store: every move is one conditional write, and a commit whose
 * outcome is unknown is looked up before anything is done on its strength.
 */
import type { LedgerKeys } from '../keys.ts';
import type { Store, Tx } from '../store.ts';
import { CommitUnknownError } from '../store.ts';
import type { ClaimRow } from '../tables.ts';
import type { ClaimRules, HeldClaim } from './claim.ts';
import { CLAIM_RULES, toClaim, toHeld } from './claim.ts';
import { claimMachine } from './claim-machine.ts';
import type { Arriving, Asking, Standing, Write } from './moves.ts';
import { newOwner } from './worker.ts';

export interface ClaimRequest extends Asking {
  readonly rules?: Partial<ClaimRules>;
}

export type Admission =
  | { readonly kind: 'held'; readonly held: HeldClaim; readonly rules: ClaimRules }
  | { readonly kind: 'standing'; readonly standing: Standing };

/** What becomes of a held claim; `lost` means that it is somebody else's by now. */
export type ClaimEnd = Settlement['kind'] | 'lost';

/** How a held claim ends. `doubt` and `release` leave no answer behind. */
export interface Settlement {
  readonly held: HeldClaim;
  readonly rules: ClaimRules;
  readonly kind: 'succeeded' | 'failed' | 'doubt' | 'release';
  /** The answer to be replayed, as JSON. */
  readonly outcome: string;
}

export interface Claims {
  /** Takes the claim, or tells how it stands. */
  admit(request: ClaimRequest): Promise<Admission>;
  /**
   * Takes the claim and makes the intent durable in one transaction, together with whatever else must
   * happen exactly then. What `alongside` throws undoes all of it.
   */
  begin(
    request: ClaimRequest,
    alongside: (tx: Tx, held: HeldClaim) => Promise<void>,
  ): Promise<Admission>;
  /** Makes the intent durable; `false` means that somebody else holds the claim now. */
  dispatch(held: HeldClaim, rules: ClaimRules): Promise<boolean>;
  /** Keeps the lease alive while the work goes on. */
  extend(held: HeldClaim, rules: ClaimRules): Promise<boolean>;
  settle(tx: Tx, settlement: Settlement): Promise<boolean>;
  /** Whether the claim was settled by this holder, for when a commit did not say. */
  isSettled(held: HeldClaim): Promise<boolean>;
  /** The whole of a local effect: the work and the settling in one transaction. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

/** Somebody else holds the claim by now; what was to be done under it must not be. */
export class ClaimLostError extends Error {
  override readonly name = 'ClaimLostError';
}

/** Losing a race means that the row has changed; a few looks are always enough. */
const MOST_TRIES = 10;

export function openClaims(
  store: Store,
  keys: LedgerKeys,
  usual: Partial<ClaimRules> = {},
): Claims {
  async function take(
    request: ClaimRequest,
    go: (tx: Tx, admission: Admission, now: number) => Promise<void>,
  ): Promise<Admission> {
    const rules = { ...CLAIM_RULES, ...usual, ...request.rules };
    const owner = newOwner();
    const downstreamKey = keys.downstreamKey(request.id);
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const admitted = await certain(() =>
        store.transaction(async (tx) => {
          const now = await tx.now();
          const admission = await admitOnce(tx, { ...request, downstreamKey, owner, now }, rules);
          // What was admitted in a commit that did not say so has gone on then already.
          if (admission !== undefined && !admission.isOurs) await go(tx, admission.admission, now);
          return admission?.admission;
        }),
      );
      if (admitted !== undefined) return admitted;
    }
    return { kind: 'standing', standing: { kind: 'in-flight', retryAfterMs: 1000 } };
  }

  const admit = (request: ClaimRequest): Promise<Admission> => take(request, async () => {});

  const begin: Claims['begin'] = (request, alongside) =>
    take(request, async (tx, admission, now) => {
      if (admission.kind === 'standing') return;
      const { held, rules } = admission;
      if (!held.isResend && !(await apply(tx, claimMachine.dispatch(held, now, rules)))) {
        throw new ClaimLostError(`claim ${held.id} was taken over`);
      }
      await alongside(tx, held);
    });

  /** Looking changes nothing, so a look whose commit did not say so is simply taken again. */
  async function look(id: string): Promise<ClaimRow | undefined> {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const seen = await certain(async () => ({
        row: await store.transaction((tx) => tx.find('claims', { id })),
      }));
      if (seen !== undefined) return seen.row;
    }
    throw new CommitUnknownError('the claim cannot be read');
  }

  return {
    admit,
    begin,
    async dispatch(held, rules) {
      if (held.isResend) return true;
      const write = (tx: Tx) =>
        tx.now().then((now) => apply(tx, claimMachine.dispatch(held, now, rules)));
      const done = await certain(() => store.transaction(write));
      if (done !== undefined) return done;
      const row = await look(held.id);
      return row?.state === 'DISPATCHED' && row.attempt === held.owner && row.fence === held.fence;
    },
    extend: (held, rules) =>
      store.transaction(async (tx) => apply(tx, claimMachine.extend(held, await tx.now(), rules))),
    settle: (tx, settlement) => settleOn(tx, settlement),
    isSettled: async (held) => {
      const row = await look(held.id);
      return row?.state === 'SUCCEEDED' && row.owner === held.owner;
    },
    transaction: (work) => store.transaction(work),
  };
}

/** `undefined` when the row changed under us, so that it must be looked at again. */
async function admitOnce(
  tx: Tx,
  arriving: Arriving,
  rules: ClaimRules,
): Promise<{ readonly admission: Admission; readonly isOurs: boolean } | undefined> {
  const row = await tx.find('claims', { id: arriving.id });
  const claim = row === undefined ? undefined : toClaim(row);
  if (claim?.owner === arriving.owner) {
    // A commit of ours that did not say so: the claim is already held.
    const held = toHeld(claim, claim.state === 'DISPATCHED');
    return { admission: { kind: 'held', held, rules }, isOurs: true };
  }
  const arrival = claimMachine.arrive(claim, arriving, rules);
  if (arrival.kind === 'standing') return { admission: arrival, isOurs: false };
  if (!(await apply(tx, arrival.write))) return undefined;
  const admission: Admission =
    arrival.kind === 'give-up'
      ? { kind: 'standing', standing: { kind: 'outcome-unknown' } }
      : { kind: 'held', held: arrival.held, rules };
  return { admission, isOurs: false };
}

export async function apply(tx: Tx, write: Write): Promise<boolean> {
  switch (write.kind) {
    case 'insert':
      return tx.insert('claims', write.row);
    case 'change':
      return tx.update('claims', write.expect, write.set);
    case 'remove':
      return tx.remove('claims', write.expect);
  }
}

async function settleOn(tx: Tx, { held, rules, kind, outcome }: Settlement): Promise<boolean> {
  const now = await tx.now();
  switch (kind) {
    case 'release':
      return apply(tx, claimMachine.release(held, now));
    case 'doubt':
      return apply(tx, claimMachine.doubt(held, now));
    case 'failed':
      return apply(tx, claimMachine.settle(held, 'FAILED_FINAL', outcome, now, rules));
    case 'succeeded': {
      if (await apply(tx, claimMachine.settle(held, 'SUCCEEDED', outcome, now, rules))) return true;
      const row = await tx.find('claims', { id: held.id });
      const late = row && claimMachine.late(toClaim(row), held, outcome, now, rules);
      return late === undefined ? false : apply(tx, late);
    }
  }
}

/** `undefined` when the store could not say whether it committed. */
async function certain<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CommitUnknownError) return undefined;
    throw error;
  }
}
