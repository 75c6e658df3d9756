/** Builds the package as it is published, into its own folder: stripping types must not count. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Returns the path of the `plimsoll` script. */
export function buildGate(folder: string): string {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const args = ['-p', join(ROOT, 'tsconfig.build.json'), '--outDir', join(folder, 'dist')];
  const { status } = spawnSync(process.execPath, [compiler, ...args], { stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error('the package does not build');
  copyFileSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return join(folder, 'dist/cli/main.js');
}
