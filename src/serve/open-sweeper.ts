/**
 * What time does to key records, while a server runs: abandoned ones become unknown, old answers are
 * dropped, and operations that can find out are asked about what is unknown.
 */
import type { Partner } from '../effect/partner.ts';
import type { KeyRecord, KeyRules, Verdict } from '../ledger/idempotency/key-record.ts';
import { KEY_RULES } from '../ledger/idempotency/key-record.ts';
import { reconcileKeyRecords, sweepKeyRecords } from '../ledger/idempotency/sweep-key-records.ts';
import { isProvenDead } from '../ledger/idempotency/worker.ts';
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
      .catch((error: unknown) => server.report('key records could not be swept', error));
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
  await sweepKeyRecords(store);
  const partnerOf = (keyRecord: KeyRecord): Partner | undefined =>
    server.operations.get(keyRecord.operation)?.partner;
  await reconcileKeyRecords(
    store,
    (keyRecord) => toRules(partnerOf(keyRecord)),
    (keyRecord, { settleMs }, now) => {
      // Before the partner is asked: what it does not know then, it can no longer get from there.
      const senderIsDead = hasLongBeenDead(keyRecord.attempt, settleMs, now, mourned);
      return ask(keyRecord, partnerOf(keyRecord), senderIsDead);
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
function toRules(partner: Partner | undefined): KeyRules | undefined {
  if (partner?.reconcile === undefined) return undefined;
  const { settleSeconds } = partner;
  return { ...KEY_RULES, ...(settleSeconds !== undefined && { settleMs: settleSeconds * 1000 }) };
}

async function ask(
  keyRecord: KeyRecord,
  partner: Partner | undefined,
  senderIsDead: boolean,
): Promise<Verdict> {
  const discovery = await partner?.reconcile?.({
    operation: keyRecord.operation,
    tenant: keyRecord.tenant,
    principal: keyRecord.principal,
    key: keyRecord.partner_key,
    dispatchedAt: new Date(keyRecord.dispatched_at),
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
        `${keyRecord.operation} did not happen under this key.`,
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
