/**
 * What time does to claims, while a server runs: abandoned ones become unknown, old answers are
 * dropped, and operations that can find out are asked about what is unknown.
 */
import type { Downstream } from '../effect/downstream.ts';
import type { Claim, ClaimRules } from '../ledger/claims/claim.ts';
import { CLAIM_RULES } from '../ledger/claims/claim.ts';
import type { Verdict } from '../ledger/claims/moves.ts';
import { reconcileClaims } from '../ledger/claims/reconcile-claims.ts';
import { sweepClaims } from '../ledger/claims/sweep-claims.ts';
import { isProvenDead } from '../ledger/claims/worker.ts';
import type { Store } from '../ledger/store.ts';
import { toProblem } from '../lib/problem.ts';
import type { PlimsollServer } from './create-server.ts';

const EVERY_MS = 5000;

export function openSweeper(server: PlimsollServer, everyMs: number = EVERY_MS): AsyncDisposable {
  const { store } = server;
  if (store === undefined) return { [Symbol.asyncDispose]: async () => {} };
  let running: Promise<void> = Promise.resolve();
  const mourned: Mourned = new Map();
  const timer = setInterval(() => {
    running = running
      .then(() => sweepOnce(server, store, mourned))
      .catch((error: unknown) => server.report('claims could not be swept', error));
  }, everyMs);
  timer.unref();
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

/** When each sender was first seen dead, by the store's clock. After a restart the wait begins anew. */
type Mourned = Map<string, number>;

async function sweepOnce(server: PlimsollServer, store: Store, mourned: Mourned): Promise<void> {
  await sweepClaims(store);
  const downstreamOf = (claim: Claim): Downstream | undefined =>
    server.operations.get(claim.operation)?.downstream;
  await reconcileClaims(
    store,
    (claim) => toRules(downstreamOf(claim)),
    (claim, { settleMs }, now) => {
      // Before the partner is asked: what it does not know then, it can no longer get from there.
      const senderIsDead = hasLongBeenDead(claim.attempt, settleMs, now, mourned);
      return ask(claim, downstreamOf(claim), senderIsDead);
    },
  );
}

function hasLongBeenDead(sender: string, settleMs: number, now: number, mourned: Mourned): boolean {
  if (!isProvenDead(sender)) return false;
  const since = mourned.get(sender) ?? now;
  mourned.set(sender, since);
  return now - since >= settleMs;
}

/** Only operations with a hook are asked about. */
function toRules(downstream: Downstream | undefined): ClaimRules | undefined {
  if (downstream?.reconcile === undefined) return undefined;
  const { settleSeconds } = downstream;
  return { ...CLAIM_RULES, ...(settleSeconds !== undefined && { settleMs: settleSeconds * 1000 }) };
}

async function ask(
  claim: Claim,
  downstream: Downstream | undefined,
  senderIsDead: boolean,
): Promise<Verdict> {
  const discovery = await downstream?.reconcile?.({
    operation: claim.operation,
    tenant: claim.tenant,
    principal: claim.principal,
    key: claim.downstream_key,
    dispatchedAt: new Date(claim.dispatched_at),
  });
  switch (discovery?.kind) {
    case 'executed':
      return {
        kind: 'executed',
        outcome: JSON.stringify({ kind: 'success', value: discovery.value }),
      };
    case 'cancelled':
    case 'not-found': {
      const problem = toProblem(
        'not-executed',
        `${claim.operation} did not happen under this key.`,
      );
      return {
        kind: 'not-executed',
        outcome: JSON.stringify({ kind: 'failure', problem }),
        proof: discovery.kind,
        senderIsDead,
      };
    }
    case 'cannot-tell':
    case undefined:
      return { kind: 'cannot-tell' };
  }
}
