/** `plimsoll audit export`: receipts for other systems, one a line. */
import { Command, Option } from 'commander';
import { originOf } from '../ledger/receipts/checkpoint-note.ts';
import { findReceipt, readAfter } from '../ledger/receipts/read-receipts.ts';
import { toOcsf } from '../ledger/receipts/to-ocsf.ts';
import type { Store } from '../ledger/store.ts';
import type { FilterFlags } from './audit-filters.ts';
import { toFilter, withFilters, printLines } from './audit-filters.ts';
import { LEDGER_OPTION, withStore } from './ledger-access.ts';

interface ExportFlags extends FilterFlags {
  readonly ledger: string;
  readonly format: 'jsonl' | 'ocsf';
}

const EXAMPLES = `
A line of jsonl is the receipt exactly as it was signed; a line of ocsf is an OCSF 1.9.0 event.

Examples:
  plimsoll audit export --ledger sqlite:ledger.sqlite > receipts.jsonl
  plimsoll audit export --ledger sqlite:ledger.sqlite --format ocsf --open-world --since 1d`;

export function auditExportCommand(): Command {
  return withFilters(new Command('export'))
    .description('print receipts for other systems, the oldest first')
    .requiredOption(...LEDGER_OPTION)
    .addOption(new Option('--format <format>', 'how').choices(['jsonl', 'ocsf']).default('jsonl'))
    .addHelpText('after', EXAMPLES)
    .action(run);
}

async function run(flags: ExportFlags): Promise<void> {
  await withStore(flags.ledger, (store) => printLines(readLines(store, flags)));
}

async function* readLines(store: Store, flags: ExportFlags): AsyncGenerator<string, void> {
  const first = await findReceipt(store, '0');
  const origin = originOf(first?.leaf ?? '');
  for await (const row of readAfter(store, toFilter(flags))) {
    yield flags.format === 'ocsf' ? JSON.stringify(toOcsf(row, origin)) : row.body;
  }
}
