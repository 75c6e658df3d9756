/** The commands by which a person answers, as they are written into texts: ready for a shell, without a password. */
import { resolve } from 'node:path';

const SQLITE = 'sqlite:';
const IN_MEMORY = 'sqlite::memory:';
const PLAIN = /^[\w@%+=:,./-]+$/;

export function toApproveCommand(shortId: string, ledgerHint?: string): string {
  return `plimsoll approve ${shortId}${toFlag(ledgerHint)}`;
}

export function toConsoleCommand(ledgerHint?: string): string {
  return `plimsoll console${toFlag(ledgerHint)}`;
}

/** How the ledger of a gate is named in another folder and shell. */
export function toLedgerHint(address: string): string {
  if (address.startsWith(SQLITE) && address !== IN_MEMORY) {
    return quote(`${SQLITE}${resolve(address.slice(SQLITE.length))}`);
  }
  const url = URL.parse(address);
  if (url === null) return quote(address);
  // Parameters may hold a password too.
  url.password = '';
  url.search = '';
  return quote(url.href);
}

function toFlag(ledgerHint: string | undefined): string {
  return ledgerHint === undefined ? '' : ` --ledger ${ledgerHint}`;
}

function quote(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
