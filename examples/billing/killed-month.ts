/**
 * The merchant's month on a real server process that is killed at random moments and started again. Every call is
 * sent until it is answered, under its own key. What the processor charged in the end is compared with the answers.
 */
import type { ChildProcess } from 'node:child_process';
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Receipt } from 'plimsoll/server';
import { openProcessorChild } from '../payment-processor/processor-child.ts';
import type { MonthResult } from './merchant-month.ts';
import { runMonth } from './merchant-month.ts';
import type { Books, Json } from './test-billing.ts';
import { DAY, readBooks } from './test-billing.ts';

export interface KilledMonth {
  readonly month: MonthResult;
  readonly books: Books;
  /** What the store says was paid or given back: transaction and amount. */
  readonly stored: readonly string[];
  readonly kills: number;
  readonly receipts: readonly Receipt[];
}

const ROOT = new URL('../..', import.meta.url).pathname;
const TOKEN = 'token-of-the-month';
/** Not more calls than a month has, so that every kill happens. */
const STEPS = 75;

export async function runKilledMonth(kills: number, random: () => number): Promise<KilledMonth> {
  const folder = mkdtempSync(join(tmpdir(), 'billing-month-'));
  const processor = await openProcessorChild({ database: join(folder, 'processor.db') });
  const hook = createServer((request, response) => {
    request.resume().once('end', () => response.end());
  });
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
  const server = new Killable(folder, processor.url);
  const victims = new Set<number>();
  while (victims.size < kills) victims.add(Math.floor(random() * STEPS));
  let step = 0;
  try {
    const { port } = hook.address() as AddressInfo;
    const month = await runMonth(
      {
        call: (name, args, key) => server.call(name, args, key),
        pass: (days) => server.pass(days),
        processorUrl: processor.url,
        hookUrl: `http://127.0.0.1:${port}/`,
        step: async () => {
          server.tick();
          step += 1;
          // A kill that met a server that was still starting is made up for in the next step.
          const wanted = [...victims].filter((victim) => victim < step).length;
          if (server.kills < wanted) void server.killWithin(random() * 40).catch(() => {});
        },
      },
      'killed',
    );
    await server.idle();
    const listed = await server.call('list_transactions', { limit: 100, status: 'succeeded' }, '');
    const rows = listed.body['data'] as { id: string; processor_id: string; amount: number }[];
    await server.stop();
    return {
      month,
      receipts: await receiptsIn(join(folder, 'billing.db.ledger')),
      books: await readBooks(processor.url),
      stored: rows.map(({ id, processor_id, amount }) => `${processor_id} ${id} ${amount}`),
      kills: server.kills,
    };
  } finally {
    await server.stop();
    hook.close();
    hook.closeAllConnections();
    await processor[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function receiptsIn(file: string): Promise<readonly Receipt[]> {
  const flags = ['--ledger', `sqlite:${file}`, '--limit', '10000', '--json'];
  const plimsoll = join(ROOT, 'bin', 'plimsoll');
  const options = { maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)(plimsoll, ['audit', 'list', ...flags], options);
  return (JSON.parse(stdout) as Receipt[]).toReversed();
}

const PATIENCE = 200;

class Killable {
  kills = 0;
  readonly #env: NodeJS.ProcessEnv;
  readonly #clock: string;
  #time = Date.parse('2026-07-01T09:00:00Z');
  #running: Promise<{ readonly url: string; readonly child: ChildProcess }> | undefined;

  constructor(folder: string, processorUrl: string) {
    this.#clock = join(folder, 'clock');
    this.#env = {
      ...process.env,
      BILLING_DB: join(folder, 'billing.db'),
      BILLING_PROCESSOR: processorUrl,
      BILLING_CLOCK: this.#clock,
      BILLING_LOOPBACK: '1',
      BILLING_WORK_MS: '50',
    };
    this.tick();
  }

  /** Calls are a few seconds apart, as the limits want it. */
  tick(ms = 2000): void {
    this.#time += ms;
    writeFileSync(this.#clock, new Date(this.#time).toISOString());
  }

  async killWithin(ms: number): Promise<void> {
    const running = this.#running;
    await wait(ms);
    const { child } = (await running) ?? {};
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    this.kills += 1;
    child.kill('SIGKILL');
  }

  async call(name: string, args: object, key: string): Promise<{ status: number; body: Json }> {
    for (let attempt = 0; attempt < PATIENCE; attempt += 1) {
      const answer = await this.#send(name, args, key).catch(() => undefined);
      const isOpen = answer === undefined || MAY_PASS.includes(String(answer.body['code']));
      if (!isOpen) return answer;
      if (answer?.status === 429) this.tick(5000);
      await wait(100);
    }
    throw new Error(`${name} got no answer`);
  }

  /** Moves the clock and waits until everything that is due has been done. */
  async pass(days: number): Promise<void> {
    this.tick(days * DAY);
    await this.idle();
  }

  async idle(): Promise<void> {
    for (let attempt = 0; attempt < PATIENCE; attempt += 1) {
      const now = new Date(this.#time).toISOString();
      const running = await this.call(
        'list_subscriptions',
        { limit: 100, status: 'active,past_due' },
        '',
      );
      const pending = await this.call('list_transactions', { status: 'pending' }, '');
      const due = (running.body['data'] as Record<string, string>[]).filter(
        ({ status = '', current_period_end = '', next_retry_at = null }) =>
          status === 'active'
            ? current_period_end <= now
            : next_retry_at !== null && next_retry_at <= now,
      );
      if (due.length === 0 && (pending.body['data'] as unknown[]).length === 0) return;
      // What was interrupted is taken up after half a minute.
      this.tick(2000);
      await wait(60);
    }
    throw new Error('the worker did not finish');
  }

  async stop(): Promise<void> {
    const { child } = (await this.#running?.catch(() => undefined)) ?? {};
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }

  async #send(name: string, args: object, key: string): Promise<{ status: number; body: Json }> {
    this.#running ??= this.#start();
    const { url } = await this.#running;
    const response = await fetch(`${url}/op/${name}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${TOKEN}`,
        ...(key !== '' && { 'idempotency-key': key }),
      },
      body: JSON.stringify(args),
    });
    return { status: response.status, body: (await response.json()) as Json };
  }

  async #start(): Promise<{ readonly url: string; readonly child: ChildProcess }> {
    const who = ['--as', 'mara', '--tenant', 'harbour_test', '--grant', '*', '--token', TOKEN];
    const child = spawn(join(ROOT, 'bin', 'plimsoll'), ['serve', 'examples/billing', ...who], {
      cwd: ROOT,
      env: this.#env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    child.once('exit', () => {
      this.#running = undefined;
    });
    const url = await new Promise<string>((resolve, reject) => {
      let text = '';
      child.once('exit', () => reject(new Error(`ended early: ${text}`)));
      child.stdout.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        const address = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
        if (address !== undefined) resolve(address);
      });
    });
    return { url, child };
  }
}

/** Answers that say "not yet": the same call under the same key goes on from there. */
const MAY_PASS = ['in-flight', 'retry-same-key', 'unavailable', 'rate-limited', 'receipt-lost'];
