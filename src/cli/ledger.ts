/** `plimsoll ledger`: the key records of a ledger, for its operators. */
import { userInfo } from 'node:os';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { Resolution } from '../ledger/idempotency/resolve-key-record.ts';
import { resolveKeyRecord } from '../ledger/idempotency/resolve-key-record.ts';
import { sweepKeyRecords } from '../ledger/idempotency/sweeper.ts';
import type { KeyRecordRow } from '../ledger/tables.ts';
import { toVisible } from './audit-filters.ts';
import { CliError } from './cli-error.ts';
import { LEDGER_OPTION, withLedger, withStore } from './ledger-access.ts';

const EXAMPLES = `
Examples:
  plimsoll ledger unknown --ledger sqlite:ledger.sqlite
  plimsoll ledger resolve 5c1f… --as not-executed --reason "no charge in Stripe" --ledger sqlite:ledger.sqlite
  plimsoll ledger sweep --ledger sqlite:ledger.sqlite`;

export function ledgerCommand(): Command {
  const ledger = new Command('ledger')
    .description('list and resolve calls whose outcome is unknown')
    .showHelpAfterError('(run with --help to see all options)')
    .addHelpText('after', EXAMPLES)
    .addCommand(ledgerUnknownCommand())
    .addCommand(ledgerResolveCommand())
    .addCommand(ledgerSweepCommand());
  for (const command of ledger.commands) command.copyInheritedSettings(ledger);
  return ledger;
}

/** `plimsoll ledger unknown`: the calls whose outcome is unknown. */
interface UnknownFlags {
  readonly ledger: string;
  readonly json?: true;
}

const MOST_UNKNOWN = 10_000;

const UNKNOWN_EXAMPLES = `
Examples:
  plimsoll ledger unknown --ledger sqlite:ledger.sqlite
  plimsoll ledger unknown --ledger sqlite:ledger.sqlite --json`;

export function ledgerUnknownCommand(): Command {
  return new Command('unknown')
    .description('list calls that may or may not have happened, the oldest first')
    .requiredOption(...LEDGER_OPTION)
    .option('--json', 'print a JSON list')
    .addHelpText('after', UNKNOWN_EXAMPLES)
    .action(listUnknown);
}

async function listUnknown({ ledger, json }: UnknownFlags): Promise<void> {
  const rows = await withStore(ledger, async (store) => {
    // Nothing else may be running, so what a crash left behind is swept first.
    await sweepKeyRecords(store);
    return store.transaction((tx) =>
      tx.list('key_records', {
        where: { state: 'UNKNOWN' },
        orderBy: 'updated_at',
        limit: MOST_UNKNOWN,
      }),
    );
  });
  if (json) {
    process.stdout.write(`${JSON.stringify(rows.map(toShown), null, 2)}\n`);
    return;
  }
  if (rows.length === 0) process.stderr.write('no call has an unknown outcome\n');
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

/** `plimsoll ledger resolve`: settles an unknown call as a person says, and records who said so. */
interface ResolveFlags {
  readonly ledger: string;
  readonly as: Resolution['as'];
  readonly reason: string;
  readonly by?: string;
  readonly result?: unknown;
}

const RESOLVE_EXAMPLES = `
A retry of the call with its key is then answered as done, with --result as the answer, or as not
executed. Nothing is run, and this cannot be undone.

Examples:
  plimsoll ledger resolve 5c1f… --as not-executed --reason "no charge in Stripe" --ledger sqlite:ledger.sqlite
  plimsoll ledger resolve 5c1f… --as executed --result '{"charge":"ch_1"}' --reason "found ch_1" --by mia --ledger sqlite:ledger.sqlite`;

export function ledgerResolveCommand(): Command {
  return new Command('resolve')
    .description('record whether an unknown call happened')
    .argument('<keyRecord>', 'the full id, as shown by plimsoll ledger unknown')
    .requiredOption(...LEDGER_OPTION)
    .addOption(
      new Option('--as <what>', 'what is known now')
        .choices(['executed', 'not-executed'])
        .makeOptionMandatory(),
    )
    .requiredOption('--reason <text>', 'how it is known', toReason)
    .option('--by <name>', 'who says so (default: the current user)')
    .option('--result <json>', 'what the call should have answered', toJson)
    .addHelpText('after', RESOLVE_EXAMPLES)
    .action(resolve);
}

async function resolve(keyRecord: string, flags: ResolveFlags): Promise<void> {
  const { ledger: address, as, reason, by = userInfo().username, result } = flags;
  if (as === 'not-executed' && result !== undefined) {
    throw new CliError('a call that did not happen has no result; omit --result');
  }
  const value = result === undefined ? {} : { value: result };
  const resolution = { keyRecord, as, reason, by, ...value };
  const end = await withLedger(address, (ledger) => resolveKeyRecord(ledger, resolution));
  if (end.kind === 'refused') {
    throw new CliError(
      end.code === 'no-such-key-record'
        ? `there is no key record ${keyRecord}; plimsoll ledger unknown lists them`
        : `key record ${keyRecord} is not unknown but ${end.state}`,
    );
  }
  process.stdout.write(`${end.operation} ${keyRecord} is ${end.state} now, by ${by}\n`);
}

function toReason(text: string): string {
  if (text.trim() !== '') return text;
  throw new InvalidArgumentError('must not be empty.');
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError('must be JSON.');
  }
}

/** `plimsoll ledger sweep`: one pass of the sweeper that a running server runs periodically. */
const SWEEP_EXAMPLES = `
Examples:
  plimsoll ledger sweep --ledger sqlite:ledger.sqlite`;

export function ledgerSweepCommand(): Command {
  return new Command('sweep')
    .description('mark abandoned calls as unknown, and drop answers that have expired')
    .requiredOption(...LEDGER_OPTION)
    .addHelpText('after', SWEEP_EXAMPLES)
    .action(sweep);
}

async function sweep({ ledger }: { readonly ledger: string }): Promise<void> {
  const moved = await withStore(ledger, (store) => sweepKeyRecords(store));
  process.stdout.write(`${moved} key records changed state\n`);
}
