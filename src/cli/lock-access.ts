/** The lock that a command works on, the name that a server has in it, and whether its gate reads that lock. */
import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { showText } from '../gate/approvals/show-text.ts';
import { listWrapped } from '../gate/hosts/wrap-file.ts';
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

interface WrittenPins {
  readonly server: string;
  readonly file: string;
  /** Nobody named the server, so a gate may have another name for it. */
  readonly isDerived?: boolean;
}

/**
 * A host starts its gates in a folder of its choice and under its own names, so that pins made elsewhere
 * would silently not count.
 */
export async function warnOfOtherGate({
  server,
  file,
  isDerived = false,
}: WrittenPins): Promise<void> {
  const address = defaultLedgerAddress();
  const ledger = sqliteFile(address);
  const isThere = ledger !== undefined && existsSync(ledger);
  try {
    const { all } = isThere ? await withStore(address, readRegistry) : { all: [] };
    const gates = all.filter(({ name }) => name === server);
    if (gates.length === 0) {
      const host = listWrapped().find(
        ({ servers, state }) => state !== 'gone' && servers.includes(server),
      );
      if (host !== undefined) warn(toNotYetNote(server, host.file, file));
      else if (isDerived) warn(toNameNote(server));
    }
    const locks = gates.map(({ lock }) => lock);
    const [lock] = locks;
    if (lock === undefined || locks.includes(resolve(file))) return;
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

function warn(text: string): void {
  process.stderr.write(`plimsoll: ${showText(text)}\n`);
}

/** A host starts its gates in a folder of its choice, which only the gate itself can tell. */
function toNotYetNote(server: string, host: string, file: string): string {
  return (
    `the gate of ${server}, which is wrapped in ${host}, has not run yet, so it is not known which lock it reads; ` +
    `these pins, in ${file}, may not count for it. Start the host once and run this command again: it then names the lock`
  );
}

function toNameNote(server: string): string {
  const word = /^[\w.@-]+$/.test(server) ? server : JSON.stringify(server);
  return (
    `these pins hold at a gate named ${server}: plimsoll gate --name ${word} ...; for another gate, pass ` +
    "--server NAME (without --name, a gate's server is named server; a host's gate has the name in its configuration)"
  );
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
  if (source.kind === 'url') return URL.canParse(source.url) ? new URL(source.url).hostname : 'url';
  const words = [source.command, ...source.args];
  const significant = words.find((word) => !RUNNERS.has(word) && !word.startsWith('-'));
  return basename(significant ?? source.command).replace(/(?<=.)@.*$|\.[cm]?[jt]s$/, '');
}
