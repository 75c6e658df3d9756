/** A process that is stopped (SIGSTOP) in the middle of its spends does not stop others. */
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer, defineOperation, openLedger, spends } from 'plimsoll/server';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { callInProcess } from '../support/call-in-process.ts';
import { openPostgres } from '../support/postgres.ts';

const STOPS = 15;
const SPENDS = 20;
/** Less than the server gives a process that does nothing, so that this cannot be what helps. */
const PROMPT_MS = 3000;

const program = new URL('spend-in-a-loop.ts', import.meta.url).pathname;

async function startSpending(address: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--conditions=plimsoll-source', program, address], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  child.stdout.resume();
  return child;
}

it('on PostgreSQL, wherever it stops', async () => {
  await using postgres = await openPostgres();
  await using ledger = await openLedger(postgres.url, {
    key: Buffer.alloc(32, 7),
    report: () => {},
  });
  const pay = defineOperation({
    name: 'pay',
    title: 'Pay',
    description: 'Pays.',
    input: z.object({}),
    effect: spends('EUR cents'),
    partner: { class: 'opaque' },
    run: () => {},
  });
  const operations = [pay];
  const server = createServer({ name: 's', version: '1', operations, ledger, report: () => {} });
  const spend = async (): Promise<string> =>
    (await callInProcess(server, pay, {}, { key: randomUUID() })).kind;
  const child = await startSpending(postgres.url);
  const slow: unknown[] = [];
  try {
    for (let stop = 0; stop < STOPS; stop += 1) {
      await sleep(20 + Math.random() * 60);
      child.kill('SIGSTOP');
      const spending = Promise.all(Array.from({ length: SPENDS }, spend));
      const kinds = await Promise.race([spending, sleep(PROMPT_MS, 'no answer')]);
      if (kinds === 'no answer') slow.push(stop);
      child.kill('SIGCONT');
      expect(await spending).toEqual(Array.from({ length: SPENDS }, () => 'success'));
    }
  } finally {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
  expect(slow).toEqual([]);
}, 120_000);
