/** Why a ledger could not be opened, in one line for whoever runs a command. */
import { NoLedgerError, OlderLedgerError } from '../ledger/check-version.ts';
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
  return new CliFailure(`${shown} cannot be opened: ${reasonOf(error)}`);
}

/** For people to read: the user's name and password stay out of it. */
export function withoutPassword(address: string): string {
  return address.replace(/\/\/[^@/]*@/, '//');
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
