/** The package as people get it: built, packed, and installed by npm into a folder of its own. */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from '../../scripts/build.ts';

const run = promisify(execFile);
const PACKED = ['package.json', 'README.md', 'CHANGELOG.md', 'docs'];

/** As `npm install --global` does for a user whose prefix this is. Gives the folder of the commands. */
export async function installPackage(prefix: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-packed-'));
  try {
    const staged = join(folder, 'staged');
    await build(staged);
    for (const part of PACKED) cpSync(part, join(staged, part), { recursive: true });
    const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
    const { stdout } = await run('npm', pack, { cwd: staged });
    // What set-up has fetched before is taken from the cache.
    const quickly = ['--prefer-offline', '--no-audit', '--no-fund', '--silent'];
    const file = join(folder, stdout.trim());
    await run('npm', ['install', '--global', '--prefix', prefix, ...quickly, file]);
  } finally {
    rmSync(folder, { recursive: true });
  }
  return join(prefix, 'bin');
}
