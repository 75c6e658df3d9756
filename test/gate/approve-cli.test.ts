/** `plimsoll approve` on a ledger in a file: at a terminal, and without one. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { Command } from 'commander';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { approveCommand } from '../../src/cli/approve.ts';
import type { Approval } from '../../src/gate/approvals/approval.ts';
import type { Approvals } from '../../src/gate/approvals/approvals.ts';
import { openApprovals } from '../../src/gate/approvals/approvals.ts';
import type { CardInit } from '../../src/gate/approvals/card.ts';
import { defaultLedgerAddress } from '../../src/ledger/default-address.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { openSqliteStore } from '../../src/ledger/sqlite/open-sqlite-store.ts';
import { runMain } from '../support/run-main.ts';
import { ARGUMENTS, toTestQuestion } from './approval-fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-approve-cli-'));
let file: string;
let count = 0;

interface Ran {
  readonly code: unknown;
  readonly output: string;
  readonly error: string;
}

beforeEach(() => {
  count += 1;
  file = join(folder, `ledger${count}.sqlite`);
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  process.exitCode = undefined;
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function withApprovals<T>(work: (approvals: Approvals) => Promise<T>): Promise<T> {
  await using store = await openSqliteStore(file);
  return await work(openApprovals(store));
}

function ask(text: string = ARGUMENTS, changes: Partial<CardInit> = {}): Promise<Approval> {
  return withApprovals((approvals) => approvals.request(toTestQuestion(text, changes)));
}

function find(id: string): Promise<Approval | undefined> {
  return withApprovals((approvals) => approvals.find(id));
}

/** What is typed, or `undefined` where there is no terminal. */
async function approve(typed: string | undefined, ...args: readonly string[]): Promise<Ran> {
  const input = Object.assign(new PassThrough(), { isTTY: typed !== undefined });
  const output = Object.assign(new PassThrough(), { columns: 100 });
  let [shown, error] = ['', ''];
  const told = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    error += String(text);
    return true;
  });
  output.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    if (text.includes('Type the word')) input.write(`${typed}\n`);
    if (text.includes('Not answered')) input.write('\n');
  });
  const program = new Command().addCommand(approveCommand({ input, output }));
  const run = program.parseAsync(
    ['approve', ...args, '--ledger', `sqlite:${file}`, '--as', 'mia'],
    {
      from: 'user',
    },
  );
  const failure = await run.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  await new Promise(setImmediate);
  told.mockRestore();
  if (failure instanceof Error)
    return { code: failure.name, output: shown, error: failure.message };
  return { code: process.exitCode, output: shown, error };
}

describe('at a terminal', () => {
  it('takes no answer to what a terminal cannot show whole, and says where one counts', async () => {
    const { id } = await ask(JSON.stringify({ note: 'x'.repeat(40_000), to: 'mallory' }));
    const { output, error } = await approve('yes', id);
    expect(output).toContain('too long for a terminal');
    expect(error).toContain('It can only be answered in the console or by webhook.');
    expect(await find(id)).toMatchObject({ state: 'PENDING' });
  });

  it('shows the card, and approves on the word yes', async () => {
    const { id } = await ask();
    const { code, output } = await approve('yes');
    expect(code).toBe(0);
    expect(output).toContain('/to = "alice"');
    expect(output).toContain('Type the word "yes" to approve this call once');
    expect(await find(id)).toMatchObject({
      state: 'APPROVED',
      approver: 'mia',
      channel: 'terminal',
    });
  });

  it.each([
    ['no', 'DECLINED'],
    ['y', 'PENDING'],
    ['', 'PENDING'],
    ['YES', 'PENDING'],
  ])('%j leaves the question %s', async (typed, state) => {
    const { id } = await ask();
    expect((await approve(typed, id)).code).toBe(1);
    expect(await find(id)).toMatchObject({ state });
  });

  it('asks again for what is no answer, and says how to answer what stays open', async () => {
    const { id } = await ask();
    const { output } = await approve('y', id);
    expect(output).toContain('Not answered: type yes or no in full');
    expect(output).toContain(
      `Still open; answer with: plimsoll approve ${id.slice(0, 8)} --ledger sqlite:${file}\n`,
    );
    const input = Object.assign(new PassThrough(), { isTTY: true });
    const typed = ['y', 'yes'];
    const out = Object.assign(new PassThrough(), { columns: 100 });
    out.setEncoding('utf8').on('data', (text: string) => {
      if (/Type the word|Not answered/.test(text)) input.write(`${typed.shift()}\n`);
    });
    const program = new Command().addCommand(approveCommand({ input, output: out }));
    await program.parseAsync(['approve', id, '--ledger', `sqlite:${file}`], { from: 'user' });
    expect(await find(id)).toMatchObject({ state: 'APPROVED' });
  });

  it('covers more where the card offers it, by the name of it', async () => {
    const { id } = await ask();
    const { code, output } = await approve('yes arguments', id);
    expect(code).toBe(0);
    expect(output).toContain('"yes arguments" for this tool with these arguments');
    const [grant] = await withApprovals((approvals) => approvals.listGrants());
    expect(grant).toMatchObject({ approval: id, approver: 'mia' });
  });

  it.each(['yes lasting', 'yes everything', 'yes please, no'])(
    'leaves the question open for %j, which the card does not offer',
    async (typed) => {
      const { id } = await ask();
      expect((await approve(typed, id)).code).toBe(1);
      expect(await find(id)).toMatchObject({ state: 'PENDING' });
    },
  );

  it('declines with the reason that the agent is told', async () => {
    const { id } = await ask();
    await approve('no, archive it instead', id);
    expect(await find(id)).toMatchObject({ state: 'DECLINED', reason: 'archive it instead' });
  });

  it.each([
    ['typed', 'no', []],
    ['as an option', undefined, ['--no']],
  ])('declines with the reason of --reason, where the no is %s', async (_, typed, flags) => {
    const { id } = await ask();
    await approve(typed, id, ...flags, '--reason', 'archive it instead');
    expect(await find(id)).toMatchObject({ state: 'DECLINED', reason: 'archive it instead' });
  });

  it('is told when the question was answered elsewhere meanwhile', async () => {
    const { id, display } = await ask();
    const input = Object.assign(new PassThrough(), { isTTY: true });
    const output = Object.assign(new PassThrough(), { columns: 100 });
    let shown = '';
    output.setEncoding('utf8').on('data', (text: string) => (shown += text));
    const program = new Command().addCommand(approveCommand({ input, output }));
    const run = program.parseAsync(['approve', id, '--ledger', `sqlite:${file}`], { from: 'user' });
    await vi.waitUntil(() => shown.includes('Type the word'));
    await withApprovals((approvals) =>
      approvals.answer(id, { kind: 'approve', approver: 'ann', channel: 'console', display }),
    );
    await run;
    expect(shown).toContain(`question ${id.slice(0, 8)} was approved by ann in the console`);
    expect(process.exitCode).toBe(0);
    expect(await find(id)).toMatchObject({ state: 'APPROVED', approver: 'ann' });
  });

  it.each([
    [0, 80],
    [30, 40],
    [60, 60],
  ])('of %s columns gets lines of at most %d', async (columns, most) => {
    const { id } = await ask(JSON.stringify({ note: 'x'.repeat(300) }));
    const input = Object.assign(new PassThrough(), { isTTY: true });
    const output = Object.assign(new PassThrough(), { columns });
    let shown = '';
    output.setEncoding('utf8').on('data', (text: string) => {
      shown += text;
      if (text.includes('Type the word')) input.write('no\n');
    });
    const program = new Command().addCommand(approveCommand({ input, output }));
    await program.parseAsync(['approve', id, '--ledger', `sqlite:${file}`], { from: 'user' });
    const [card = '', rest = ''] = shown.split('Question ');
    expect(Math.max(...card.split('\n').map((line) => line.length))).toBe(most);
    const [prompt = ''] = /^Type.*to decline/ms.exec(rest) ?? [];
    expect(Math.max(...prompt.split('\n').map((line) => line.length))).toBeLessThanOrEqual(most);
  });

  it('shows that the caller is gone', async () => {
    const { id } = await ask();
    await withApprovals((approvals) => approvals.mark(id, 'caller-gone'));
    expect((await approve('', id)).output).toContain('The caller has disconnected');
    expect((await approve(undefined, '--list')).output).toContain('caller disconnected');
  });

  it('goes through all that waits', async () => {
    const ids = [(await ask('{"n":1}')).id, (await ask('{"n":2}')).id];
    const { code, output } = await approve('yes');
    expect(code).toBe(0);
    expect(output.match(/approved [\da-f]{32} as mia/g)).toHaveLength(2);
    for (const id of ids) expect(await find(id)).toMatchObject({ state: 'APPROVED' });
  });

  it('gives a wider yes when told so, and only where it is offered', async () => {
    const { id } = await ask();
    const { output } = await approve('yes', id, '--grant', 'session');
    expect(output).toContain('approve this tool in this session for 15 minutes');
    expect(await withApprovals((approvals) => approvals.listGrants())).toHaveLength(1);
    const narrow = await ask('{"n":1}', { scopes: ['call'] });
    expect((await approve('yes', narrow.id, '--grant', 'session')).code).toBe('CliError');
    expect(await find(narrow.id)).toMatchObject({ state: 'PENDING' });
  });
});

describe('without a terminal', () => {
  it('lists, and says when nothing waits', async () => {
    await withApprovals(async () => {});
    expect(await approve(undefined)).toMatchObject({ code: 3, output: '' });
    const { id, display } = await ask(ARGUMENTS, { principal: 'agent\u202e' });
    const { code, output } = await approve(undefined);
    expect(code).toBe(0);
    expect(output).toContain(id);
    expect(output).toContain(display.slice(0, 8));
    expect(output).toContain('agent⟨U+202E⟩');
    const json = JSON.parse((await approve(undefined, '--json')).output) as unknown;
    expect(json).toMatchObject([{ id, display, state: 'PENDING' }]);
    expect(await find(id)).toMatchObject({ state: 'PENDING' });
  });

  it('never approves by what is piped in', async () => {
    const { id } = await ask();
    const { code, error } = await approve(undefined, id);
    expect(code).toBe('CliError');
    expect(error).toContain('no terminal');
    expect(await find(id)).toMatchObject({ state: 'PENDING' });
  });

  it('approves only what was shown', async () => {
    const { id, display } = await ask();
    for (const args of [[], ['--display', display.slice(0, 7)], ['--display', '0'.repeat(64)]]) {
      expect((await approve(undefined, id, '--yes', ...args)).code).toBe('CliError');
      expect(await find(id)).toMatchObject({ state: 'PENDING' });
    }
    const shown = display.slice(0, 8);
    expect((await approve(undefined, id.slice(0, 8), '--yes', '--display', shown)).code).toBe(0);
    expect(await find(id)).toMatchObject({ state: 'APPROVED' });
  });

  it('answers a script in JSON', async () => {
    const { id, display } = await ask();
    const yes = await approve(undefined, id, '--yes', '--display', display, '--json');
    const decided = { id, decision: 'approved', approver: 'mia' };
    expect([yes.code, JSON.parse(yes.output)]).toEqual([0, decided]);
  });

  it('declines, and cannot take it back', async () => {
    const { id, display } = await ask();
    expect((await approve(undefined, id, '--no')).code).toBe(1);
    expect(await find(id)).toMatchObject({ state: 'DECLINED' });
    const again = await approve(undefined, id, '--yes', '--display', display);
    expect(again).toMatchObject({ code: 'CliError' });
    expect(await find(id)).toMatchObject({ state: 'DECLINED' });
  });

  it('wants to know which one', async () => {
    await ask();
    expect((await approve(undefined, '--no')).error).toContain('require the id');
    expect((await approve(undefined, 'ffff', '--no')).error).toContain('at least 6 characters');
    expect((await approve(undefined, 'ffffffff', '--no')).error).toContain(
      'no question has the id ffffffff',
    );
    expect((await approve(undefined, '%_%_%_%', '--no')).error).toContain('no question');
  });

  it('takes the first 6 characters, unless they fit several', async () => {
    const ids = [await ask('{"n":1}'), await ask('{"n":2}')].map(({ id }) => id);
    const twin = `${ids[0]?.slice(0, 7)}${'0'.repeat(25)}`;
    const set = { id: twin };
    await using store = await openSqliteStore(file);
    await store.transaction((tx) => tx.update('approvals', { id: ids[1] ?? '' }, set));
    const short = twin.slice(0, 6);
    const { code, error } = await approve(undefined, short, '--no');
    expect(code).toBe('CliError');
    expect(error).toContain(`${short} matches 2 questions`);
    for (const id of [ids[0], twin]) expect(error).toContain(id);
    expect((await approve(undefined, ids[0] ?? '', '--no')).code).toBe(1);
    expect((await approve(undefined, short, '--no')).code).toBe(1);
    expect(await find(twin)).toMatchObject({ state: 'DECLINED' });
  });

  it('says what became of a question that is no longer open', async () => {
    const [declined, withdrawn] = [await ask('{"n":1}'), await ask('{"n":2}')];
    await approve(undefined, declined.id, '--no');
    await withApprovals((approvals) => approvals.withdraw(withdrawn.id, 'cancelled'));
    const first = await approve(undefined, declined.id.slice(0, 8), '--no');
    expect(first.error).toBe(
      `question ${declined.id.slice(0, 8)} was declined by mia at a terminal`,
    );
    const second = await approve('yes', withdrawn.id.slice(0, 8));
    expect(second.error).toContain('was withdrawn: the caller cancelled the call');
  });
});

describe('watching', () => {
  it('asks about what comes, until stopped', async () => {
    const { id } = await ask('{"n":1}');
    const running = approve('yes', '--watch');
    await expect.poll(async () => (await find(id))?.state).toBe('APPROVED');
    const later = await ask('{"n":2}');
    await expect.poll(async () => (await find(later.id))?.state).toBe('APPROVED');
    process.emit('SIGTERM');
    const { code, error } = await running;
    expect(code).toBe(0);
    expect(error).toContain('Waiting for calls that ask. Ctrl-C stops.\n');
  });

  it('waits for the default ledger, which the first gate makes', async () => {
    vi.stubEnv('XDG_STATE_HOME', join(folder, 'waiting'));
    const output = new PassThrough();
    let shown = '';
    output.setEncoding('utf8').on('data', (text: string) => (shown += text));
    const told = vi.spyOn(process.stderr, 'write');
    const program = new Command().addCommand(approveCommand({ input: new PassThrough(), output }));
    const running = program.parseAsync(['approve', '--watch', '--json'], { from: 'user' });
    await wait(600);
    {
      await using ledger = await openLedger(defaultLedgerAddress());
      await openApprovals(ledger.store).request(toTestQuestion());
    }
    await expect.poll(() => shown, { timeout: 10_000 }).toContain('"state":"PENDING"');
    process.emit('SIGTERM');
    await running;
    expect(process.exitCode).toBe(0);
    expect(told).not.toHaveBeenCalled();
  });

  it('does not wait for a ledger that was named and is not there', async () => {
    const named = await runMain(['approve', '--watch', '--ledger', `sqlite:${folder}/none.sqlite`]);
    expect([named.code, named.stderr]).toEqual([2, expect.stringContaining('there is no ledger')]);
  });

  it('ends while there is no ledger yet', async () => {
    vi.stubEnv('XDG_STATE_HOME', join(folder, 'never'));
    const running = runMain(['approve', '--watch']);
    await wait(300);
    process.emit('SIGTERM');
    expect(await running).toMatchObject({
      code: 0,
      stderr: 'Waiting for calls that ask. Ctrl-C stops.\n',
    });
  });
});
