/** `plimsoll audit list`: the newest receipts, by whatever is asked for. */
import { Command } from 'commander';
import { listNewest } from '../ledger/receipts/read-receipts.ts';
import type { FilterFlags } from './audit-filters.ts';
import { toCount, toFilter, withFilters, toLine } from './audit-filters.ts';
import { LEDGER_OPTION, withStore } from './ledger-access.ts';

interface ListFlags extends FilterFlags {
  readonly ledger: string;
  readonly limit: number;
  readonly json?: true;
}

const EXAMPLES = `
Examples:
  plimsoll audit list --ledger sqlite:ledger.sqlite
  plimsoll audit list --ledger sqlite:ledger.sqlite --open-world --since 7d
  plimsoll audit list --ledger sqlite:ledger.sqlite --tier external_spend --principal alice --json`;

export function auditListCommand(): Command {
  return withFilters(new Command('list'))
    .description('list the newest receipts, the newest first')
    .requiredOption(...LEDGER_OPTION)
    .option('--limit <count>', 'how many at most', toCount, 50)
    .option('--json', 'print a JSON list of the receipts')
    .addHelpText('after', EXAMPLES)
    .action(run);
}

async function run(flags: ListFlags): Promise<void> {
  const rows = await withStore(flags.ledger, (store) =>
    listNewest(store, toFilter(flags), flags.limit),
  );
  if (flags.json) {
    const receipts = rows.map((row) => JSON.parse(row.body) as unknown);
    process.stdout.write(`${JSON.stringify(receipts, null, 2)}\n`);
    return;
  }
  if (rows.length === 0) process.stderr.write('no such receipts\n');
  process.stdout.write(rows.map((row) => `${toLine(row)}\n`).join(''));
}
