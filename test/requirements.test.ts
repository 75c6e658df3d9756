/** How requirements are counted, and that every label that names one can be counted. */
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  compareCount,
  countRequirements,
  isFewer,
  readRecordedCount,
  readRequirements,
} from '../scripts/count-requirements.ts';
import { TEST_FILES } from './setup/projects.ts';

/** Its samples name requirements that do not exist. */
const THIS_FILE = 'test/requirements.test.ts';

const WORDING = { R1: 'one', R2: 'two', R3: 'three' };
const passed = (title: string) => ({ title, hasPassed: true });
const failed = (title: string) => ({ title, hasPassed: false });

describe('a requirement', () => {
  it('is shown when a test that names it passed', () => {
    const count = countRequirements([passed('R1 R3: works')], WORDING);
    expect(count.shown).toEqual(['R1', 'R3']);
    expect(count.uncovered).toEqual([['R2', 'two']]);
    expect(count.summary).toBe('2 of 3 requirements shown');
  });

  it('is not shown when any test that names it failed or was skipped', () => {
    const tests = [passed('R1: here'), failed('R1 R2: there'), passed('R3: too')];
    expect(countRequirements(tests, WORDING).shown).toEqual(['R3']);
  });

  it('is not the one whose number merely begins alike', () => {
    expect(countRequirements([passed('R10: ten'), passed('XR2')], WORDING).shown).toEqual([]);
  });
});

describe('the recorded count', () => {
  const two = countRequirements([passed('R1 R2: works')], WORDING);

  it('fails a run that shows fewer, and only that', () => {
    expect([1, 2, 3].map((recorded) => isFewer(two, recorded))).toEqual([false, false, true]);
  });

  it('says what to do about any other number', () => {
    expect(compareCount(two, 2)).toBeUndefined();
    expect(compareCount(two, 3)).toMatch(/^3 must be shown; npm run requirements/);
    expect(compareCount(two, 1)).toMatch(/raise it to 2$/);
  });

  it('is one that can be reached', () => {
    expect(readRecordedCount()).toBeLessThanOrEqual(Object.keys(readRequirements()).length);
  });
});

describe('requirement numbers', () => {
  const known = readRequirements();
  /** Labels are also in tables of cases, in suites for several stores and in helpers of tests. */
  const files = globSync([...TEST_FILES, '{test,examples}/**/*.ts', 'src/**/*.cases.json'], {
    exclude: ['**/node_modules/**'],
  });
  const labels = [...new Set(files)].flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\bR\d+\b/g)].map(([id]) => ({ file, id })),
  );

  it('are all there, in order', () => {
    const numbers = Array.from({ length: 228 }, (_, index) => `R${index + 1}`);
    expect(Object.keys(known)).toEqual(numbers);
  });

  it('in labels all exist', () => {
    expect(labels.length).toBeGreaterThan(200);
    expect(labels.filter(({ file }) => file.endsWith('.cases.json')).length).toBeGreaterThan(10);
    expect(labels.filter(({ file }) => file.endsWith('.contract.ts')).length).toBeGreaterThan(0);
    const strange = labels.filter(({ file, id }) => !(id in known) && file !== THIS_FILE);
    expect(strange).toEqual([]);
  });

  it('are in titles of tests, since a group shows nothing by itself', () => {
    const groups = files.filter((file) =>
      /^ *describe\b.*\bR\d+\b/m.test(readFileSync(file, 'utf8')),
    );
    expect(groups).toEqual([]);
  });
});
