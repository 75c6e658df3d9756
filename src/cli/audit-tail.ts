/** `plimsoll audit tail`: the last receipts, and, when asked, those that come. */
import { setTimeout as wait } from 'node:timers/promises';
import { Command } from 'commander';
import { listNewest, readAfter } from '../ledger/receipts/read-receipts.ts';
import type { Store } from '../ledger/store.ts';
import type { ReceiptRow } from '../ledger/tables.ts';
import type { FilterFlags } from './audit-filters.ts';
import { toCount, toFilter, withFilters, toLine, printLines } from './audit-filters.ts';
import { LEDGER_OPTION, withStore } from './ledger-access.ts';
import { untilStopped } from './until-stopped.ts';

interface TailFlags extends FilterFlags {
  readonly ledger: string;
  readonly lines: number;
  readonly follow?: true;
  readonly json?: true;
}

const POLL_MS = 500;

const EXAMPLES = `
Examples:
  plimsoll audit tail --ledger sqlite:ledger.sqlite
  plimsoll audit tail --ledger sqlite:ledger.sqlite --follow --open-world`;

export function auditTailCommand(): Command {
  return withFilters(new Command('tail'))
    .description('print the last receipts, the newest last')
    .requiredOption(...LEDGER_OPTION)
    .option('--lines <count>', 'how many at first', toCount, 10)
    .option('--follow', 'go on with those that come, until stopped')
    .option('--json', 'print each receipt as a line of JSON')
    .addHelpText('after', EXAMPLES)
    .action(run);
}

async function run(flags: TailFlags): Promise<void> {
  await withStore(flags.ledger, (store) => printLines(readLines(store, flags)));
}

async function* readLines(store: Store, flags: TailFlags): AsyncGenerator<string, void> {
  for await (const row of readRows(store, flags)) yield flags.json ? row.body : toLine(row);
}

async function* readRows(store: Store, flags: TailFlags): AsyncGenerator<ReceiptRow, void> {
  const filter = toFilter(flags);
  const [newest] = await listNewest(store, {}, 1);
  const rows = await listNewest(store, filter, flags.lines);
  yield* rows.toReversed();
  if (!flags.follow) return;
  let after = Math.max(newest?.seq ?? -1, rows[0]?.seq ?? -1);
  const stopped = untilStopped().then(() => 'stopped' as const);
  do {
    for await (const row of readAfter(store, filter, after)) {
      yield row;
      after = row.seq;
    }
  } while ((await Promise.race([stopped, wait(POLL_MS)])) !== 'stopped');
}
