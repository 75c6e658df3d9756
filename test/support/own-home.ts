/** A home folder of its own for each test, so that nothing of this machine's hosts and state is read or written. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, vi } from 'vitest';

/** Call it at the top of a test file. Returns the home of the test that runs. */
export function useOwnHome(): () => string {
  let home = '';
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'plimsoll-home-'));
    vi.stubEnv('HOME', home);
    vi.stubEnv('XDG_STATE_HOME', join(home, 'state'));
    vi.stubEnv('XDG_CONFIG_HOME', join(home, '.config'));
    vi.stubEnv('CODEX_HOME', '');
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
    process.exitCode = undefined;
    rmSync(home, { recursive: true });
  });
  return () => home;
}
