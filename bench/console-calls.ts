/**
 * `npm run bench:console`: what pages of the console cost on a long ledger, on a SQLite file: calls for each filter,
 * one call, and the charts, with an index that is up to date and with one that lags. Exits with 1 when a page
 * needs more than 100 ms of CPU. Another number of receipts can be given: `npm run bench:console -- 100000`.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { Hono } from 'hono';
import type { OpenLedger } from 'plimsoll/server';
import { openLedger } from 'plimsoll/server';
import type { CallFilter } from '../src/console/data/call-filter.ts';
import { toQuery } from '../src/console/data/call-filter.ts';
import type { Env } from '../src/console/console-services.ts';
import { registerCall } from '../src/console/pages/call.ts';
import { registerCalls } from '../src/console/pages/calls.ts';
import { registerSpend } from '../src/console/pages/spend.ts';
import { openApprovals } from '../src/gate/approvals/approvals.ts';
import { toPolicy } from '../src/gate/policy/to-policy.ts';
import { openBudgets } from '../src/gate/call/budgets.ts';
import type { Receipt } from '../src/ledger/receipt.ts';
import { appendReceipts } from '../src/ledger/receipts/append-receipts.ts';
import { indexReceipts } from '../src/ledger/receipts/index-receipts.ts';
import { newId } from '../src/lib/new-id.ts';
import { readInput } from '../scripts/read-input.ts';
import { showHelp } from '../scripts/show-help.ts';
import { readReceipts } from './read-receipts.ts';
import { openBenchFolder } from './open-bench-folder.ts';

showHelp(`usage: npm run bench:console -- [receipts]
Opens pages of the console on a long ledger. Exits with 1 when one needs more than 100 ms of CPU.
  receipts  how many the ledger has (1000000)
`);
const RECEIPTS = readInput(() => readReceipts(1, 'give a number of receipts, from 1 on'));
const AT_ONCE = 10_000;
const ROUNDS = 20;
const GOAL_MS = 100;
/** Receipts that are not indexed yet when a page is opened. */
const LAGS = [1000, 3000, 20_000];
const LAG_ROUNDS = 5;
const HOUR = 3_600_000;
/** From thirty days ago until now. */
const NOW = Date.now();
const STEP = (30 * 24 * HOUR) / RECEIPTS;

/** Six in seven are reads that ran; some servers, tools and people are much rarer than others. */
function receiptOf(index: number): Receipt {
  const kind = index % 7 === 0 ? KINDS[(index / 7) % KINDS.length] : undefined;
  const rare = index % 9973 === 0;
  const at = NOW - (RECEIPTS - index) * STEP;
  return {
    kind: 'receipt',
    id: newId(Math.floor(at)),
    at: new Date(at).toISOString(),
    operation: rare ? 'tool_rare' : `tool_${index % 61}`,
    act: 'read',
    tier: 'read',
    reach: 'own-store',
    openWorld: index % 11 === 0,
    via: 'mcp-http',
    principal: rare ? 'user-rare' : `user-${index % 1000}`,
    decision: 'ran',
    outcome: 'success',
    milliseconds: index % 50,
    server: index % 50_021 === 0 ? 'rare' : `server-${index % 6}`,
    rule: 'reads run',
    ...kind,
    // Each question is polled once.
    ...(kind?.decision === 'waiting' && { approval: `question-${Math.floor(index / 98)}` }),
  };
}

const KINDS: readonly Partial<Receipt>[] = [
  { tier: 'compute', act: 'create' },
  { tier: 'compute', act: 'create' },
  { tier: 'compute', act: 'create', decision: 'refused', outcome: 'budget-exhausted' },
  { tier: 'external_spend', act: 'spend', approval: 'approval', keyRecord: 'keyRecord' },
  { tier: 'external_spend', act: 'spend', decision: 'replayed' },
  { tier: 'share_export', act: 'create', decision: 'waiting', outcome: 'input-required' },
  { tier: 'destructive', act: 'delete', decision: 'declined', outcome: 'approval-declined' },
];

const FILTERS: Readonly<Record<string, CallFilter>> = {
  'no filter': {},
  'tier, common': { tier: 'read' },
  'tier, rare': { tier: 'destructive' },
  server: { server: 'server-3' },
  'server, rare': { server: 'rare' },
  'unknown server': { server: 'nowhere' },
  tool: { operation: 'tool_7' },
  'principal, rare': { principal: 'user-rare' },
  decision: { decision: 'declined' },
  outcome: { outcome: 'budget-exhausted' },
  'open world': { openWorld: true },
  'one old hour': { since: NOW - 400 * HOUR, until: NOW - 399 * HOUR },
  'server in one old hour': {
    server: 'server-2',
    since: NOW - 400 * HOUR,
    until: NOW - 399 * HOUR,
  },
  'two that occur together': { server: 'server-3', openWorld: true },
  'two that never occur together': {
    server: 'server-3',
    operation: 'tool_rare',
    tier: 'destructive',
  },
  'two common ones that never occur together': {
    tier: 'read',
    decision: 'replayed',
    openWorld: true,
  },
  'all at once': {
    server: 'server-1',
    operation: 'tool_1',
    tier: 'read',
    decision: 'ran',
    outcome: 'success',
    openWorld: true,
    since: NOW - 600 * HOUR,
  },
};

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** CPU milliseconds of this process, with all its threads. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Whole pages, with their HTML, from the newest on, `ROUNDS` times; then from the top again. */
async function measurePages(app: Hono<Env>, filter: CallFilter) {
  const costs: number[] = [];
  const first = `/calls?${toQuery(filter)}`;
  let [found, path] = [0, first];
  for (let pages = 0; pages < ROUNDS; pages += 1) {
    let text = '';
    costs.push(
      await cpuOf(async () => {
        const response = await app.request(path);
        text = await response.text();
      }),
    );
    found += text.match(/<th scope="row">/g)?.length ?? 0;
    const [, next] = /rel="next"\s+href="([^"]+)"/.exec(text) ?? [];
    path = next?.replaceAll('&amp;', '&') ?? first;
  }
  const sorted = costs.toSorted((a, b) => a - b);
  return { found, median: sorted[ROUNDS >> 1] ?? 0, worst: sorted.at(-1) ?? 0 };
}

function openPages(ledger: OpenLedger): Hono<Env> {
  const app = new Hono<Env>();
  for (const register of [registerCalls, registerCall, registerSpend]) {
    register(app, {
      ledger,
      approvals: openApprovals(ledger.store),
      budgets: openBudgets(ledger.store),
      policy: toPolicy({}),
      servers: () => [],
      now: () => NOW,
      report: () => {},
    });
  }
  return app;
}

async function costOf(app: Hono<Env>, path: string): Promise<number> {
  return cpuOf(async () => {
    const response = await app.request(path);
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
    await response.text();
  });
}

/** Whole pages with charts: the first that this process draws, and the next. */
async function measureCharts(app: Hono<Env>): Promise<number> {
  let worst = 0;
  for (const span of ['month', 'day']) {
    const first = await costOf(app, `/spend?span=${span}`);
    const again = await costOf(app, `/spend?span=${span}`);
    print(`charts of a ${span}: ${first.toFixed(1)} first, ${again.toFixed(1)} again`);
    worst = Math.max(worst, first);
  }
  return worst;
}

/** Each page while receipts wait that nobody has indexed; pages leave that as it is. */
async function measureLags(
  app: Hono<Env>,
  { append, index }: { append: (count: number) => Promise<void>; index: () => Promise<void> },
): Promise<number> {
  const pages = {
    'no filter': '/calls',
    'tier, common': '/calls?tier=read',
    'tier, rare': '/calls?tier=destructive',
    'decision, with polled questions': '/calls?decision=waiting',
    'one old hour': `/calls?${toQuery({ since: NOW - 400 * HOUR, until: NOW - 399 * HOUR })}`,
    'two that never occur together': '/calls?server=server-3&operation=tool_rare&tier=destructive',
    'one call': '/calls/49',
    'charts of a day': '/spend?span=day',
    'charts of a month': '/spend?span=month',
  };
  let slowest = 0;
  for (const lag of LAGS) {
    const costs = new Map<string, number[]>();
    for (let round = 0; round < LAG_ROUNDS; round += 1) {
      await index();
      await append(lag);
      for (const [name, path] of Object.entries(pages)) {
        const cost = await costOf(app, path);
        costs.set(name, [...(costs.get(name) ?? []), cost]);
      }
    }
    print(`ms CPU a page, ${lag} receipts behind, median and worst of ${LAG_ROUNDS}:`);
    for (const [name, each] of costs) {
      const sorted = each.toSorted((a, b) => a - b);
      const median = sorted[LAG_ROUNDS >> 1] ?? 0;
      printCosts(name, median, sorted.at(-1) ?? 0);
      slowest = Math.max(slowest, median);
    }
  }
  return slowest;
}

function printCosts(name: string, median: number, worst: number, found = ''): void {
  const cells = [median.toFixed(1).padStart(8), worst.toFixed(1).padStart(8)];
  print(`${name.padEnd(42)}${cells.join('')}${found}`);
}

const opened = openBenchFolder('console');
const folder = opened.path;
try {
  const file = join(folder, 'ledger.sqlite');
  // Nothing is signed while pages are measured.
  const quiet = { checkpointEvery: RECEIPTS * 2, checkpointSeconds: 86_400 };
  await using ledger = await openLedger(`sqlite:${file}`, quiet);
  const { store, keys } = ledger;
  const made = { receipts: 0 };
  const append = (count: number): Promise<void> => {
    const entries = Array.from({ length: count }, () => ({
      receipt: receiptOf(made.receipts++),
      args: {},
    }));
    return store.transaction((tx) => appendReceipts(tx, entries, 'digest', keys));
  };
  const timed = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    const started = performance.now();
    const cpu = (await cpuOf(work)) / 1000;
    const seconds = (performance.now() - started) / 1000;
    print(`${what} ${RECEIPTS} receipts: ${seconds.toFixed(1)} s, ${cpu.toFixed(1)} CPU-s`);
  };
  await timed('filled', async () => {
    while (made.receipts < RECEIPTS) {
      await append(Math.min(AT_ONCE, RECEIPTS - made.receipts));
      await turn(); // or no signal is heard
    }
  });
  await timed('indexed', () => indexReceipts(store));
  print(`file ${(statSync(file).size / 2 ** 20).toFixed(0)} MiB`);
  const app = openPages(ledger);
  // Before anything else has warmed this process up.
  let slowest = await measureCharts(app);
  print(`ms CPU a page, median and worst of ${ROUNDS}:`);
  for (const [name, filter] of Object.entries(FILTERS)) {
    const { found, median, worst } = await measurePages(app, filter);
    slowest = Math.max(slowest, median);
    printCosts(name, median, worst, `   ${found} calls`);
  }
  slowest = Math.max(
    slowest,
    await measureLags(app, { append, index: async () => void (await indexReceipts(store)) }),
  );
  const isMet = slowest <= GOAL_MS;
  print(
    `${slowest.toFixed(0)} ms at most, ${isMet ? 'within' : 'above'} the goal of ${GOAL_MS} ms`,
  );
  if (!isMet) process.exitCode = 1;
} finally {
  opened[Symbol.dispose]();
}
