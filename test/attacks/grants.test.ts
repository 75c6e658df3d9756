/** A yes for more than one call, carried to where it was not given. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PLIMSOLL, run } from '../gate/gate-process.ts';
import { attack } from './attack.ts';
import { AttackedGate } from './attacked-gate.ts';
import type { AttackedLedger } from './attacked-ledger.ts';
import { execute, LEDGERS } from './attacked-ledger.ts';

const DELETE = {
  name: 'delete_note',
  description: 'Deletes a note for good.',
  inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
};
const POLICY = 'asking:\n  holdSeconds: 0\n  grants: [call, arguments, session]\n';
const VICTIM = resolve('test/attacks/victim-server.ts');

interface Setting {
  /** The folder of the server, with its data. */
  readonly at?: string;
  readonly policy?: string;
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

describe.each(LEDGERS)('grants in a ledger on $name', ({ open }) => {
  let ledger: AttackedLedger;
  let staging: string;

  beforeAll(async () => {
    ledger = await open();
  }, 60_000);

  afterAll(() => ledger[Symbol.asyncDispose]());

  beforeEach(() => {
    staging = newServer();
  });

  afterEach(async () => {
    rmSync(staging, { recursive: true });
    await execute(ledger.address, 'DELETE FROM approvals', 'DELETE FROM grants');
  });

  function newServer(): string {
    const folder = mkdtempSync(join(tmpdir(), 'plimsoll-grants-'));
    writeFileSync(join(folder, 'tools.json'), JSON.stringify([DELETE]));
    return folder;
  }

  function openGate({ at = staging, ...options }: Setting = {}): Promise<AttackedGate> {
    return AttackedGate.open({
      tools: [],
      policy: POLICY,
      ledger: ledger.address,
      cwd: at,
      server: [process.execPath, VICTIM, 'tools.json', 'received'],
      ...options,
    });
  }

  function callsAt(folder: string): number {
    const file = join(folder, 'received');
    return existsSync(file) ? readFileSync(file, 'utf8').split('tools/call').length - 1 : 0;
  }

  /** A person says yes to a call, and to more than that. */
  async function grant(scope: 'arguments' | 'session', gate: AttackedGate): Promise<void> {
    await gate.call('delete_note', { id: '1' });
    const [{ id, display } = { id: '', display: '' }] = await gate.questions();
    const yes = [id, '--yes', '--display', display, '--grant', scope, '--ledger', gate.ledger];
    const { code, stderr } = await run(PLIMSOLL, ['approve', ...yes]);
    if (code !== 0) throw new Error(stderr);
    await gate.call('delete_note', { id: '1' });
    expect(callsAt(staging)).toBe(1);
  }

  async function grantArguments(): Promise<void> {
    await using gate = await openGate();
    await grant('arguments', gate);
    await gate.close();
  }

  it('serve the same call in another process', async () => {
    await grantArguments();
    await using gate = await openGate();
    await gate.call('delete_note', { id: '1' });
    expect(callsAt(staging)).toBe(2);
  }, 60_000);

  attack(
    'a misled agent',
    'takes the yes for one server to another of the same name, such as from staging to live data',
    async () => {
      await grantArguments();
      const live = newServer();
      await using elsewhere = await openGate({ at: live });
      await elsewhere.call('delete_note', { id: '1' });
      expect(callsAt(live)).toBe(0);
      // The same program in the same folder, told to use other data.
      const env = { API_URL: 'https://live.example' };
      await using otherData = await openGate({ env, flags: ['--pass-env', 'API_URL'] });
      await otherData.call('delete_note', { id: '1' });
      expect(callsAt(staging)).toBe(1);
      rmSync(live, { recursive: true });
    },
  );

  attack(
    'a misled agent',
    'uses a yes to somebody else, under another policy, or with other arguments',
    async () => {
      await grantArguments();
      const settings: readonly Setting[] = [
        { flags: ['--as', 'somebody-else'] },
        { policy: `${POLICY}  expirySeconds: 60\n` },
      ];
      for (const setting of settings) {
        await using gate = await openGate(setting);
        await gate.call('delete_note', { id: '1' });
        expect(callsAt(staging)).toBe(1);
      }
      await using same = await openGate();
      await same.call('delete_note', { id: '2' });
      await same.request('tools/call', {
        name: 'delete_note',
        arguments: { id: '1' },
        _meta: { 'example.com/force': true },
      });
      expect(callsAt(staging)).toBe(1);
    },
  );

  attack('a lying server', 'runs a changed tool under the yes for the old one', async () => {
    await grantArguments();
    const changed = { ...DELETE, description: 'Deletes a note and all that link to it.' };
    writeFileSync(join(staging, 'tools.json'), JSON.stringify([changed]));
    await using gate = await openGate();
    await gate.call('delete_note', { id: '1' });
    expect(callsAt(staging)).toBe(1);
  });

  attack('a misled agent', 'uses the yes for one session in another', async () => {
    await using first = await openGate();
    await grant('session', first);
    await first.call('delete_note', { id: '2' });
    expect(callsAt(staging)).toBe(2);
    await using second = await openGate();
    await second.call('delete_note', { id: '3' });
    expect(callsAt(staging)).toBe(2);
  });
});
