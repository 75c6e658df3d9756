/** Somebody who can write the database of a ledger, and an audit that should tell. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Ran } from '../gate/gate-process.ts';
import { approve, PLIMSOLL, run } from '../gate/gate-process.ts';
import { attack } from './attack.ts';
import { AttackedGate } from './attacked-gate.ts';

const DELETE = {
  name: 'delete_note',
  description: 'Deletes a note for good.',
  inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
};

let folder: string;
let checkpoints: string;

const fileOf = (name: string): string => join(folder, `${name}.sqlite`);

/** A gate asks about a call, a person says yes, and the call runs; then it ends. */
async function runGate(): Promise<void> {
  const ledger = `sqlite:${fileOf('ledger')}`;
  const flags = ['--checkpoints', checkpoints];
  await using gate = await AttackedGate.open({ tools: [DELETE], ledger, flags });
  await gate.call('delete_note', { id: '1' });
  const { stdout } = await run(PLIMSOLL, ['approve', '--list', '--json', '--ledger', ledger]);
  const [question] = JSON.parse(stdout) as readonly { readonly id: string }[];
  await approve(ledger, question?.id ?? '');
  await gate.call('delete_note', { id: '1' });
  expect(gate.ran()).toEqual(['delete_note']);
  await gate.close();
}

/** A copy to tamper with, beside its key. */
function copyOf(source: string, ...statements: readonly string[]): string {
  const name = `copy-${statements.length}-${Math.random()}`;
  copyFileSync(fileOf(source), fileOf(name));
  copyFileSync(`${fileOf('ledger')}.key`, `${fileOf(name)}.key`);
  using database = new DatabaseSync(fileOf(name));
  for (const statement of statements) database.exec(statement);
  return `sqlite:${fileOf(name)}`;
}

function verify(ledger: string, ...flags: readonly string[]): Promise<Ran> {
  return run(PLIMSOLL, ['audit', 'verify', '--ledger', ledger, ...flags]);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-audit-attack-'));
  checkpoints = join(folder, 'elsewhere.txt');
  await runGate();
  copyFileSync(fileOf('ledger'), fileOf('older'));
  await runGate();
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true }));

it('finds nothing where nobody tampered', async () => {
  const { code, stdout } = await verify(copyOf('ledger'), '--checkpoints', checkpoints);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^ok: 6 receipts, 6 of them/)]);
}, 60_000);

attack(
  'a local user',
  'puts back an older copy of the ledger, and the audit says that all is well',
  async () => {
    const ledger = copyOf('older');
    const compared = await verify(ledger, '--checkpoints', checkpoints);
    expect(compared.code).toBe(1);
    expect(compared.stdout).toContain('truncated at 3: There are 3 receipts, and 6 were signed.');
    // Nothing in the ledger can show it, and that is said.
    const alone = await verify(ledger);
    expect(alone.stdout).toContain('Nothing outside the ledger was compared');
  },
);

attack('a local user', 'empties the log, and the audit says that all is well', async () => {
  const empty = [
    'DELETE FROM receipt_log',
    'DELETE FROM receipt_index',
    'DELETE FROM checkpoints',
    'DELETE FROM counters',
  ];
  const alone = await verify(copyOf('ledger', ...empty));
  expect(alone.code).toBe(1);
  expect(alone.stdout).toContain('has an answer of mia that is not in the log');
  const all = [...empty, 'DELETE FROM approvals', 'DELETE FROM key_records'];
  const compared = await verify(copyOf('ledger', ...all), '--checkpoints', checkpoints);
  expect(compared.code).toBe(1);
  const said = (await verify(copyOf('ledger', ...all))).stdout;
  expect(said).toMatch(/^empty: 0 receipts/m);
  expect(said).toContain('Nothing outside the ledger was compared');
});

attack('a local user', 'deletes the approvals, or changes who approved, unnoticed', async () => {
  const deleted = await verify(copyOf('ledger', 'DELETE FROM approvals'));
  expect(deleted.code).toBe(1);
  expect(deleted.stdout).toContain('was deleted, or has lost its answer');
  const changed = await verify(copyOf('ledger', `UPDATE approvals SET approver = 'eve'`));
  expect(changed.code).toBe(1);
  expect(changed.stdout).toContain('is not as it was signed: approver');
});
