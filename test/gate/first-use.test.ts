/** A write that nobody declared asks until a person allows the tool from now on. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { EMPTY_LOCK, toPinEntry, withPins, writeLockFile } from '../../src/gate/tools/lock.ts';
import type { GateFixtureOptions } from './gate-fixture.ts';
import { GateFixture } from './gate-fixture.ts';
import { problemIn, toTool } from './recording-server.ts';

const SET_DNS = toTool('set_dns_record', 'Sets a record of a zone.', ['name', 'value']);
const ADDITIVE = { ...SET_DNS, annotations: { destructiveHint: false } };
const RECORD = { name: 'www', value: '192.0.2.1' };
const PENDING = { code: 'approval-pending' };

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-first-use-'));
let gate: GateFixture;

async function open(options: Partial<GateFixtureOptions> = {}): Promise<GateFixture> {
  gate = await GateFixture.open({ tools: [SET_DNS], ...options });
  return gate;
}

afterEach(() => gate[Symbol.asyncDispose]());
afterAll(() => rmSync(folder, { recursive: true }));

describe('a write that nobody declared', () => {
  it('asks and says why, and not again after a yes that lasts, in any session', async () => {
    await open();
    const waiting = problemIn(await gate.call('set_dns_record', RECORD));
    expect(waiting).toMatchObject(PENDING);
    expect(waiting?.['detail']).toContain('Its server does not say what it does');
    expect(gate.server.ran).toEqual([]);
    const [question] = await gate.services.approvals.listPending();
    expect(question?.card?.why).toContain('this is its first use');
    await gate.answer('approve', { grant: 'lasting' });
    await gate.call('set_dns_record', RECORD);
    await gate.call('set_dns_record', { ...RECORD, value: '192.0.2.2' });
    expect(gate.server.ran).toEqual(['set_dns_record', 'set_dns_record']);
    expect(await gate.receipts()).toMatchObject([
      { decision: 'waiting', rule: 'live-first-use' },
      { decision: 'ran', permit: 'grant' },
      { decision: 'ran', permit: 'grant' },
    ]);
  });

  it('asks again after a yes to one call', async () => {
    await open();
    await gate.call('set_dns_record', RECORD);
    await gate.answer();
    await gate.call('set_dns_record', RECORD);
    const next = await gate.call('set_dns_record', { ...RECORD, value: '192.0.2.2' });
    expect(problemIn(next)).toMatchObject(PENDING);
    expect(gate.server.ran).toEqual(['set_dns_record']);
  });

  it('asks though its server calls it destructive, as it calls all its writes', async () => {
    const annotations = { readOnlyHint: false, destructiveHint: true };
    const writes = ['set_dns_record', 'set_dns_zone', 'set_dns_contact', 'update_dns_zone'];
    await open({
      tools: writes.map((name) => ({ ...toTool(name, 'Sets it.', ['name']), annotations })),
    });
    expect(problemIn(await gate.call('set_dns_record', RECORD))).toMatchObject(PENDING);
    expect(await gate.receipts()).toMatchObject([{ rule: 'live-first-use' }]);
  });

  it('asks when another tool calls it, though that one is declared', async () => {
    const batch = {
      ...toTool('call_tool', 'Calls another tool by its name.', ['name']),
      inputSchema: {
        type: 'object',
        properties: { name: { type: 'string' }, arguments: { type: 'object' } },
      },
      annotations: { destructiveHint: false },
    };
    await open({ tools: [SET_DNS, batch] });
    const call = { name: 'set_dns_record', arguments: RECORD };
    expect(problemIn(await gate.call('call_tool', call))).toMatchObject(PENDING);
    await gate[Symbol.asyncDispose]();
    await open({ tools: [ADDITIVE, batch] });
    await gate.call('call_tool', call);
    expect(gate.server.ran).toEqual(['call_tool']);
  });
});

describe('a write runs unasked', () => {
  it.each<[string, Partial<GateFixtureOptions>]>([
    ['that its server declares additive', { tools: [ADDITIVE] }],
    ['of a trusted server', { trusted: true }],
    ['in sandbox mode', { mode: 'sandbox' }],
    ['under a policy without first-use questions', { policy: { firstUse: 'allow' } }],
  ])('%s', async (_, options) => {
    await open(options);
    await gate.call('set_dns_record', RECORD);
    expect(gate.server.ran).toEqual(['set_dns_record']);
  });

  it('that a person accepted, as soon as it is accepted', async () => {
    const lock = join(folder, 'lock.json');
    await writeLockFile(lock, EMPTY_LOCK);
    await open({ lock });
    expect(problemIn(await gate.call('set_dns_record', RECORD))).toMatchObject(PENDING);
    const entry = toPinEntry(SET_DNS, { by: 'mia', at: new Date() });
    await writeLockFile(lock, withPins(EMPTY_LOCK, 'shop', new Map([['set_dns_record', entry]])));
    await expect
      .poll(async () => {
        await gate.call('set_dns_record', { ...RECORD, value: '192.0.2.9' });
        return gate.server.ran;
      })
      .toEqual(['set_dns_record']);
  });
});
