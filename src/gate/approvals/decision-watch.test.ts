/** How those who wait for a decision learn of it, in this process and from others. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { toTestAnswer, toTestQuestion } from '../../../test/gate/approval-fixture.ts';
import { openSqliteStore } from '../../ledger/sqlite/open-sqlite-store.ts';
import type { Store } from '../../ledger/store.ts';
import type { Approval } from './approval.ts';
import type { Approvals } from './approvals.ts';
import { openApprovals } from './approvals.ts';

const NEVER = 3_600_000;
const SOON = { timeoutMs: 10_000 };
let folder: string;
let store: Store;
let transactions = 0;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-decisions-'));
  const inner = await openSqliteStore(join(folder, 'ledger.sqlite'));
  transactions = 0;
  store = {
    kind: inner.kind,
    transaction: (work) => {
      transactions += 1;
      return inner.transaction(work);
    },
    [Symbol.asyncDispose]: () => inner[Symbol.asyncDispose](),
  };
});

afterEach(async () => {
  vi.useRealTimers();
  await store[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

function ask(approvals: Approvals, count: number): Promise<readonly Approval[]> {
  const questions = Array.from({ length: count }, (_, n) => toTestQuestion(`{"n":${n}}`));
  return Promise.all(questions.map((each) => approvals.request(each)));
}

async function askOne(approvals: Approvals): Promise<Approval> {
  return approvals.request(toTestQuestion());
}

describe('waiting for a decision', () => {
  it('is told at once of an answer that this process takes, without a poll', async () => {
    const approvals = openApprovals(store, { pollMs: NEVER });
    const { id, display } = await askOne(approvals);
    const waiting = [approvals.waitFor(id, SOON), approvals.waitFor(id, SOON)];
    await approvals.answer(id, toTestAnswer(display, { channel: 'console' }));
    for (const each of await Promise.all(waiting)) {
      expect(each).toMatchObject({ id, state: 'APPROVED', channel: 'console' });
    }
  });

  it('is told at once when the question is withdrawn, or gives way to one at another price', async () => {
    const approvals = openApprovals(store, { pollMs: NEVER });
    const { id } = await askOne(approvals);
    const first = approvals.waitFor(id, SOON);
    const price = { amount: '99', unit: 'EUR', from: 'estimate_order' };
    const dearer = await approvals.request(toTestQuestion(undefined, { price }));
    expect(await first).toMatchObject({ state: 'WITHDRAWN', reason: 'price-changed' });
    const second = approvals.waitFor(dearer.id, SOON);
    await approvals.withdraw(dearer.id, 'cancelled');
    expect(await second).toMatchObject({ state: 'WITHDRAWN', reason: 'cancelled' });
  });

  it('learns of what another process decides, with one poll for all that wait', async () => {
    const pollMs = 100;
    const approvals = openApprovals(store, { pollMs });
    const asked = await ask(approvals, 50);
    const before = transactions;
    const started = Date.now();
    const waiting = asked.map(({ id }) => approvals.waitFor(id, SOON));
    await using elsewhere = await openSqliteStore(join(folder, 'ledger.sqlite'));
    const others = openApprovals(elsewhere);
    for (const { id, display } of asked) await others.answer(id, toTestAnswer(display));
    for (const each of await Promise.all(waiting)) expect(each).toMatchObject({ approver: 'mia' });
    expect(transactions - before).toBeLessThanOrEqual((Date.now() - started) / pollMs + 1);
    const after = transactions;
    await new Promise((resolve) => setTimeout(resolve, pollMs * 3));
    expect(transactions).toBe(after);
  });

  it('ends with the question', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 });
    const approvals = openApprovals(store, { pollMs: 10 });
    const { id } = await askOne(approvals);
    const waiting = approvals.waitFor(id, SOON);
    vi.setSystemTime(Date.now() + 601_000);
    expect(await waiting).toMatchObject({ state: 'EXPIRED' });
    expect(await approvals.find(id)).toMatchObject({ state: 'EXPIRED' });
  });

  it('ends when the time is over or the signal comes, and leaves the question open', async () => {
    const approvals = openApprovals(store, { pollMs: 10 });
    const { id } = await askOne(approvals);
    expect(await approvals.waitFor(id, { timeoutMs: 30 })).toBeUndefined();
    const { signal } = new AbortController();
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 30);
    const either = AbortSignal.any([signal, abort.signal]);
    expect(await approvals.waitFor(id, { ...SOON, signal: either })).toBeUndefined();
    expect(await approvals.waitFor(id, { ...SOON, signal: AbortSignal.abort() })).toBeUndefined();
    expect(await approvals.find(id)).toMatchObject({ state: 'PENDING' });
  });

  it('goes on after a ledger that could not be read, and reports that once', async () => {
    let isDown = true;
    const report = vi.fn<(message: string, cause?: unknown) => void>();
    const inner = store;
    const flaky: Store = {
      ...inner,
      transaction: (work) =>
        isDown ? Promise.reject(new Error('database is locked')) : inner.transaction(work),
    };
    const { id, display } = await askOne(openApprovals(inner));
    const approvals = openApprovals(flaky, { pollMs: 10, report });
    const waiting = approvals.waitFor(id, SOON);
    await vi.waitUntil(() => report.mock.calls.length > 0);
    await new Promise((resolve) => setTimeout(resolve, 60));
    isDown = false;
    await openApprovals(inner).answer(id, toTestAnswer(display));
    expect(await waiting).toMatchObject({ state: 'APPROVED' });
    expect(report).toHaveBeenCalledTimes(1);
  });

  it('does not make an answer fail when whoever waits does', async () => {
    const report = vi.fn<(message: string, cause?: unknown) => void>();
    const approvals = openApprovals(store, { pollMs: NEVER, report });
    const { id, display } = await askOne(approvals);
    approvals.watch(id, () => {
      throw new Error('no');
    });
    const waiting = approvals.waitFor(id, SOON);
    expect(await approvals.answer(id, toTestAnswer(display))).toMatchObject({ kind: 'decided' });
    expect(await waiting).toMatchObject({ state: 'APPROVED' });
    expect(report).toHaveBeenCalledTimes(1);
  });
});

describe('the first answer counts', () => {
  it('and the second is told who gave it, and where', async () => {
    const approvals = openApprovals(store);
    const { id, display } = await askOne(approvals);
    await approvals.answer(id, toTestAnswer(display, { channel: 'console' }));
    const late = await approvals.answer(id, toTestAnswer(display, { kind: 'decline' }));
    expect(late).toMatchObject({
      kind: 'refused',
      code: 'already-decided',
      detail: 'The question was already approved by mia in the console.',
    });
  });

  it('also against a withdrawal', async () => {
    const approvals = openApprovals(store);
    const { id, display } = await askOne(approvals);
    await approvals.answer(id, toTestAnswer(display));
    expect(await approvals.withdraw(id, 'cancelled')).toBeUndefined();
    expect(await approvals.find(id)).toMatchObject({ state: 'APPROVED' });
    expect(await approvals.withdraw(id, 'definition-changed')).toMatchObject({
      state: 'WITHDRAWN',
    });
    expect(await approvals.answer(id, toTestAnswer(display))).toMatchObject({ code: 'withdrawn' });
  });
});

describe('a caller that is gone', () => {
  it('is noted on the question, until the same call is sent again', async () => {
    const approvals = openApprovals(store);
    const { id, display } = await askOne(approvals);
    expect(await approvals.mark(id, 'caller-gone')).toBe(true);
    expect((await approvals.find(id))?.callerGoneAt).toBeGreaterThan(0);
    expect(await askOne(approvals)).toMatchObject({ id, callerGoneAt: 0 });
    await approvals.mark(id, 'caller-gone');
    await approvals.answer(id, toTestAnswer(display));
    expect(await askOne(approvals)).toMatchObject({ id, state: 'APPROVED' });
    expect(await approvals.mark(id, 'caller-gone')).toBe(false);
  });
});
