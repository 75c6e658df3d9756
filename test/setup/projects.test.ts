import { globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { reachOf, sortTests, TEST_FILES } from './projects.ts';

const { pure, system } = sortTests();

describe('the projects of the tests', () => {
  it('hold every test file, each once', () => {
    const all = globSync([...TEST_FILES], { exclude: ['**/node_modules/**'] });
    expect([...pure, ...system].toSorted()).toEqual(all.toSorted());
    expect(pure.length).toBeGreaterThan(100);
    expect(system.length).toBeGreaterThan(50);
  });

  it('are chosen by what a file reaches through others', () => {
    expect(reachOf('test/setup/fail-on-faults.test.ts')).toEqual([
      'node:child_process (from test/setup/fail-on-faults.test.ts)',
    ]);
    const through = reachOf('test/fixtures/faulty/call-spoilt-gate.ts');
    expect(through.some((line) => line.startsWith('node:sqlite (from src/ledger/'))).toBe(true);
    expect(reachOf('test/setup/projects.test.ts')).toEqual([]);
  });

  it('are pure exactly where nothing reaches out', () => {
    expect(pure.filter((file) => reachOf(file).length > 0)).toEqual([]);
    expect(system.filter((file) => reachOf(file).length === 0)).toEqual([]);
  });
});
