/** The words that start this very Plimsoll from anywhere: a host finds neither our name nor our Node on its path. */
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { VERSION } from '../lib/version.ts';

export function ownCommand(): readonly [string, ...string[]] {
  // From a checkout: the script that finds the right Node.
  if (import.meta.url.endsWith('.ts'))
    return [fileURLToPath(new URL('../../bin/plimsoll', import.meta.url))];
  const script = realpathSync(fileURLToPath(new URL('main.js', import.meta.url)));
  // What npx has fetched is removed again some day.
  if (/[\\/]_npx[\\/]/.test(script)) return ['npx', '-y', `plimsoll@${VERSION}`];
  return [process.execPath, script];
}
