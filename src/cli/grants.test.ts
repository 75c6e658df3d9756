import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toTestAnswer, toTestQuestion } from '../../test/gate/approval-fixture.ts';
import { ConsoleDoor } from '../../test/support/console-door.ts';
import { openApprovals } from '../gate/approvals/approvals.ts';
import { openLedger } from '../ledger/open-ledger.ts';
import { runMain } from '../../test/support/run-main.ts';

let folder: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-grants-'));
  await using ledger = await openLedger(`sqlite:${join(folder, 'ledger.sqlite')}`);
  const approvals = openApprovals(ledger.store);
  const scopes = ['call', 'arguments', 'lasting'] as const;
  for (const [text, grant] of [
    ['{}', 'arguments'],
    ['{"a":1}', 'lasting'],
  ] as const) {
    const { id, display } = await approvals.request(toTestQuestion(text, { scopes }));
    await approvals.answer(id, toTestAnswer(display, { grant }));
  }
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

async function grants(...args: readonly string[]): Promise<string> {
  const ledger = ['--ledger', `sqlite:${join(folder, 'ledger.sqlite')}`];
  return (await runMain(['grants', ...ledger, ...args])).said;
}

describe('plimsoll grants', () => {
  it('lists what was approved beyond one call, and revokes one or all of it', async () => {
    const text = await grants();
    expect(text).toContain('shop place_order  for agent  with the same arguments');
    expect(text).toContain('shop place_order  for agent  from now on, longer with each use');
    const rows = JSON.parse(await grants('--json')) as readonly { id: string; scope: string }[];
    expect(rows.map(({ scope }) => scope).toSorted()).toEqual(['', 'lasting']);
    const [first] = rows;
    expect(await grants('--revoke', first?.id.slice(0, 8) ?? '')).toBe(`revoked ${first?.id}\n`);
    expect(JSON.parse(await grants('--json'))).toHaveLength(1);
    await grants('--revoke', 'all');
    expect(await grants()).toBe('there are no grants\n');
  });

  it.each([
    ['abc', 'at least 6 characters'],
    ['ffffffff00', 'no grant has the id'],
  ])('says what is wrong with %s', async (id, fault) => {
    expect(await grants('--revoke', id)).toContain(fault);
    expect(process.exitCode).toBe(2);
  });

  it('are on the Access page of the console, which revokes them as well', async () => {
    const address = `sqlite:${join(folder, 'ledger.sqlite')}`;
    await using door = await ConsoleDoor.entered({ address });
    const { text } = await door.page('/access');
    const [, id = ''] = /data-grant="(\w+)"/.exec(text) ?? [];
    expect(text).toContain('from now on, longer with each use');
    expect((await door.post(`/access/grants/${id}`, {})).status).toBe(303);
    expect((await door.post(`/access/grants/${id}`, {})).status).toBe(404);
    expect((await door.page('/access')).text).not.toContain(id);
  });
});
