/** Why a ledger could not be opened, in one line for whoever runs a command. */
import { CliError, CliFailure } from './cli-error.ts';

/** These say what is wrong with which part of what was given. */
const EXPLAINED: ReadonlySet<string> = new Set(['LedgerAddressError', 'LedgerKeyError']);

export function toLedgerFailure(address: string, error: unknown): unknown {
  if (error instanceof CliError || EXPLAINED.has((error as Error).name)) return error;
  return new CliFailure(`${withoutPassword(address)} cannot be opened: ${reasonOf(error)}`);
}

/** For people to read: the user's name and password stay out of it. */
export function withoutPassword(address: string): string {
  return address.replace(/\/\/[^@/]*@/, '//');
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
