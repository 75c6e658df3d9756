/** The claim machine with one guard taken out, each as somebody might leave it out. */
import { claimMachine } from '../../src/ledger/claims/claim-machine.ts';
import type { Claim } from '../../src/ledger/claims/claim.ts';
import type { ClaimMachine, Write } from '../../src/ledger/claims/moves.ts';

export const BROKEN = Object.freeze({
  dispatchUnfenced: machine({
    dispatch: (...args) => blind(claimMachine.dispatch(...args), 'fence', 'owner'),
  }),
  dispatchFromAnyState: machine({
    dispatch: (...args) => blind(claimMachine.dispatch(...args), 'state', 'fence', 'owner'),
  }),
  rerunsExpired: machine({
    arrive: (claim, arriving, rules) =>
      claimMachine.arrive(claim && { ...claim, effect_class: 'dedup' }, arriving, rules),
  }),
  forgetsOnError: machine({ doubt: removeMine }),
  trustsNotFoundAtOnce: machine({
    reconcile: (claim, verdict, now, rules) =>
      claimMachine.reconcile(claim, verdict, now, { ...rules, settleMs: 0 }),
  }),
  trustsNotFoundOfMany: machine({
    reconcile: (claim, verdict, now, rules) =>
      claimMachine.reconcile({ ...claim, effect_class: 'lookup' }, verdict, now, rules),
  }),
  settlesUnfenced: machine({
    settle: (...args) => blind(claimMachine.settle(...args), 'fence', 'owner'),
  }),
  settlesFromAnyState: machine({
    settle: (...args) => blind(claimMachine.settle(...args), 'state', 'fence', 'owner'),
  }),
  knowsNoOwner: machine({
    dispatch: (...args) => blind(claimMachine.dispatch(...args), 'owner'),
    extend: (...args) => blind(claimMachine.extend(...args), 'owner'),
    settle: (...args) => blind(claimMachine.settle(...args), 'owner'),
    release: (...args) => blind(claimMachine.release(...args), 'owner'),
    doubt: (...args) => blind(claimMachine.doubt(...args), 'owner'),
  }),
  releasesAnything: machine({ release: removeMine }),
  keepsFenceAtUnknown: machine({
    sweep: (claim, now, rules) => sameFence(claim, claimMachine.sweep(claim, now, rules)),
  }),
  resendsForever: machine({
    arrive: (claim, arriving, rules) =>
      claimMachine.arrive(claim, arriving, { ...rules, downstreamMs: Infinity }),
    sweep: (claim, now, rules) =>
      claimMachine.sweep(claim, now, { ...rules, downstreamMs: Infinity }),
  }),
  amendsAnything: machine({
    late: (claim, ...rest) => {
      const write = claimMachine.late({ ...claim, state: 'UNKNOWN' }, ...rest);
      return write && blind(write, 'state');
    },
  }),
});

function machine(changes: Partial<ClaimMachine>): ClaimMachine {
  return { ...claimMachine, ...changes };
}

/** The same write, with less looked at. */
function blind(write: Write, ...names: (keyof Claim)[]): Write {
  if (write.kind === 'insert') return write;
  const expect = Object.entries(write.expect).filter(
    ([name]) => !names.includes(name as keyof Claim),
  );
  return { ...write, expect: Object.fromEntries(expect) };
}

function removeMine({ id, fence, owner }: { id: string; fence: number; owner: string }): Write {
  return { kind: 'remove', expect: { id, fence, owner } };
}

function sameFence({ fence }: Claim, write: Write | undefined): Write | undefined {
  return write?.kind === 'change' ? { ...write, set: { ...write.set, fence } } : write;
}
