/** `plimsoll audit`: what was called, and whether the record of it is intact. */
import { setTimeout as wait } from 'node:timers/promises';
import { Command, Option } from 'commander';
import { readQuestionEnds } from '../gate/approvals/question-ends.ts';
import { originOf } from '../ledger/receipts/checkpoint-note.ts';
import {
  findReceipt,
  listNewest,
  listQuestionsOnce,
  readAfter,
} from '../ledger/receipts/read-receipts.ts';
import { toOcsf } from '../ledger/receipts/to-ocsf.ts';
import type { Store } from '../ledger/store.ts';
import type { ReceiptRow } from '../ledger/tables.ts';
import type { FilterFlags } from './audit-filters.ts';
import { printLines, toCount, toFilter, withFilters } from './audit-filters.ts';
import { auditShowCommand } from './audit-show.ts';
import { HEADER, LEAST_WIDTHS, toCells, toLine, widen } from './audit-table.ts';
import { auditVerifyCommand } from './audit-verify.ts';
import { LEDGER_OPTION, withStore } from './ledger-access.ts';
import { untilStopped } from './until-stopped.ts';

const EXAMPLES = `
Examples:
  plimsoll audit list --since 1h
  plimsoll audit tail --ledger sqlite:ledger.sqlite --open-world --follow
  plimsoll audit verify --ledger sqlite:ledger.sqlite --checkpoints checkpoints.txt`;

export function auditCommand(): Command {
  const audit = new Command('audit')
    .description('read receipts, and check that none was changed or removed')
    .showHelpAfterError('(run with --help to see all options)')
    .addHelpText('after', EXAMPLES)
    .addCommand(auditListCommand())
    .addCommand(auditShowCommand())
    .addCommand(auditTailCommand())
    .addCommand(auditVerifyCommand())
    .addCommand(auditExportCommand());
  for (const command of audit.commands) command.copyInheritedSettings(audit);
  return audit;
}

/** `plimsoll audit list`: the newest receipts that match the filters. */
interface ListFlags extends FilterFlags {
  readonly ledger?: string;
  readonly limit: number;
  readonly polls?: true;
  readonly json?: true;
}

const LIST_EXAMPLES = `
A call that waited for a person is listed once, by its last receipt; --polls lists each time that it was sent. Where the
question ended later, the decision says how: "waiting, then withdrawn".
The columns are number, time, tier, server, operation, caller, decision and outcome; docs/audit.md explains them.

Examples:
  plimsoll audit list
  plimsoll audit list --ledger sqlite:ledger.sqlite --open-world --since 7d
  plimsoll audit list --server shop --tier spends --principal alice --json`;

export function auditListCommand(): Command {
  return withFilters(new Command('list'))
    .description('list the newest receipts, the newest first')
    .option(...LEDGER_OPTION)
    .option('--limit <count>', 'how many at most', toCount, 50)
    .option('--polls', 'with every receipt of a call that waited for a person')
    .option('--json', 'print a JSON list of the receipts, with the arguments that were kept')
    .addHelpText('after', LIST_EXAMPLES)
    .action(list);
}

async function list(flags: ListFlags): Promise<void> {
  const find = flags.polls ? listNewest : listQuestionsOnce;
  const { rows, ends } = await withStore(flags.ledger, async (store) => {
    const found = await find(store, toFilter(flags), flags.limit);
    return { rows: found, ends: await readQuestionEnds(store, found) };
  });
  if (flags.json) {
    const receipts = rows.map(({ body, args, approval, decision }) => {
      const question = decision === 'waiting' ? ends.get(approval) : undefined;
      return {
        ...(JSON.parse(body) as object),
        ...(question !== undefined && { question }),
        ...(args !== '' && { arguments: JSON.parse(args) as unknown }),
      };
    });
    process.stdout.write(`${JSON.stringify(receipts, null, 2)}\n`);
    return;
  }
  if (rows.length === 0) process.stderr.write('no matching receipts\n');
  else {
    const cells = [HEADER, ...rows.map((row) => toCells(row, ends))];
    const widths = widen(LEAST_WIDTHS, cells);
    process.stdout.write(cells.map((each) => `${toLine(each, widths)}\n`).join(''));
  }
}

/** `plimsoll audit tail`: the last receipts, and with --follow the new ones. */
interface TailFlags extends FilterFlags {
  readonly ledger?: string;
  readonly lines: number;
  readonly follow?: true;
  readonly json?: true;
}

const POLL_MS = 500;

const TAIL_EXAMPLES = `
Examples:
  plimsoll audit tail
  plimsoll audit tail --ledger sqlite:ledger.sqlite --follow --open-world`;

export function auditTailCommand(): Command {
  return withFilters(new Command('tail'))
    .description('print the last receipts, the newest last')
    .option(...LEDGER_OPTION)
    .option('--lines <count>', 'how many to start with', toCount, 10)
    .option('--follow', 'keep printing new receipts, until stopped')
    .option('--json', 'print each receipt as a line of JSON')
    .addHelpText('after', TAIL_EXAMPLES)
    .action(tail);
}

async function tail(flags: TailFlags): Promise<void> {
  await withStore(flags.ledger, (store) => printLines(tailLines(store, flags)));
}

async function* tailLines(store: Store, flags: TailFlags): AsyncGenerator<string, void> {
  let widths = LEAST_WIDTHS;
  for await (const rows of tailRows(store, flags)) {
    if (flags.json) {
      yield* rows.map(({ body }) => body);
      continue;
    }
    const ends = await readQuestionEnds(store, rows);
    const cells = rows.map((row) => toCells(row, ends));
    widths = widen(widths, cells);
    for (const each of cells) yield toLine(each, widths);
  }
}

/** The last rows at once, then each as it comes. */
async function* tailRows(
  store: Store,
  flags: TailFlags,
): AsyncGenerator<readonly ReceiptRow[], void> {
  const filter = toFilter(flags);
  const [newest] = await listNewest(store, {}, 1);
  const rows = await listNewest(store, filter, flags.lines);
  if (rows.length === 0) process.stderr.write('no matching receipts\n');
  yield rows.toReversed();
  if (!flags.follow) return;
  let after = Math.max(newest?.seq ?? -1, rows[0]?.seq ?? -1);
  const stopped = untilStopped().then(() => 'stopped' as const);
  do {
    for await (const row of readAfter(store, filter, after)) {
      yield [row];
      after = row.seq;
    }
  } while ((await Promise.race([stopped, wait(POLL_MS)])) !== 'stopped');
}

/** `plimsoll audit export`: receipts for other systems, one per line. */
interface ExportFlags extends FilterFlags {
  readonly ledger?: string;
  readonly format: 'jsonl' | 'ocsf';
}

const EXPORT_EXAMPLES = `
A line of jsonl is the receipt exactly as it was signed; a line of ocsf is an OCSF 1.9.0 event.

Examples:
  plimsoll audit export > receipts.jsonl
  plimsoll audit export --ledger sqlite:ledger.sqlite --format ocsf --open-world --since 1d`;

export function auditExportCommand(): Command {
  return withFilters(new Command('export'))
    .description('print receipts for other systems, the oldest first')
    .option(...LEDGER_OPTION)
    .addOption(new Option('--format <format>', 'how').choices(['jsonl', 'ocsf']).default('jsonl'))
    .addHelpText('after', EXPORT_EXAMPLES)
    .action(exportAll);
}

async function exportAll(flags: ExportFlags): Promise<void> {
  await withStore(flags.ledger, (store) => printLines(exportLines(store, flags)));
}

async function* exportLines(store: Store, flags: ExportFlags): AsyncGenerator<string, void> {
  const first = await findReceipt(store, '0');
  const origin = originOf(first?.leaf ?? '');
  for await (const row of readAfter(store, toFilter(flags))) {
    yield flags.format === 'ocsf' ? JSON.stringify(toOcsf(row, origin)) : row.body;
  }
}
