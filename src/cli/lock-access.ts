/** The lock that a command works on, and the name that a server has in it. */
import { basename } from 'node:path';
import type { ToolSource } from '../gate/tools/list-tools.ts';
import type { Lock } from '../gate/tools/lock.ts';
import { readLockFile } from '../gate/tools/lock.ts';
import { CliError } from './cli-error.ts';

export function loadLock(path: string): Lock {
  const reading = readLockFile(path);
  if (reading.kind === 'lock') return reading.lock;
  const faults = reading.faults.map(({ pointer, message }) => `${pointer || '/'}: ${message}`);
  throw new CliError(`${path} is not a valid lock: ${faults.join('; ')}`);
}

const RUNNERS = new Set([
  'npx',
  'uvx',
  'node',
  'bunx',
  'python',
  'python3',
  'deno',
  'docker',
  'run',
]);

/** For a server that nobody named. */
export function serverNameOf(source: ToolSource): string {
  if (source.kind === 'file') return basename(source.path).replace(/\.json$/, '');
  if (source.kind === 'url') return new URL(source.url).hostname;
  const words = [source.command, ...source.args];
  const significant = words.find((word) => !RUNNERS.has(word) && !word.startsWith('-'));
  return basename(significant ?? source.command).replace(/(?<=.)@.*$|\.[cm]?[jt]s$/, '');
}
