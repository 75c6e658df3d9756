import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { pruneLater } from './cache-compiled.ts';
import { pruneCompiled } from './prune-compiled.ts';

const DAY = 86_400_000;

let home: string;
let folder: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'plimsoll-compiled-'));
  folder = join(home, 'plimsoll', 'compiled');
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(home, { recursive: true });
});

function keep(version: string, name: string, daysAgo: number): string {
  const file = join(folder, version, name);
  mkdirSync(join(folder, version), { recursive: true });
  writeFileSync(file, 'code');
  const then = new Date(Date.now() - daysAgo * DAY);
  utimesSync(file, then, then);
  return file;
}

describe('compiled code that is kept', () => {
  it('is deleted once it is a month old, with the folder of a Node that is gone', async () => {
    keep('v22.18.0', 'a', 40);
    keep('v22.18.0', 'b', 31);
    keep('v24.21.0', 'old', 31);
    keep('v24.21.0', 'new', 29);
    await pruneCompiled(folder, Date.now());
    expect(readdirSync(folder)).toEqual(['v24.21.0']);
    expect(readdirSync(join(folder, 'v24.21.0'))).toEqual(['new']);
  });

  it('is not followed out of its folder', async () => {
    const outside = join(home, 'mine');
    mkdirSync(outside);
    writeFileSync(join(outside, 'file'), 'text');
    const then = new Date(Date.now() - 90 * DAY);
    utimesSync(join(outside, 'file'), then, then);
    mkdirSync(folder, { recursive: true });
    symlinkSync(outside, join(folder, 'v24.21.0'));
    await pruneCompiled(folder, Date.now());
    expect(existsSync(join(outside, 'file'))).toBe(true);
  });

  it('need not be there', async () => {
    await expect(pruneCompiled(folder, Date.now())).resolves.toBeUndefined();
  });

  it('is looked at a minute after the start, not in its way', async () => {
    const old = keep('v22.18.0', 'a', 40);
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    pruneLater(folder);
    vi.advanceTimersByTime(59_999);
    expect(vi.getTimerCount()).toBe(1);
    expect(existsSync(old)).toBe(true);
    vi.advanceTimersByTime(1);
    vi.useRealTimers();
    await expect.poll(() => existsSync(old)).toBe(false);
  });
});
