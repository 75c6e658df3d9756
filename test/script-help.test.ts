/** `--help` of the scripts that measure: the usage, and nothing is measured. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
}; // our own file

it.each([
  'bench',
  'bench:audit',
  'bench:console',
  'bench:growth',
  'bench:list',
  'bench:peers',
  'bench:regression',
  'score',
  'second-opinion',
])('npm run %s -- --help prints how it is used', (name) => {
  const [, ...words] = scripts[name]?.split(' ') ?? [];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...words, '--help'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain(`npm run ${name} -- `);
});
