/** The lock that a command works on, the name that a server has in it, and whether its gate reads that lock. */
import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { showText } from '../gate/approvals/show-text.ts';
import { readRegistry } from '../gate/registry.ts';
import type { ToolSource } from '../gate/tools/list-tools.ts';
import type { Lock } from '../gate/tools/lock.ts';
import { readLockFile } from '../gate/tools/lock.ts';
import { defaultLedgerAddress } from '../ledger/default-address.ts';
import { sqliteFile } from '../ledger/open-ledger.ts';
import { CliError } from './cli-error.ts';
import { withStore } from './ledger-access.ts';

export function loadLock(path: string): Lock {
  const reading = readLockFile(path);
  if (reading.kind === 'lock') return reading.lock;
  const faults = reading.faults.map(({ pointer, message }) => `${pointer || '/'}: ${message}`);
  throw new CliError(`${path} is not a valid lock: ${faults.join('; ')}`);
}

/** A host starts its gates in a folder of its choice, so that pins made elsewhere would silently not count. */
export async function warnOfOtherLock(server: string, file: string): Promise<void> {
  const address = defaultLedgerAddress();
  const ledger = sqliteFile(address);
  if (ledger === undefined || !existsSync(ledger)) return;
  const warn = (text: string): unknown => process.stderr.write(`plimsoll: ${showText(text)}\n`);
  try {
    const { servers } = await withStore(address, readRegistry);
    const lock = servers.find(({ name }) => name === server)?.lock;
    if (lock === undefined || lock === resolve(file)) return;
    warn(
      `these pins do not count for the gate of ${server}, which reads ${lock}; run the command again with --lock ${lock}`,
    );
  } catch (error) {
    // The pins are written already.
    warn(
      `it is not known whether the gate of ${server} reads these pins: ${(error as Error).message}`,
    );
  }
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
