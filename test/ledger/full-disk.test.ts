/** A SQLite ledger whose disk is full, or fails: nothing runs, and it recovers. */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LocalTransaction } from 'plimsoll';
import type { OpenLedger, Operation, Partner, Recorded } from 'plimsoll/server';
import { createServer, defineOperation, openLedger, spends } from 'plimsoll/server';
import { afterAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { callInProcess } from '../support/call-in-process.ts';
import { canMount, openSmallDisk } from '../support/small-disk.ts';

const PARTNERS: readonly Partner['class'][] = ['opaque', 'dedup', 'local'];

interface Shop {
  pay(key?: string, kilobytes?: number): Promise<Recorded>;
  charges(): Promise<number>;
}

async function openShop(ledger: OpenLedger, partner: Partner['class']): Promise<Shop> {
  let charged = 0;
  await ledger.store.transaction((tx) =>
    tx.execute('CREATE TABLE IF NOT EXISTS charges (text TEXT)'),
  );
  const pay: Operation = defineOperation({
    name: 'pay',
    title: 'Pay',
    description: 'Pays.',
    input: z.object({ kilobytes: z.int().default(10).describe('Size of what it writes') }),
    effect: spends('EUR cents'),
    partner: { class: partner },
    run: async ({ kilobytes }, { transaction }) => {
      if (transaction === undefined) charged += 1;
      else await write(transaction, kilobytes);
    },
  });
  const server = createServer({
    name: 'shop',
    version: '1',
    operations: [pay],
    ledger,
    report: () => {},
  });
  return {
    pay: (key = randomUUID(), kilobytes = 10) => callInProcess(server, pay, { kilobytes }, { key }),
    charges: async () => {
      if (partner !== 'local') return charged;
      const [row] = await ledger.store.transaction((tx) =>
        tx.execute('SELECT COUNT(*) AS n FROM charges'),
      );
      return Number(row?.['n']);
    },
  };
}

async function write(transaction: LocalTransaction, kilobytes: number): Promise<void> {
  for (let written = 0; written < kilobytes; written += 10) {
    await transaction.execute('INSERT INTO charges VALUES (?)', ['x'.repeat(10_000)]);
  }
}

const KEYS = 20;

const REFUSED_THEN_RUN = {
  meanwhile: Array.from({ length: KEYS }, () => 'unavailable 503'),
  ranMeanwhile: 0,
  afterwards: Array.from({ length: KEYS }, () => 'success'),
  ranAfterwards: KEYS,
};

/** Spends under the same keys while the ledger cannot be written, and after it has recovered. */
async function failAndRecover(
  shop: Shop,
  fail: () => void,
  recover: () => void,
): Promise<typeof REFUSED_THEN_RUN> {
  const keys = Array.from({ length: KEYS }, () => randomUUID());
  const payAll = async (): Promise<string[]> => {
    const answers = await Promise.all(keys.map((key) => shop.pay(key)));
    return answers.map((answer) =>
      answer.kind === 'failure' ? `${answer.problem.code} ${answer.problem.status}` : answer.kind,
    );
  };
  fail();
  try {
    // What little room is left may be enough for a few.
    for (let round = 0; round < KEYS; round += 1) await shop.pay();
    const before = await shop.charges();
    const meanwhile = await payAll();
    const between = await shop.charges();
    recover();
    const afterwards = await payAll();
    const ranAfterwards = (await shop.charges()) - between;
    return { meanwhile, ranMeanwhile: between - before, afterwards, ranAfterwards };
  } finally {
    recover();
  }
}

describe.skipIf(!canMount)('on a full disk', () => {
  it.each(PARTNERS)('a spend (%s) is refused, and runs when there is room', async (partner) => {
    using disk = openSmallDisk(8192);
    const address = `sqlite:${join(disk.folder, 'ledger.sqlite')}`;
    await using ledger = await openLedger(address, { report: () => {} });
    const shop = await openShop(ledger, partner);
    const ended = await failAndRecover(
      shop,
      () => disk.fill(),
      () => disk.clear(),
    );
    expect(ended).toEqual(REFUSED_THEN_RUN);
  });
});

describe.skipIf(!canMount)('on a disk that a local operation fills', () => {
  it('only that operation is refused, and nothing of it is kept', async () => {
    using disk = openSmallDisk(8192);
    const address = `sqlite:${join(disk.folder, 'ledger.sqlite')}`;
    await using ledger = await openLedger(address, { report: () => {} });
    const shop = await openShop(ledger, 'local');
    const key = randomUUID();
    expect(await shop.pay(key, 20_000)).toMatchObject({ problem: { code: 'unavailable' } });
    expect(await shop.charges()).toBe(0);
    expect(await shop.pay(randomUUID(), 10)).toMatchObject({ kind: 'success' });
    expect(await shop.pay(key, 20_000)).toMatchObject({ problem: { code: 'unavailable' } });
    expect(await shop.charges()).toBe(1);
  });
});

describe.skipIf(process.platform !== 'linux')('when the disk fails', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-failing-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Writing beyond this size of a file fails with EFBIG, which SQLite reports as an I/O error. */
  const limitFiles = (bytes: number | 'unlimited'): void =>
    void execFileSync('prlimit', [`--pid=${process.pid}`, `--fsize=${bytes}:unlimited`]);

  it.each(PARTNERS)('a spend (%s) is refused, and runs when it works again', async (partner) => {
    const path = join(folder, `${partner}.sqlite`);
    await using ledger = await openLedger(`sqlite:${path}`, { report: () => {} });
    const shop = await openShop(ledger, partner);
    const ended = await failAndRecover(
      shop,
      () => limitFiles(statSync(`${path}-wal`).size + 100),
      () => limitFiles('unlimited'),
    );
    expect(ended).toEqual(REFUSED_THEN_RUN);
  });
});
