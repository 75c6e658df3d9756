/** Somebody who can write the database of a ledger, and an audit that should tell. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ran } from '../gate/gate-process.ts';
import { approve, PLIMSOLL, run } from '../gate/gate-process.ts';
import { attack } from './attack.ts';
import { AttackedGate } from './attacked-gate.ts';
import type { AttackedLedger } from './attacked-ledger.ts';
import { execute, LEDGERS } from './attacked-ledger.ts';

const DELETE = {
  name: 'delete_note',
  description: 'Deletes a note for good.',
  inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
};
const WIPE = { ...DELETE, name: 'delete_all', description: 'Deletes all notes for good.' };

function openGate(ledger: string, ...flags: readonly string[]): Promise<AttackedGate> {
  return AttackedGate.open({ tools: [DELETE, WIPE], ledger, flags });
}

/** A call is asked about, and a person says yes. */
async function getYes(gate: AttackedGate): Promise<string> {
  await gate.call('delete_note', { id: '1' });
  const [question] = await gate.questions();
  await approve(gate.ledger, question?.id ?? '');
  return question?.id ?? '';
}

function verify(ledger: string, ...flags: readonly string[]): Promise<Ran> {
  return run(PLIMSOLL, ['audit', 'verify', '--ledger', ledger, ...flags]);
}

describe.each(LEDGERS)('a ledger on $name', ({ open }) => {
  let folder: string;
  let checkpoints: string;
  let ledger: AttackedLedger;
  let older: string;

  /** A gate asks about a call, a person says yes, and the call runs; then it ends. */
  async function runGate(): Promise<void> {
    await using gate = await openGate(ledger.address, '--checkpoints', checkpoints);
    await getYes(gate);
    await gate.call('delete_note', { id: '1' });
    expect(gate.ran()).toEqual(['delete_note']);
    await gate.close();
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'plimsoll-audit-attack-'));
    checkpoints = join(folder, 'elsewhere.txt');
    ledger = await open();
    await runGate();
    older = await ledger.copy();
    await runGate();
  }, 120_000);

  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await ledger[Symbol.asyncDispose]();
  });

  it('finds nothing where nobody tampered', async () => {
    const { code, stdout } = await verify(ledger.address, '--checkpoints', checkpoints);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^ok: 6 receipts, 6 of them/)]);
  }, 60_000);

  attack(
    'a local user',
    'puts back an older copy of the ledger, and the audit says that all is well',
    async () => {
      const compared = await verify(older, '--checkpoints', checkpoints);
      expect(compared.code).toBe(1);
      expect(compared.stdout).toContain('truncated at 3: There are 3 receipts, and 6 were signed.');
      // Nothing in the ledger can show it, and that is said.
      const alone = await verify(older);
      expect(alone.stdout).toContain('Only this ledger was checked');
    },
  );

  attack('a local user', 'empties the log, and the audit says that all is well', async () => {
    const empty = [
      'DELETE FROM receipt_log',
      'DELETE FROM receipt_index',
      'DELETE FROM checkpoints',
      'DELETE FROM counters',
    ];
    const alone = await verify(await ledger.copy(...empty));
    expect(alone.code).toBe(1);
    expect(alone.stdout).toContain('has an answer of mia that is not in the log');
    const answerless = [...empty, 'DELETE FROM approvals', 'DELETE FROM key_records'];
    expect((await verify(await ledger.copy(...answerless))).stdout).toContain('count-mismatch');
    const all = [...answerless, 'DELETE FROM usage_counts', 'DELETE FROM usage_money'];
    const compared = await verify(await ledger.copy(...all), '--checkpoints', checkpoints);
    expect(compared.code).toBe(1);
    const said = (await verify(await ledger.copy(...all))).stdout;
    expect(said).toMatch(/^empty: 0 receipts/m);
    expect(said).toContain('Only this ledger was checked');
  });

  attack('a local user', 'deletes the approvals, or changes who approved, unnoticed', async () => {
    const deleted = await verify(await ledger.copy('DELETE FROM approvals'));
    expect(deleted.code).toBe(1);
    expect(deleted.stdout).toContain('was deleted, or has lost its answer');
    const changed = await verify(await ledger.copy(`UPDATE approvals SET approver = 'eve'`));
    expect(changed.code).toBe(1);
    expect(changed.stdout).toContain('is not as it was signed: approver');
  });

  attack(
    'a local user',
    'cuts the log back to an older checkpoint together with the answers after it',
    async () => {
      const cut = [
        'DELETE FROM receipt_log WHERE seq >= 3',
        'DELETE FROM receipt_index WHERE seq >= 3',
        'DELETE FROM checkpoints WHERE size > 3',
        'UPDATE counters SET value = 3',
        'DELETE FROM approvals WHERE created_at = (SELECT MAX(created_at) FROM approvals)',
      ];
      const compared = await verify(await ledger.copy(...cut), '--checkpoints', checkpoints);
      expect(compared.code).toBe(1);
      expect(compared.stdout).toContain('There are 3 receipts, and 6 were signed.');
    },
  );

  attack('a local user', 'edits the checkpoints that are kept elsewhere', async () => {
    const text = readFileSync(checkpoints, 'utf8');
    const edited = {
      size: text.replaceAll('\n6\n', '\n3\n'),
      signature: text.replaceAll(/(— \S+ \S{20})./g, '$1A'),
      emptied: '',
    };
    for (const [name, content] of Object.entries(edited)) {
      const file = join(folder, name);
      writeFileSync(file, content);
      const { code } = await verify(ledger.address, '--checkpoints', file);
      expect([name, code]).toEqual([name, 1]);
    }
  });

  attack(
    'a local user',
    'has one yes used twice, and the audit says that all is well',
    async () => {
      const address = await ledger.copy();
      await using gate = await openGate(address);
      const id = await getYes(gate);
      await gate.call('delete_note', { id: '1' });
      await execute(address, `UPDATE approvals SET state = 'APPROVED' WHERE id = '${id}'`);
      await gate.call('delete_note', { id: '1' });
      expect(gate.ran()).toEqual(['delete_note', 'delete_note']);
      await execute(address, `UPDATE approvals SET state = 'USED' WHERE id = '${id}'`);
      await gate.close();
      const { code, stdout } = await verify(address);
      expect(stdout).toMatch(/names a yes \(approval \S+\) that was used up by receipt \d+/);
      expect(code).toBe(1);
    },
  );

  attack(
    'a local user',
    'has a grant serve again that was revoked, and the audit says that all is well',
    async () => {
      const address = await ledger.copy();
      await using gate = await openGate(address);
      await gate.call('delete_note', { id: '1' });
      const [{ id, display } = { id: '', display: '' }] = await gate.questions();
      const yes = [id, '--yes', '--display', display, '--grant', 'arguments', '--ledger', address];
      expect(await run(PLIMSOLL, ['approve', ...yes])).toMatchObject({ code: 0 });
      const revoked = await run(PLIMSOLL, ['grants', '--revoke', 'all', '--ledger', address]);
      expect(revoked.stdout).toMatch(/^revoked \S+\n$/);
      await execute(address, 'UPDATE grants SET revoked_at = 0');
      await gate.call('delete_note', { id: '1' });
      await gate.call('delete_note', { id: '1' });
      expect(gate.ran()).toEqual(['delete_note', 'delete_note']);
      await gate.close();
      const { code, stdout } = await verify(address);
      expect(stdout).toMatch(/Grant \S+ was revoked by .+, and no longer says so/);
      expect(code).toBe(1);
    },
  );

  attack(
    'a local user',
    'has a yes to one call serve another one, and the audit says that all is well',
    async () => {
      const address = await ledger.copy();
      await using gate = await openGate(address);
      const id = await getYes(gate);
      await gate.call('delete_all', { id: '1' });
      const columns = ['tool', 'definition', 'arguments'];
      const swapped = columns.map(
        (name) =>
          `${name} = (SELECT other.${name} FROM approvals other WHERE other.id <> approvals.id
           AND other.tool = 'delete_all')`,
      );
      await execute(address, 'CREATE TABLE kept AS SELECT * FROM approvals');
      await execute(address, `UPDATE approvals SET ${swapped.join(', ')} WHERE id = '${id}'`);
      await gate.call('delete_all', { id: '1' });
      expect(gate.ran()).toEqual(['delete_all']);
      const back = columns.map(
        (name) => `${name} = (SELECT kept.${name} FROM kept WHERE kept.id = approvals.id)`,
      );
      await execute(address, `UPDATE approvals SET ${back.join(', ')} WHERE id = '${id}'`);
      await gate.close();
      const { code, stdout } = await verify(address);
      expect(stdout).toContain('that is for another call: delete_note at server');
      expect(code).toBe(1);
    },
  );
});
