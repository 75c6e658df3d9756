/**
 * The host name that a user's consoles have under `.localhost`. Browsers send cookies to every port of a
 * host, so under 127.0.0.1 any program with a port on this machine would get the session. Nobody else's
 * page has this name. It is made once and then kept, so that the address stays the same.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { link, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const FILE = 'console-name';
const NAME = /^plimsoll-[\da-f]{32}$/;

export function newConsoleName(): string {
  return `plimsoll-${randomBytes(16).toString('hex')}`;
}

/** `folder`: where the user's own files are. */
export async function keptConsoleName(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, FILE);
  const kept = readName(file);
  if (kept !== undefined) return kept;
  const name = newConsoleName();
  const beside = `${file}.${name.slice(-8)}`;
  await writeFile(beside, `${name}\n`, { mode: 0o600, flag: 'wx' });
  try {
    // A link, because another process may have been first: its name stays.
    await link(beside, file);
    return name;
  } catch (error) {
    const winner = readName(file);
    if (winner !== undefined) return winner;
    throw error;
  } finally {
    await rm(beside);
  }
}

function readName(file: string): string | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  if (NAME.test(text)) return text;
  throw new TypeError(`${file} holds no console name; delete it, and a new one is made`);
}
