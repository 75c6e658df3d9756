/**
 * `npm run bench:growth`: what grows when a ledger, a policy or a queue of questions grows, as CPU time of
 * this process. Only prints; no goals. The largest ledger can be given: `npm run bench:growth -- 10000000`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLedger } from 'plimsoll/server';
import { findCalls } from '../src/console/data/find-calls.ts';
import { inferEffect } from '../src/effect/infer/infer-effect.ts';
import { openApprovals } from '../src/gate/approvals/approvals.ts';
import { digestArguments } from '../src/gate/approvals/binding.ts';
import { toCard } from '../src/gate/approvals/card.ts';
import { decide } from '../src/gate/policy/decide.ts';
import { readPolicy } from '../src/gate/policy/read-policy.ts';
import type { CallFacts } from '../src/gate/policy/verdict.ts';
import type { Receipt } from '../src/ledger/receipt.ts';
import { indexReceipts } from '../src/ledger/receipts/index-receipts.ts';
import { appendReceipts } from '../src/ledger/receipts/append-receipts.ts';
import { newId } from '../src/lib/new-id.ts';
import { spreadOf } from './gate/statistics.ts';

const MOST = Number(process.argv[2] ?? 1_000_000);
const AT_ONCE = 200;
const ROUNDS = 15;
const folder = mkdtempSync(join(tmpdir(), 'plimsoll-growth-'));

try {
  await measureReceipts();
  measureRules();
  await measureQuestions();
} finally {
  rmSync(folder, { recursive: true });
}

/** CPU microseconds of this process, with all its threads. */
async function cpuOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

function print(...cells: readonly (string | number)[]): void {
  const shown = cells.map((cell) => (typeof cell === 'number' ? cell.toFixed(1) : cell));
  process.stdout.write(`${shown.map((cell) => cell.padStart(14)).join('')}\n`);
}

async function measureReceipts(): Promise<void> {
  const file = join(folder, 'receipts.sqlite');
  // Nothing is signed while it is measured.
  const quiet = { checkpointEvery: MOST * 2, checkpointSeconds: 86_400 };
  await using ledger = await openLedger(`sqlite:${file}`, quiet);
  const { store, keys } = ledger;
  const made = { receipts: 0 };
  const append = (): Promise<void> => {
    const entries = Array.from({ length: AT_ONCE }, () => ({
      receipt: receiptOf((made.receipts += 1)),
      args: { invoice_id: `INV-${made.receipts}` },
    }));
    return store.transaction((tx) => appendReceipts(tx, entries, 'digest', keys));
  };
  print('receipts', 'append µs', 'index µs', 'page µs', 'rare µs');
  for (let size = 1000; size <= MOST; size *= 10) {
    while (made.receipts < size - AT_ONCE * ROUNDS) await append();
    await indexReceipts(store);
    const appends: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) appends.push((await cpuOf(append)) / AT_ONCE);
    const index = (await cpuOf(() => indexReceipts(store))) / (AT_ONCE * ROUNDS);
    const page = await medianOf(() => findCalls(store, {}, { limit: 50 }));
    const rare = await medianOf(() => findCalls(store, { operation: 'rare' }, { limit: 50 }));
    print(String(size), spreadOf(appends).median, index, page, rare);
  }
}

async function medianOf(work: () => unknown): Promise<number> {
  const costs: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) costs.push(await cpuOf(work));
  return spreadOf(costs).median;
}

function receiptOf(index: number): Receipt {
  const now = 1_790_000_000_000 + index * 37;
  return {
    kind: 'receipt',
    id: newId(now),
    at: new Date(now).toISOString(),
    operation: index % 9973 === 0 ? 'rare' : `tool_${index % 61}`,
    act: 'read',
    tier: 'read',
    reach: 'own-store',
    openWorld: index % 11 === 0,
    via: 'mcp-stdio',
    principal: `user-${index % 1000}`,
    decision: 'ran',
    outcome: 'success',
    milliseconds: index % 50,
    server: `server-${index % 6}`,
    rule: 'looking-runs',
    permit: 'policy',
  };
}

/** The rule that fits is the last. */
function measureRules(): void {
  const { effect, confidence, reasons } = inferEffect({ name: 'get_invoice' });
  const facts: CallFacts = {
    server: 'invoices',
    trusted: false,
    tool: 'get_invoice',
    effect,
    confidence,
    reasons,
    principal: { id: 'mia', scopes: [] },
    mode: 'live',
    arguments: { invoice_id: 'INV-1' },
    quarantined: false,
    declared: true,
    repeated: false,
  };
  print('rules', 'decide µs');
  for (const count of [10, 100, 1000]) {
    const rules = Array.from({ length: count }, (_, index) => {
      const tool = index === count - 1 ? 'get_invoice' : `tool_${index}`;
      return `{ name: rule-${index}, match: { tool: ${tool} }, then: allow }`;
    });
    const reading = readPolicy(`rules: [${rules.join(', ')}]`);
    if (reading.kind === 'faults') throw new Error(JSON.stringify(reading.faults));
    const { policy } = reading;
    decide(policy, facts);
    const before = process.cpuUsage();
    const times = 200_000 / count;
    for (let time = 0; time < times; time += 1) decide(policy, facts);
    const { user, system } = process.cpuUsage(before);
    print(String(count), (user + system) / times);
  }
}

async function measureQuestions(): Promise<void> {
  await using ledger = await openLedger(`sqlite:${join(folder, 'questions.sqlite')}`);
  const approvals = openApprovals(ledger.store);
  const made = { questions: 0 };
  const ask = (): Promise<unknown> => {
    made.questions += 1;
    return approvals.request(toQuestion(made.questions));
  };
  print('questions', 'ask µs', 'list µs');
  for (const count of [1, 10, 100, 1000]) {
    while (made.questions < count - 1) await ask();
    const cost = await cpuOf(ask);
    print(String(count), cost, await medianOf(() => approvals.listPending()));
  }
}

function toQuestion(index: number): Parameters<ReturnType<typeof openApprovals>['request']>[0] {
  const argumentsText = JSON.stringify({ order: index });
  const card = toCard({
    server: 'shop',
    tool: 'place_order',
    title: 'Place an order',
    tier: 'external_spend',
    why: 'It moves money.',
    reasons: [],
    argumentsText,
    principal: 'agent',
    session: 's1',
    mode: 'live',
    channels: ['console', 'terminal'],
    scopes: ['call'],
  });
  const binding = {
    tenant: '',
    principal: 'agent',
    session: 's1',
    server: 'shop',
    tool: 'place_order',
    tier: 'external_spend',
    mode: 'live',
    definition: 'd'.repeat(64),
    arguments: digestArguments(Buffer.from(argumentsText)),
    policy: 'p1',
  } as const;
  return { binding, card, expirySeconds: 900 };
}
