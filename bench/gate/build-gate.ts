/** Builds the package as it is published, into its own folder: stripping types must not count. */
import { copyFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from '../../scripts/build.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Returns the path of the `plimsoll` script. */
export async function buildGate(folder: string): Promise<string> {
  await build(folder);
  copyFileSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return join(folder, 'dist/cli/main.js');
}
