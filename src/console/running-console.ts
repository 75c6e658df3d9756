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

/** When a stranger has that port, unless another process moved away from it already. Earlier sign-ins do not count at the new one. */
export function dropPort(folder: string, ledger: string, port: number): void {
  const file = ownFile(folder, ledger, 'port');
  if (readNumber(file) === port) rmSync(file, { force: true });
}

/** What only a console of this ledger can say to a nonce. */
export function proveConsole(key: KeyObject, port: number, nonce: string): string {
  return createHmac('sha256', key).update(`alive ${port} ${nonce}`).digest('base64url');
}

/**
 * `stranger`: something answers there that is no console of this ledger. `silent`: something listens and
 * does not answer in time, which a busy console may do as well.
 */
export async function askPort(
  port: number,
  key: KeyObject,
): Promise<'ours' | 'stranger' | 'silent' | 'nobody'> {
  const nonce = randomBytes(16).toString('hex');
  const url = `http://127.0.0.1:${port}${ALIVE_PATH}?nonce=${nonce}`;
  try {
    const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(ASK_MS) });
    const said = answer.ok ? (await answer.text()).slice(0, 100) : '';
    return isSameInConstantTime(said, proveConsole(key, port, nonce)) ? 'ours' : 'stranger';
  } catch (error) {
    const { cause } = error as { readonly cause?: Readonly<Record<'code' | 'name', unknown>> };
    if (cause?.code === 'ECONNREFUSED') return 'nobody';
    // A console that ends closes its connections; what does not speak HTTP is none.
    return cause?.name === 'HTTPParserError' ? 'stranger' : 'silent';
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
export function ownFile(folder: string, ledger: string, what: 'port' | 'pid'): string {
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
