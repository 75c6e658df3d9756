/** What a caller without types may put into a receipt: kept as JSON has it, or refused, and never a finding of the audit. */
import { createPublicKey } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { toCanonicalJson } from '../../src/lib/canonical-json.ts';
import type { JsonValue } from '../../src/lib/json-value.ts';
import type { OpenLedger } from '../../src/ledger/open-ledger.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import type { ArgumentPolicy } from '../../src/ledger/receipts/append-receipts.ts';
import { indexReceipts } from '../../src/ledger/receipts/index-receipts.ts';
import { verifyLedger } from '../../src/ledger/receipts/verify-ledger.ts';
import { openPostgres } from '../support/postgres.ts';
import { receiptOf } from './audit-support.ts';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-untyped-'));
const key = Buffer.alloc(32, 4);

const ODD: readonly unknown[] = [
  new Date(0),
  () => 1,
  Symbol('odd'),
  undefined,
  null,
  NaN,
  Infinity,
  -0,
  1e21,
  10n,
  42,
  true,
  [undefined, 1],
  { b: 1, a: [{ d: undefined, c: 1 }] },
  new Map([['a', 1]]),
  new Uint8Array([1]),
  Object('boxed'),
  { toJSON: () => undefined },
  { 'a\0': 1 },
  { '\uD800': 1 },
  'a\0b',
  '\uD800',
  '\u2028',
];

const FIELDS = Object.keys(receiptOf(0, { amount: 1, until: 2 }))
  // What chooses the way of a receipt is no text of it.
  .filter((name) => name !== 'tier');

afterAll(() => rmSync(folder, { recursive: true }));

/** Returns why some were not recorded. */
async function recordAll(ledger: OpenLedger): Promise<readonly unknown[]> {
  const refused: unknown[] = [];
  const record = async (changes: object, args: unknown): Promise<void> => {
    const receipt = { ...receiptOf(0), ...changes };
    try {
      await ledger.record({ receipt, args });
    } catch (error) {
      refused.push(error);
    }
  };
  for (const field of FIELDS) {
    for (const [index, value] of ODD.entries()) {
      // Often enough to be taken for alike.
      for (let times = 0; times < (field === 'id' ? 1 : 5); times += 1) {
        await record({ operation: `${field} ${index}`, [field]: value }, {});
      }
    }
  }
  for (const args of ODD) await record({}, args);
  return refused;
}

describe.each<ArgumentPolicy>(['none', 'digest', 'redacted', 'full'])(
  'with arguments: %s',
  (kept) => {
    it.each(['SQLite', 'PostgreSQL'])('is sound on %s', async (kind) => {
      await using postgres = kind === 'SQLite' ? undefined : await openPostgres();
      const address = postgres?.url ?? `sqlite:${join(folder, `${kept}.sqlite`)}`;
      await using ledger = await openLedger(address, { key, arguments: kept });
      const refused = await recordAll(ledger);
      expect(refused.filter((error) => !(error instanceof TypeError))).toEqual([]);
      await ledger.checkpoint();
      await indexReceipts(ledger.store);
      const audit = await verifyLedger(ledger.store, {
        publicKey: createPublicKey(ledger.keys.signingKey),
      });
      expect(audit.findings).toEqual([]);
      expect(audit.signed).toBe(audit.receipts);
      const rows = await ledger.store.transaction((tx) =>
        tx.execute('SELECT body FROM receipt_log'),
      );
      expect(rows.length).toBeGreaterThan(refused.length);
      const changed = rows.filter(({ body }) => {
        const text = String(body);
        return toCanonicalJson(JSON.parse(text) as JsonValue) !== text;
      });
      expect(changed).toEqual([]);
    });
  },
);
