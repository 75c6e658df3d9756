/** The faults that this test's own process and the processes that it started have written down. */
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const FAULTS_FILE: string = join(tmpdir(), `plimsoll-faults-${process.pid}`);

let expected: RegExp[] = [];

/** For a test that provokes a fault: those that match are no reason to fail, for this test alone. */
export function expectFaults(pattern: RegExp): void {
  expected.push(pattern);
}

/** Those since the last time that no test expected. */
export function takeFaults(): readonly string[] {
  const faults = readFaults().filter((fault) => !expected.some((pattern) => pattern.test(fault)));
  rmSync(FAULTS_FILE, { force: true });
  expected = [];
  return faults;
}

function readFaults(): readonly string[] {
  let text: string;
  try {
    text = readFileSync(FAULTS_FILE, 'utf8');
  } catch {
    return [];
  }
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as string);
}
