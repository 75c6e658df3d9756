/** Why a ledger could not be opened, in one line for whoever runs a command. */
import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { NoLedgerError, OlderLedgerError } from '../ledger/check-version.ts';
import { sqliteFile } from '../ledger/open-ledger.ts';
import { CliError, CliFailure } from './cli-error.ts';

/** These say what is wrong with which part of what was given. */
const EXPLAINED: ReadonlySet<string> = new Set(['LedgerAddressError', 'LedgerKeyError']);

export const NONE_THERE = 'name one with --ledger, or start a gate or a server that creates it';

export function toLedgerFailure(address: string, error: unknown): unknown {
  if (error instanceof CliError || EXPLAINED.has((error as Error).name)) return error;
  const shown = withoutPassword(address);
  if (error instanceof OlderLedgerError) return new CliError(`${shown} ${error.message}`);
  if (error instanceof NoLedgerError)
    return new CliError(`${shown}: ${error.message}; ${NONE_THERE}`);
  const reason = whyNoFile(address) ?? reasonOf(error);
  return new CliFailure(`${shown} cannot be opened: ${reason}`);
}

/** For people to read: the user's name and password stay out of it. */
export function withoutPassword(address: string): string {
  return address.replace(/\/\/[^@/]*@/, '//');
}

/** SQLite only says that it is unable to. */
function whyNoFile(address: string): string | undefined {
  const file = sqliteFile(address);
  if (file === undefined) return undefined;
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
    return 'it is a folder; name a file';
  const folder = dirname(resolve(file));
  return existsSync(folder)
    ? undefined
    : `there is no folder ${folder}; create it, or name another file`;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? error.cause.message : '';
  return error.message.includes(cause) ? error.message : `${error.message} (${cause})`;
}
