import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findLock, ownLock } from './lock.ts';

let scratch = '';

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'plimsoll-lock-'));
  vi.stubEnv('XDG_STATE_HOME', join(scratch, 'state'));
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(scratch, { recursive: true });
});

describe('the lock of a folder', () => {
  it('is among the files of the user, one for each folder, whatever it is reached by', () => {
    const [one, other, link] = ['a/project', 'b/project', 'link'].map((name) =>
      join(scratch, name),
    );
    mkdirSync(one ?? '', { recursive: true });
    mkdirSync(other ?? '', { recursive: true });
    symlinkSync(one ?? '', link ?? '');
    expect(ownLock(one ?? '')).toMatch(/\/state\/plimsoll\/locks\/project-[0-9a-f]{16}\.json$/);
    expect(ownLock(link ?? '')).toBe(ownLock(one ?? ''));
    expect(ownLock(other ?? '')).not.toBe(ownLock(one ?? ''));
    expect(ownLock('/')).toContain('/locks/root-');
  });

  it('is found in the folder itself only when it is there', () => {
    expect(findLock(scratch)).toBeUndefined();
    writeFileSync(join(scratch, 'plimsoll.lock.json'), '');
    expect(findLock(scratch)).toBe(join(scratch, 'plimsoll.lock.json'));
  });
});
