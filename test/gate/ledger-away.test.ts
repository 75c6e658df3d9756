/** A ledger that is away for long: what waits for it is bounded, nothing runs unrecorded, and all goes on once it is back. */
import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { JsonObject } from '../../src/gate/protocol/frame.ts';
import { GateFixture } from './gate-fixture.ts';

const MOST = 1000;
const REFUSED = MOST + 50;
const inputSchema = { type: 'object', properties: { id: { type: 'number' } } };
const TOOLS = [
  { name: 'place_order', inputSchema },
  // Declared, since the first use of a write that nobody declared asks.
  { name: 'save_note', inputSchema, annotations: { destructiveHint: false } },
];
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-away-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

/** Its file and those beside it. */
function moveLedger(from: string, to: string): void {
  for (const name of readdirSync(folder).filter((each) => each.startsWith(from))) {
    renameSync(join(folder, name), join(folder, name.replace(from, to)));
  }
}

const codeOf = ({ result }: JsonObject): unknown =>
  (result as { structuredContent?: { code?: unknown } }).structuredContent?.code;

it(
  'bounds what waits, refuses changes meanwhile, and records again',
  { timeout: 120_000 },
  async () => {
    const ledger = `sqlite:${join(folder, 'ledger.db')}`;
    await using gate = await GateFixture.open({ tools: TOOLS, ledger });
    await gate.call('save_note', { id: 0 });
    moveLedger('ledger', 'away');
    // An ordinary change needs no ledger to run, so its receipt waits.
    expect(codeOf(await gate.call('save_note', { id: 1 }))).toBeUndefined();
    const before = gate.lines.length;
    for (let id = 0; id < REFUSED; id += 1) {
      const params = { name: 'place_order', arguments: { id } };
      const message = { jsonrpc: '2.0', id: gate.newId(), method: 'tools/call', params };
      gate.write(JSON.stringify(message));
    }
    await expect.poll(() => gate.lines.length, { timeout: 60_000 }).toBe(before + REFUSED);
    const codes = new Set(gate.messages.slice(before).map(codeOf));
    expect([...codes]).toEqual(['unavailable']);
    expect(gate.services.recorder.isFull).toBe(true);
    expect(codeOf(await gate.call('save_note', { id: 2 }))).toBe('unavailable');
    expect(gate.server.ran).toEqual(['save_note', 'save_note']);
    expect(gate.reports).toContainEqual(
      expect.stringContaining(`${MOST} calls wait for the ledger`),
    );

    moveLedger('away', 'ledger');
    const { recorder, ledger: open } = gate.services;
    const count = async (): Promise<number> => {
      await recorder.flush(); // which may join one that began while the ledger was away
      const sql = 'SELECT COUNT(*) AS count FROM receipt_log';
      const [row] = await open.store.transaction((tx) => tx.execute(sql));
      return Number(row?.['count']);
    };
    // The first two notes, and refused calls up to the bound.
    await expect.poll(count, { timeout: 60_000 }).toBe(MOST + 1);
    expect(recorder.isFull).toBe(false);
    expect(codeOf(await gate.call('save_note', { id: 3 }))).toBeUndefined();
    await expect.poll(count, { timeout: 60_000 }).toBe(MOST + 2);
    expect(gate.reports).toContainEqual(
      expect.stringMatching(/the ledger can be written to again; 52 refused calls have no receipt/),
    );
  },
);
