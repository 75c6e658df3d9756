/** A ledger that cannot be written to when the gate ends: whoever started it must notice. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { PLIMSOLL, receiptsIn } from './gate-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-unrecorded-'));
afterAll(() => rmSync(folder, { recursive: true }));

const SERVER = fileURLToPath(
  import.meta.resolve('@modelcontextprotocol/server-memory/dist/index.js'),
);

const LAST = '1 call has no receipt, since the ledger could not be written to (create_entities)';

interface Ended {
  readonly code: unknown;
  readonly errors: string;
  readonly receipts: readonly Record<string, unknown>[];
}

/** A write runs while somebody else holds the ledger; `release` may let go of it before the gate has ended. */
async function runLocked(
  name: string,
  release: (letGo: () => void, errors: () => string) => Promise<void>,
): Promise<Ended> {
  const file = join(folder, `${name}.db`);
  const env = { ...process.env, MEMORY_FILE_PATH: join(folder, `${name}.json`) };
  const args = ['gate', '--ledger', `sqlite:${file}`, '--', process.execPath, SERVER];
  const child = spawn(PLIMSOLL, args, { stdio: ['pipe', 'pipe', 'pipe'], env });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString('utf8')));
  const answered = new Set<unknown>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    answered.add((JSON.parse(line) as { id?: unknown }).id);
  });
  const request = async (id: number, method: string, params: object): Promise<void> => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    await expect.poll(() => answered.has(id), { timeout: 20_000 }).toBe(true);
  };
  const clientInfo = { name: 'test', version: '1' };
  const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  await request(1, 'initialize', hello);
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  await request(2, 'tools/list', {});
  const lock = new DatabaseSync(file);
  lock.exec('BEGIN IMMEDIATE');
  const entities = [{ name: 'reef', entityType: 'place', observations: [] }];
  await request(3, 'tools/call', { name: 'create_entities', arguments: { entities } });
  const { receipts: written } =
    lock.prepare('SELECT count(*) AS receipts FROM receipts').get() ?? {};
  expect(written).toBe(0);
  const exit = once(child, 'exit');
  const released = release(
    () => lock.exec('ROLLBACK'),
    () => errors,
  );
  child.stdin.end();
  await released;
  const [code] = (await exit) as [unknown];
  lock.close();
  return { code, errors, receipts: await receiptsIn(`sqlite:${file}`) };
}

it('the ledger is free again in time: the receipt is there', { timeout: 60_000 }, async () => {
  const { code, errors, receipts } = await runLocked('in-time', async (letGo) => letGo());
  expect(code).toBe(0);
  expect(errors).not.toContain(LAST);
  expect(receipts).toMatchObject([{ operation: 'create_entities', decision: 'ran' }]);
});

it(
  'the ledger is not free again: the gate says so, and exits with 1',
  { timeout: 90_000 },
  async () => {
    const { code, receipts } = await runLocked('too-late', async (_, said) => {
      await expect.poll(said, { timeout: 40_000 }).toContain(LAST);
    });
    expect(code).toBe(1);
    expect(receipts).toEqual([]);
  },
);
