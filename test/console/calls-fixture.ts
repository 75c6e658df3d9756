/** A ledger with calls in it and the console's pages over it, without the door. */
import { Hono } from 'hono';
import type { ConsoleServices, ServerView, Env } from '../../src/console/console-services.ts';
import { openApprovals } from '../../src/gate/approvals/approvals.ts';
import type { Policy } from '../../src/gate/policy/policy.ts';
import { toPolicy } from '../../src/gate/policy/to-policy.ts';
import { openBudgets } from '../../src/gate/call/budgets.ts';
import type { OpenLedger } from '../../src/ledger/open-ledger.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import type { Receipt } from '../../src/ledger/receipt.ts';
import type { ArgumentPolicy } from '../../src/ledger/receipts/append-receipts.ts';
import { appendReceipts } from '../../src/ledger/receipts/append-receipts.ts';

export type Register = (app: Hono<Env>, services: ConsoleServices) => void;

export const NOON: number = Date.UTC(2026, 10, 3, 12);

let made = 0;

export function callReceipt(changes: Partial<Receipt> = {}): Receipt {
  made += 1;
  return {
    kind: 'receipt',
    id: `receipt-${made}`,
    at: new Date(NOON).toISOString(),
    operation: 'orders_list',
    act: 'read',
    tier: 'read',
    reach: 'own-store',
    openWorld: false,
    via: 'mcp-stdio',
    principal: 'mia',
    decision: 'ran',
    outcome: 'success',
    milliseconds: 4,
    server: 'shop',
    rule: 'reads run',
    ...changes,
  };
}

/** Of a call that waits for the answer to this question. */
export function waitingReceipt(approval: string): Receipt {
  const outcome = 'approval-pending';
  return callReceipt({ tier: 'destructive', decision: 'waiting', outcome, approval });
}

/** With numbers in the order in which they are given. */
export function keepCalls(
  { store, keys }: Pick<OpenLedger, 'store' | 'keys'>,
  receipts: readonly Receipt[],
  { policy = 'digest', args = {} }: { policy?: ArgumentPolicy; args?: unknown } = {},
): Promise<void> {
  const entries = receipts.map((receipt) => ({ receipt, args }));
  return store.transaction((tx) => appendReceipts(tx, entries, policy, keys));
}

export interface TestConsole {
  readonly app: Hono<Env>;
  readonly services: ConsoleServices;
}

export async function openTestConsole(
  register: readonly Register[],
  {
    policy = toPolicy({}),
    servers = [],
    ledgerHint,
  }: { policy?: Policy; servers?: ServerView[]; ledgerHint?: string } = {},
): Promise<TestConsole> {
  const ledger = await openLedger('sqlite::memory:', { checkpointSeconds: 3600 });
  const services: ConsoleServices = {
    ledger,
    ...(ledgerHint !== undefined && { ledgerHint }),
    approvals: openApprovals(ledger.store),
    budgets: openBudgets(ledger.store),
    policy,
    servers: () => servers,
    now: () => NOON,
    report: () => {},
  };
  const app = new Hono<Env>();
  for (const each of register) each(app, services);
  return { app, services };
}

export async function textOf(app: Hono<Env>, path: string, status = 200): Promise<string> {
  const response = await app.request(path, { headers: { accept: 'text/html' } });
  if (response.status !== status) throw new Error(`${path} answered ${response.status}`);
  return response.text();
}
