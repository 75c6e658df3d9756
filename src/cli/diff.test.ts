/** `plimsoll diff` as a person runs it, in this process. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { diffCommand } from './diff.ts';
import { pinCommand } from './pin.ts';

const get = {
  name: 'get_note',
  description: 'Returns a note.',
  annotations: { readOnlyHint: true },
};
const wipe = { name: 'delete_all', description: 'Deletes every note.' };

let scratch = '';

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'plimsoll-diff-'));
  vi.stubEnv('XDG_STATE_HOME', join(scratch, 'state')); // never that of whoever runs the tests
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(scratch, { recursive: true });
  process.exitCode = undefined;
  vi.restoreAllMocks();
});

function save(name: string, tools: readonly unknown[]): string {
  const path = join(scratch, name);
  writeFileSync(path, JSON.stringify({ tools }));
  return path;
}

async function run(...args: readonly string[]): Promise<{ out: string; code: unknown }> {
  let out = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += String(text);
    return true;
  });
  const program = new Command('plimsoll').addCommand(diffCommand()).addCommand(pinCommand());
  try {
    await program.parseAsync([...args], { from: 'user' });
  } finally {
    vi.restoreAllMocks();
  }
  const code = process.exitCode;
  process.exitCode = undefined;
  return { out, code };
}

async function diff(before: readonly unknown[], after: readonly unknown[]) {
  return await run('diff', save('old.json', before), save('new.json', after));
}

describe('plimsoll diff', () => {
  it('says nothing of what is the same', async () => {
    expect(await diff([get], [get])).toEqual({ out: 'no tool changed\n', code: 0 });
  });

  it('tells what was added and removed, and which way that goes', async () => {
    expect(await diff([get], [get, wipe])).toEqual({
      out: 'riskier  added    delete_all\n\n1 riskier, 0 safer, 0 neutral\n',
      code: 1,
    });
    expect((await diff([get, wipe], [get])).out).toContain('safer    removed  delete_all');
    expect((await diff([get], [])).out).toContain('neutral  removed  get_note');
    expect(await diff([], [get])).toMatchObject({ code: 0 });
  });

  it('tells what changed, with the direction of each change', async () => {
    const worse = { ...get, annotations: { readOnlyHint: false } };
    const { out, code } = await diff([get], [worse]);
    expect(out).toMatch(
      /^riskier {2}changed {2}get_note\n {2}riskier {2}\/annotations\/readOnlyHint/,
    );
    expect(code).toBe(1);
    const back = await diff([worse], [get]);
    expect(back.out).toMatch(/^safer/);
    expect(back.code).toBe(0);
  });

  it('knows a renamed tool again, and shows no name raw', async () => {
    const { out } = await diff([get], [{ ...get, name: 'fetch_note\u001B[2J' }]);
    expect(out).toMatch(/renamed {2}fetch_note\S+ \(was get_note\)/);
    expect(out).not.toContain('\u001B');
    expect(out).not.toContain('removed');
  });

  it('prints JSON', async () => {
    const { out } = await run('diff', save('o.json', []), save('n.json', [wipe]), '--json');
    expect(JSON.parse(out)).toEqual({
      tools: [{ tool: 'delete_all', kind: 'added', direction: 'riskier', changes: [] }],
    });
  });

  it('takes a lock on either side, by the name of the server', async () => {
    const lock = join(scratch, 'lock.json');
    const notes = save('notes.json', [get]);
    await run('pin', notes, '--lock', lock, '--accept');
    expect((await run('diff', lock, notes)).out).toBe('no tool changed\n');
    expect((await run('diff', notes, lock)).out).toBe('no tool changed\n');
    await run('pin', save('other.json', [wipe]), '--lock', lock, '--accept');
    expect((await run('diff', lock, notes)).out).toBe('no tool changed\n');
    expect((await run('diff', lock, notes, '--server', 'other')).out).toContain('delete_all');
    const third = save('third.json', [get]);
    await expect(run('diff', lock, third)).rejects.toThrow(/--server/);
  });

  it('wants two sides that can be read', async () => {
    const path = save('old.json', []);
    await expect(run('diff', path)).rejects.toThrow(/pass two sources/);
    await expect(run('diff', path, path, path)).rejects.toThrow(/pass two sources/);
    await expect(run('diff', path, join(scratch, 'absent.json'))).rejects.toThrow(/absent/);
  });
});
