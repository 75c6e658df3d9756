/** What people mistype to a script is one line for them, and exit code 2. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

const SEVEN_TIMES = Array.from({ length: 7 }, () => ['--only', 'http']);

describe('a script that was given something wrong', () => {
  it.each([
    ['scripts/score.ts', ['nofolder'], 'nofolder/labels.json cannot be read'],
    ['scripts/score.ts', ['--nosuch'], '--nosuch'],
    ['scripts/second-opinion.ts', ['nofolder'], 'nofolder/labels.json cannot be read'],
    ['bench/gate.ts', ['--only', 'nosuch'], '--only is one of stdio'],
    ['bench/gate.ts', ['--write-docs', '--era', '2025'], 'needs the 2026 era and no profiles'],
    ['bench/gate.ts', ['--write-docs', ...SEVEN_TIMES.flat()], 'needs all suites; omit --only'],
    ['bench/peers.ts', ['--only', 'stdio'], "Unknown option '--only'"],
    ['bench/audit-verify.ts', ['abc'], 'give a number of receipts'],
    ['bench/console-calls.ts', ['abc'], 'give a number of receipts'],
    ['bench/growth.ts', ['abc'], 'a number of receipts, from 1000 on'],
    ['scripts/crash-billing.ts', ['abc'], 'give a number of kills'],
  ])('%s %j says what', (script, args, reason) => {
    const flags = ['--conditions=plimsoll-source', '--disable-warning=ExperimentalWarning'];
    const { status, stderr } = spawnSync(process.execPath, [...flags, script, ...args], {
      encoding: 'utf8',
    });
    expect(stderr).toContain(reason);
    expect(stderr).not.toContain('    at ');
    expect(status).toBe(2);
  });
});
