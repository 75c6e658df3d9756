/** How checkpoints come about and what an audit of a real store finds; run on every store. */
import { rmSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { LedgerOptions, OpenLedger } from 'plimsoll/server';
import { openLedger } from 'plimsoll/server';
import { afterEach, describe, expect, it } from 'vitest';
import { openStore } from '../../src/ledger/open-ledger.ts';
import type { LogAudit } from '../../src/ledger/receipts/check-log.ts';
import { readCheckpointFile } from '../../src/ledger/receipts/checkpoint-file.ts';
import { verifyLedger } from '../../src/ledger/receipts/verify-ledger.ts';
import { KEY, PUBLIC_KEY, receiptOf } from './audit-support.ts';

export interface Place {
  readonly address: string;
  readonly checkpointFile: string;
}

export function checkpointContract(name: string, newPlace: () => Promise<Place>): void {
  const reports: string[] = [];
  let written = 0;

  afterEach(() => {
    reports.length = 0;
  });

  function open(place: Place, options: LedgerOptions = {}): Promise<OpenLedger> {
    const report = (message: string) => void reports.push(message);
    const { checkpointFile } = place;
    return openLedger(place.address, { key: KEY, checkpointFile, report, ...options });
  }

  async function write(ledger: OpenLedger, count: number): Promise<void> {
    const records = Array.from({ length: count }, async () =>
      ledger.record({ receipt: receiptOf((written += 1)), args: { written } }),
    );
    await Promise.all(records);
    await ledger.flush();
  }

  async function sizes({ store }: OpenLedger): Promise<readonly number[]> {
    const query = { orderBy: 'size', limit: 1000 } as const;
    const rows = await store.transaction((tx) => tx.list('checkpoints', query));
    return rows.map(({ size }) => size);
  }

  async function verify(place: Place): Promise<LogAudit> {
    const { address, checkpointFile } = place;
    await using store = await openStore(address);
    return await verifyLedger(store, { publicKey: PUBLIC_KEY, checkpointFile });
  }

  async function tamper(place: Place, ...statements: readonly string[]): Promise<void> {
    await using store = await openStore(place.address);
    await store.transaction(async (tx) => {
      for (const statement of statements) await tx.execute(statement);
    });
  }

  describe(`checkpoints on ${name}`, () => {
    it('are signed after so many receipts and at the end, here and in the file', async () => {
      const place = await newPlace();
      {
        await using ledger = await open(place, { checkpointEvery: 10 });
        await write(ledger, 10);
        await expect.poll(() => sizes(ledger)).toEqual([10]);
        await write(ledger, 3);
        expect(await sizes(ledger)).toEqual([10]);
      }
      expect(await readCheckpointFile(place.checkpointFile)).toHaveLength(2);
      expect(await verify(place)).toMatchObject({ receipts: 13, signed: 13, findings: [] });
      expect(reports).toEqual([]);
    });

    it('are signed after so long, and not again when nothing came', async () => {
      const place = await newPlace();
      await using ledger = await open(place, { checkpointSeconds: 0.05 });
      await write(ledger, 2);
      await expect.poll(() => sizes(ledger)).toEqual([2]);
      await wait(150);
      await ledger.checkpoint();
      expect(await readCheckpointFile(place.checkpointFile)).toHaveLength(1);
    });

    it('go on after a restart, and cover what a crash left unsigned', async () => {
      const place = await newPlace();
      {
        // No close of the ledger: as if the process had been killed.
        const ledger = await open(place);
        await write(ledger, 5);
        await ledger.store[Symbol.asyncDispose]();
      }
      {
        await using ledger = await open(place, { checkpointSeconds: 0.05 });
        await expect.poll(() => sizes(ledger)).toEqual([5]);
        await write(ledger, 1);
      }
      expect(await verify(place)).toMatchObject({ receipts: 6, signed: 6, checkpoints: 2 });
      expect(reports).toEqual([]);
    });

    it('that are not there yet are not tampering, and an audit says what is not signed', async () => {
      const place = await newPlace();
      const audit = async (): Promise<LogAudit> => {
        await using store = await openStore(place.address);
        return await verifyLedger(store, { publicKey: PUBLIC_KEY });
      };
      expect(await audit()).toMatchObject({ receipts: 0, checkpoints: 0, findings: [] });
      expect((await audit()).unsigned).toBeUndefined();
      await using ledger = await open(place);
      await write(ledger, 3);
      expect(await audit()).toMatchObject({
        receipts: 3,
        signed: 0,
        checkpoints: 0,
        unsigned: { first: 0, last: 2 },
        findings: [],
      });
      await ledger.checkpoint();
      expect((await audit()).unsigned).toBeUndefined();
      await write(ledger, 2);
      expect(await audit()).toMatchObject({ signed: 3, unsigned: { first: 3, last: 4 } });
    });

    it('of several who sign at once never contradict each other', async () => {
      const place = await newPlace();
      const ledgers = await Promise.all(
        [1, 2, 3].map((number) =>
          open(
            { ...place, checkpointFile: `${place.checkpointFile}.${number}` },
            { checkpointEvery: 7 },
          ),
        ),
      );
      for (let round = 0; round < 10; round += 1) {
        await Promise.all(ledgers.map((ledger) => write(ledger, 5)));
        await Promise.all(ledgers.map((ledger) => ledger.checkpoint()));
      }
      await Promise.all(ledgers.map((ledger) => ledger[Symbol.asyncDispose]()));
      expect(reports).toEqual([]);
      for (const number of [1, 2, 3]) {
        const checkpointFile = `${place.checkpointFile}.${number}`;
        expect(await verify({ ...place, checkpointFile })).toMatchObject({
          receipts: 150,
          signed: 150,
          findings: [],
        });
      }
    });

    it('are never signed for a log that is not the one signed before', async () => {
      const place = await newPlace();
      {
        await using ledger = await open(place);
        await write(ledger, 4);
      }
      await tamper(place, `UPDATE receipt_index SET leaf = '${'0'.repeat(64)}' WHERE seq = 2`);
      {
        await using ledger = await open(place);
        await write(ledger, 1);
        await ledger.checkpoint();
        expect(await sizes(ledger)).toEqual([4]);
      }
      expect(reports).toEqual(['the log was tampered with; no more checkpoints will be signed']);
      const { findings } = await verify(place);
      expect(findings.map(({ code, seq }) => [code, seq])).toEqual([['leaf-mismatch', 2]]);
    });

    it('outside the ledger show that its end was cut off, counter and checkpoints too', async () => {
      const place = await newPlace();
      {
        await using ledger = await open(place);
        await write(ledger, 3);
        await ledger.checkpoint();
        await write(ledger, 3);
      }
      await tamper(
        place,
        'DELETE FROM receipt_log WHERE seq >= 3',
        'DELETE FROM receipt_index WHERE seq >= 3',
        'DELETE FROM checkpoints WHERE size > 3',
        `UPDATE counters SET value = 3 WHERE name = 'receipts'`,
      );
      const { findings } = await verify(place);
      expect(findings.map(({ code }) => code)).toEqual(['checkpoint-missing', 'truncated']);
      {
        await using ledger = await open(place);
        await write(ledger, 3);
      }
      expect(reports).toEqual(['the log was tampered with; no more checkpoints will be signed']);
    });

    it('outside the ledger show that it was replaced as a whole', async () => {
      const place = await newPlace();
      {
        await using ledger = await open(place);
        await write(ledger, 3);
      }
      await tamper(
        place,
        'DELETE FROM receipt_log',
        'DELETE FROM receipt_index',
        'DELETE FROM checkpoints',
        'DELETE FROM counters',
      );
      {
        const { checkpointFile } = place;
        await using ledger = await open({ ...place, checkpointFile: `${checkpointFile}.new` });
        await write(ledger, 3);
      }
      rmSync(`${place.checkpointFile}.new`);
      const { findings } = await verify(place);
      expect(findings.map(({ code }) => code)).toContain('checkpoint-inconsistent');
    });

    it.each([
      [`UPDATE receipt_index SET outcome = 'forbidden' WHERE seq = 1`, 'body-mismatch'],
      [`UPDATE receipt_index SET open_world = 1 - open_world WHERE seq = 1`, 'body-mismatch'],
      [`UPDATE receipt_log SET body = '[]' WHERE seq = 1`, 'leaf-mismatch'],
      [`UPDATE receipt_log SET seq = 40 WHERE seq = 1`, 'gap'],
      [`UPDATE receipt_log SET seq = -1 WHERE seq = 1`, 'order'],
      [`DELETE FROM receipt_log WHERE seq = 1`, 'gap'],
      [`DELETE FROM receipt_log WHERE seq = 3`, 'truncated'],
      [`DELETE FROM receipt_log`, 'truncated'],
      [`UPDATE receipt_log SET id = 'other' WHERE seq = 1`, 'body-mismatch'],
      [`DELETE FROM receipt_index WHERE seq = 1`, 'index-mismatch'],
      [`DELETE FROM receipt_log WHERE seq = 3`, 'index-mismatch'],
      [`UPDATE receipt_index SET seq = 40 WHERE seq = 1`, 'index-mismatch'],
      [`UPDATE receipt_index SET seq = -1 WHERE seq = 1`, 'index-mismatch'],
      [`DELETE FROM receipt_index WHERE seq = 0`, 'index-mismatch'],
      [`UPDATE usage_counts SET calls = calls + 1 WHERE hours = 1`, 'count-mismatch'],
      [`UPDATE usage_counts SET calls = calls - 1 WHERE hours = 24`, 'count-mismatch'],
      [`UPDATE usage_counts SET server = 'other'`, 'count-mismatch'],
      [`DELETE FROM usage_counts`, 'count-mismatch'],
      [`INSERT INTO usage_money VALUES (1, 0, 'shop', 'EUR', 1, 5)`, 'count-mismatch'],
      [`INSERT INTO usage_money VALUES (7, 0, 'shop', 'EUR', 1, 5)`, 'count-mismatch'],
      [`INSERT INTO usage_counts VALUES (7, 0, 'read', 'ran', 'shop', 5)`, 'count-mismatch'],
      [`INSERT INTO usage_counts VALUES (1, 1e18, 'read', 'ran', 'shop', 5)`, 'count-mismatch'],
      [`UPDATE counters SET value = 2 WHERE name = 'counted-receipts'`, 'count-mismatch'],
      [`UPDATE counters SET value = 99999 WHERE name = 'counted-receipts'`, 'count-mismatch'],
      [`DELETE FROM counters WHERE name = 'counted-receipts'`, 'count-mismatch'],
      [`UPDATE checkpoints SET note = 'nothing'`, 'bad-signature'],
      [`UPDATE checkpoints SET size = 3`, 'checkpoint-inconsistent'],
      [`DELETE FROM checkpoints`, 'checkpoint-missing'],
      [`UPDATE counters SET value = 9 WHERE name = 'receipts'`, 'counter-mismatch'],
    ])('and an audit find: %s', async (statement, code) => {
      const place = await newPlace();
      {
        await using ledger = await open(place);
        await write(ledger, 4);
      }
      expect((await verify(place)).findings).toEqual([]);
      await tamper(place, statement);
      expect((await verify(place)).findings.map((finding) => finding.code)).toContain(code);
    });

    it('are audited while others write', async () => {
      const place = await newPlace();
      await using ledger = await open(place, { checkpointEvery: 20 });
      await write(ledger, 20);
      await ledger.checkpoint();
      const writing = (async () => {
        for (let round = 0; round < 20; round += 1) await write(ledger, 10);
        return 'done' as const;
      })();
      const { store } = ledger;
      const { checkpointFile } = place;
      do {
        const audit = await verifyLedger(store, { publicKey: PUBLIC_KEY, checkpointFile });
        expect(audit.findings).toEqual([]);
      } while ((await Promise.race([writing, wait(1)])) !== 'done');
    });
  });
}
