/** `plimsoll ledger unknown`: the calls of which nobody knows whether they happened. */
import { Command } from 'commander';
import { sweepKeyRecords } from '../ledger/idempotency/sweeper.ts';
import type { KeyRecordRow } from '../ledger/tables.ts';
import { toVisible } from './audit-filters.ts';
import { LEDGER_OPTION, withStore } from './ledger-access.ts';

interface UnknownFlags {
  readonly ledger: string;
  readonly json?: true;
}

const MOST = 10_000;

const EXAMPLES = `
Examples:
  plimsoll ledger unknown --ledger sqlite:ledger.sqlite
  plimsoll ledger unknown --ledger sqlite:ledger.sqlite --json`;

export function ledgerUnknownCommand(): Command {
  return new Command('unknown')
    .description('list calls that may or may not have happened, the oldest first')
    .requiredOption(...LEDGER_OPTION)
    .option('--json', 'print a JSON list')
    .addHelpText('after', EXAMPLES)
    .action(run);
}

async function run({ ledger, json }: UnknownFlags): Promise<void> {
  const rows = await withStore(ledger, async (store) => {
    // Whoever asks while nothing else runs must see what a crash has left behind.
    await sweepKeyRecords(store);
    return store.transaction((tx) =>
      tx.list('key_records', { where: { state: 'UNKNOWN' }, orderBy: 'updated_at', limit: MOST }),
    );
  });
  if (json) {
    process.stdout.write(`${JSON.stringify(rows.map(toShown), null, 2)}\n`);
    return;
  }
  if (rows.length === 0) process.stderr.write('nothing is unknown\n');
  process.stdout.write(rows.map(toText).join(''));
}

function toShown(row: KeyRecordRow) {
  return {
    id: row.id,
    operation: row.operation,
    principal: row.principal,
    tenant: row.tenant,
    keyHint: row.key_hint,
    since: new Date(row.updated_at).toISOString(),
    dispatchedAt: new Date(row.dispatched_at).toISOString(),
    attempt: row.attempt,
    effectClass: row.effect_class,
  };
}

function toText(row: KeyRecordRow): string {
  const { id, operation, principal, keyHint, since, attempt } = toShown(row);
  const who = principal === '' ? '-' : principal;
  const line = `${operation}  by ${who}  key ${keyHint}…  since ${since}`;
  return `${id}\n  ${toVisible(line)}\n  attempt ${toVisible(attempt)}\n`;
}
