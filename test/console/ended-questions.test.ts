/** A question that ends while its caller is away leaves a receipt that says `waiting`; every list says how it ended. */
import { join } from 'node:path';
import { Hono } from 'hono';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { runMain } from '../support/run-main.ts';
import type { Env } from '../../src/console/console-services.ts';
import { registerCall } from '../../src/console/pages/call.ts';
import { registerCalls } from '../../src/console/pages/calls.ts';
import type { Approvals } from '../../src/gate/approvals/approvals.ts';
import { openApprovals } from '../../src/gate/approvals/approvals.ts';
import { openBudgets } from '../../src/gate/call/budgets.ts';
import { toPolicy } from '../../src/gate/policy/to-policy.ts';
import type { OpenLedger } from '../../src/ledger/open-ledger.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { toTestAnswer, toTestQuestion } from '../gate/approval-fixture.ts';
import { useOwnHome } from '../support/own-home.ts';
import { keepCalls, NOON, textOf, waitingReceipt } from './calls-fixture.ts';

const home = useOwnHome();
let ledger: OpenLedger;
let approvals: Approvals;
let app: Hono<Env>;

beforeEach(async () => {
  ledger = await openLedger(`sqlite:${join(home(), 'ledger.sqlite')}`, { checkpointSeconds: 3600 });
  approvals = openApprovals(ledger.store);
  app = new Hono<Env>();
  const services = {
    ledger,
    approvals,
    budgets: openBudgets(ledger.store),
    policy: toPolicy({}),
    servers: () => [],
    now: () => NOON,
    report: () => {},
  };
  registerCalls(app, services);
  registerCall(app, services);
});

afterEach(async () => {
  vi.useRealTimers();
  await ledger[Symbol.asyncDispose]();
});

type Asked = Awaited<ReturnType<Approvals['request']>>;

/** How each ends that is asked about, in the order of the receipts. */
const ENDS: readonly (readonly [string, (asked: Asked) => Promise<unknown>])[] = [
  ['waiting', async () => {}],
  ['waiting, then withdrawn', ({ id }) => approvals.withdraw(id, 'cancelled')],
  ['waiting, then withdrawn', ({ id }) => approvals.withdraw(id, 'gate-stopped')],
  [
    'waiting, then declined',
    ({ id, display }) => approvals.answer(id, toTestAnswer(display, { kind: 'decline' })),
  ],
  ['waiting, then approved', ({ id, display }) => approvals.answer(id, toTestAnswer(display))],
];

async function askAll(): Promise<readonly string[]> {
  const asked: Asked[] = [];
  for (const at of ENDS.keys()) asked.push(await approvals.request(toTestQuestion(`{"n":${at}}`)));
  await keepCalls(
    ledger,
    asked.map(({ id }) => waitingReceipt(id)),
  );
  for (const [at, [, end]] of ENDS.entries()) await end(asked[at] as Asked);
  return asked.map(({ id }) => id);
}

async function plimsoll(...args: readonly string[]): Promise<string> {
  const ledgerArgs = ['--ledger', `sqlite:${join(home(), 'ledger.sqlite')}`];
  return (await runMain([...args, ...ledgerArgs])).stdout;
}

function wordsIn(text: string): readonly string[] {
  return text
    .split(/\n|<\/td>/)
    .flatMap((line) => /\bwaiting(?:, then \w+)?(?= *(?:approval-pending|$))/.exec(line)?.[0] ?? [])
    .toReversed();
}

it('is listed with its end, in the console and in a terminal', async () => {
  await askAll();
  const ends = ENDS.map(([words]) => words);
  expect(wordsIn(await textOf(app, '/calls'))).toEqual(ends);
  expect(wordsIn(await textOf(app, '/calls?decision=waiting'))).toEqual(ends);
  expect(wordsIn(await plimsoll('audit', 'list'))).toEqual(ends);
  expect(
    wordsIn(await plimsoll('audit', 'tail'))
      .toReversed()
      .slice(0, ends.length),
  ).toEqual(ends);
  expect(await textOf(app, '/calls/1')).toMatch(/<dd>\s*waiting, then withdrawn/);
  const shown = JSON.parse(await plimsoll('audit', 'list', '--json')) as { question?: string }[];
  const questions = shown.flatMap(({ question }) => question ?? []);
  expect(questions.toReversed()).toEqual(['withdrawn', 'withdrawn', 'declined', 'approved']);
});

it('has expired where nobody answered in time, also if nothing has noted it yet', async () => {
  await askAll();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
  const ends = ['expired', 'withdrawn', 'withdrawn', 'declined', 'expired'];
  const words = ends.map((end) => `waiting, then ${end}`);
  expect(wordsIn(await textOf(app, '/calls'))).toEqual(words);
  expect(wordsIn(await plimsoll('audit', 'list'))).toEqual(words);
});

it('is not what the last call of a server waits for', async () => {
  const [, id = ''] = await askAll();
  await keepCalls(ledger, [waitingReceipt(id)]);
  expect(await plimsoll('status')).toMatch(
    /Last call {2}shop: \S+ at \S+, waiting, then withdrawn/,
  );
});

it('an answer is shown with the time until which it holds', async () => {
  const { id, display } = await approvals.request(toTestQuestion('{"id":1}'));
  await approvals.answer(id, toTestAnswer(display));
  const list = JSON.parse(await plimsoll('audit', 'list', '--json')) as readonly {
    readonly id: string;
    readonly until?: number;
  }[];
  const answered = list.find(({ until }) => until !== undefined);
  const until = new Date(answered?.until ?? 0).toISOString();
  expect(await plimsoll('audit', 'show', answered?.id ?? '')).toMatch(
    new RegExp(`^until +${until}$`, 'm'),
  );
});
