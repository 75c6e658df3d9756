import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { defaultLedgerAddress } from './default-address.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-state-'));
  vi.stubEnv('HOME', folder);
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

describe('the usual place of a ledger', () => {
  it('is under the state folder, for its owner alone', () => {
    vi.stubEnv('XDG_STATE_HOME', join(folder, 'state'));
    expect(defaultLedgerAddress()).toBe(`sqlite:${folder}/state/plimsoll/ledger.sqlite`);
    expect(statSync(join(folder, 'state/plimsoll')).mode & 0o777).toBe(0o700);
  });

  it.each([undefined, '', 'relative'])(
    'is under the home folder when XDG_STATE_HOME is %j',
    (set) => {
      vi.stubEnv('XDG_STATE_HOME', set);
      expect(homedir()).toBe(folder);
      expect(defaultLedgerAddress()).toBe(`sqlite:${folder}/.local/state/plimsoll/ledger.sqlite`);
    },
  );
});
