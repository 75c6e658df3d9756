/** Tests that must fail, run by a vitest of their own. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';

interface Results {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly {
      readonly title: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

let results: Results['testResults'];

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-faulty-'));
  const output = join(folder, 'results.json');
  const config = ['--root', '.', '--config', 'test/fixtures/faulty/vitest.config.ts'];
  const args = ['run', ...config, '--reporter=json', `--outputFile=${output}`];
  await new Promise<void>((done) => {
    execFile('node_modules/.bin/vitest', args, () => done());
  });
  results = (JSON.parse(readFileSync(output, 'utf8')) as Results).testResults;
  rmSync(folder, { recursive: true });
});

function endsOf(file: string, reason: RegExp): readonly unknown[] {
  const found = results.find(({ name }) => name.endsWith(`/${file}`));
  return (found?.assertionResults ?? []).map(({ title, status, failureMessages }) => [
    title,
    status,
    reason.exec(failureMessages.join('\n'))?.[0],
  ]);
}

it('a test fails by a fault of the gate, in its own process or in another, unless it expects it', () => {
  expect(endsOf('faulty.ts', /the store is spoilt|nobody waits for this/)).toEqual([
    ['a fault in this process', 'failed', 'the store is spoilt'],
    ['a fault in a process that it starts', 'failed', 'the store is spoilt'],
    ['an uncaught error in a process that it starts', 'failed', 'nobody waits for this'],
    ['an expected fault', 'passed', undefined],
    ['no fault', 'passed', undefined],
  ]);
});

it('a pure test fails when it reaches out of its process', () => {
  expect(endsOf('impure.ts', /a pure test opened [^;]+/)).toEqual([
    ['starts a process', 'failed', 'a pure test opened a process'],
    ['opens a server and a connection', 'failed', 'a pure test opened a server, a connection'],
    ['does neither', 'passed', undefined],
  ]);
});
