/**
 * Where the one console of a user for a ledger is, and whether it runs. Its port is chosen once and kept,
 * so that its address stays the same. Whoever asks it for proof learns whether it is a console of this
 * ledger or a stranger on that port.
 */
import type { KeyObject } from 'node:crypto';
import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSameInConstantTime } from '../lib/secret.ts';
import { keptConsoleName } from './console-name.ts';

export const ALIVE_PATH = '/alive';

/** Below the ports that systems give to outgoing connections. */
const LEAST_PORT = 20_000;
const MOST_PORT = 32_000;
const ASK_MS = 2000;

export interface ConsolePlace {
  /** Without a trailing slash. */
  readonly url: string;
  readonly name: string;
  readonly port: number;
}

/** `folder`: where the user's own files are. */
export async function keptPlace(folder: string, ledger: string): Promise<ConsolePlace> {
  const name = await keptConsoleName(folder);
  const port = readNumber(ownFile(folder, ledger, 'port')) ?? keepPort(folder, ledger);
  return { url: `http://${name}.localhost:${port}`, name, port };
}

/** When a stranger has the port. What was signed in there does not count at the new one. */
export function dropPort(folder: string, ledger: string): void {
  rmSync(ownFile(folder, ledger, 'port'), { force: true });
}

/** The process that runs it, for `plimsoll console --stop`; deleted when it ends. */
export function keepPid(folder: string, ledger: string): Disposable {
  const file = ownFile(folder, ledger, 'pid');
  writeFileSync(file, `${process.pid}\n`, { mode: 0o600 });
  return { [Symbol.dispose]: () => rmSync(file, { force: true }) };
}

export function findPid(folder: string, ledger: string): number | undefined {
  return readNumber(ownFile(folder, ledger, 'pid'));
}

/** What only a console of this ledger can say to a nonce. */
export function proveConsole(key: KeyObject, port: number, nonce: string): string {
  return createHmac('sha256', key).update(`alive ${port} ${nonce}`).digest('base64url');
}

/** `stranger`: something listens there that is no console of this ledger. */
export async function askPort(
  port: number,
  key: KeyObject,
): Promise<'ours' | 'stranger' | 'nobody'> {
  const nonce = randomBytes(16).toString('hex');
  const url = `http://127.0.0.1:${port}${ALIVE_PATH}?nonce=${nonce}`;
  try {
    const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(ASK_MS) });
    const said = answer.ok ? (await answer.text()).slice(0, 100) : '';
    return isSameInConstantTime(said, proveConsole(key, port, nonce)) ? 'ours' : 'stranger';
  } catch (error) {
    const { cause } = error as { readonly cause?: { readonly code?: unknown } };
    return cause?.code === 'ECONNREFUSED' ? 'nobody' : 'stranger';
  }
}

function keepPort(folder: string, ledger: string): number {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = ownFile(folder, ledger, 'port');
  const beside = `${file}.${randomBytes(4).toString('hex')}`;
  const port = randomInt(LEAST_PORT, MOST_PORT);
  writeFileSync(beside, `${port}\n`, { mode: 0o600, flag: 'wx' });
  try {
    // A link, because another process may have been first: its port stays.
    linkSync(beside, file);
    return port;
  } catch (error) {
    const winner = readNumber(file);
    if (winner !== undefined) return winner;
    throw error;
  } finally {
    rmSync(beside);
  }
}

/** The address may hold a password, so the file is named by its digest. */
function ownFile(folder: string, ledger: string, what: 'port' | 'pid'): string {
  const digest = createHash('sha256').update(ledger).digest('hex');
  return join(folder, `console-${what}-${digest.slice(0, 16)}`);
}

function readNumber(file: string): number | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const number = Number(text);
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new TypeError(`${file} holds no number; delete it, and a new one is made`);
}
