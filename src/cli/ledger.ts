/** `plimsoll ledger`: the key records of a ledger, for its operators. */
import { userInfo } from 'node:os';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { Resolution } from '../ledger/idempotency/resolve-key-record.ts';
import {
  findByPrefix,
  LEAST_PREFIX,
  resolveKeyRecord,
} from '../ledger/idempotency/resolve-key-record.ts';
import { sweepKeyRecords } from '../ledger/idempotency/sweeper.ts';
import type { Store } from '../ledger/store.ts';
import type { KeyRecordRow } from '../ledger/tables.ts';
import { toVisible } from './audit-filters.ts';
import { CliError } from './cli-error.ts';
import { LEDGER_OPTION, withLedger, withStore } from './ledger-access.ts';
import { ledgerMigrateCommand } from './ledger-migrate.ts';
import { withoutPassword } from './ledger-failure.ts';

const EXAMPLES = `
Examples:
  plimsoll ledger unknown
  plimsoll ledger resolve 5c1f09aa --as not-executed --reason "no charge in Stripe"
  plimsoll ledger sweep --ledger sqlite:ledger.sqlite`;

export function ledgerCommand(): Command {
  const ledger = new Command('ledger')
    .description('list and resolve calls whose outcome is unknown, and migrate')
    .showHelpAfterError('(run with --help to see all options)')
    .addHelpText('after', EXAMPLES)
    .addCommand(ledgerUnknownCommand())
    .addCommand(ledgerResolveCommand())
    .addCommand(ledgerSweepCommand())
    .addCommand(ledgerMigrateCommand());
  for (const command of ledger.commands) command.copyInheritedSettings(ledger);
  return ledger;
}

/** `plimsoll ledger unknown`: the calls whose outcome is unknown. */
interface UnknownFlags {
  readonly ledger?: string;
  readonly json?: true;
}

const MOST_UNKNOWN = 10_000;

const UNKNOWN_EXAMPLES = `
Examples:
  plimsoll ledger unknown
  plimsoll ledger unknown --ledger sqlite:ledger.sqlite --json`;

export function ledgerUnknownCommand(): Command {
  return new Command('unknown')
    .description('list calls that may or may not have happened, the oldest first')
    .option(...LEDGER_OPTION)
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
  if (rows.length === 0)
    process.stderr.write(
      'no call has an unknown outcome; ordinary writes without a key are not tracked\n',
    );
  process.stdout.write(rows.map((row) => toText(row, ledger)).join(''));
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

function toText(row: KeyRecordRow, ledger: string | undefined): string {
  const { id, operation, principal, keyHint, since, attempt } = toShown(row);
  const who = principal === '' ? '-' : principal;
  const line = `${operation}  by ${who}  key ${keyHint}…  since ${since}`;
  const where = ledger === undefined ? '' : ` --ledger '${withoutPassword(ledger)}'`;
  const next = `plimsoll ledger resolve ${id.slice(0, SHOWN_ID)} --as executed|not-executed --reason "…"${where}`;
  return `${id}\n  ${toVisible(line)}\n  attempt ${toVisible(attempt)}\n  next: ${toVisible(next)}\n`;
}

/** Enough to be unique among all calls of a ledger. */
const SHOWN_ID = 12;

/** `plimsoll ledger resolve`: settles an unknown call as a person says, and records who said so. */
interface ResolveFlags {
  readonly ledger?: string;
  readonly as: Resolution['as'];
  readonly reason: string;
  readonly by?: string;
  readonly result?: unknown;
  readonly json?: true;
}

const RESOLVE_EXAMPLES = `
A retry of the call with its key is then answered as done, with --result as the answer, or as not
executed. Nothing is run, and this cannot be undone.

Examples:
  plimsoll ledger resolve 5c1f09aa --as not-executed --reason "no charge in Stripe"
  plimsoll ledger resolve 5c1f09aa --as executed --result '{"charge":"ch_1"}' --reason "found ch_1" --by mia
  plimsoll ledger resolve 5c1f09aa --as executed --reason "in the shop" --json --ledger sqlite:ledger.sqlite`;

export function ledgerResolveCommand(): Command {
  return new Command('resolve')
    .description('record whether an unknown call happened')
    .argument(
      '<keyRecord>',
      `its id, as plimsoll ledger unknown shows it, or at least the first ${LEAST_PREFIX} characters`,
    )
    .option(...LEDGER_OPTION)
    .addOption(
      new Option('--as <what>', 'what is known now')
        .choices(['executed', 'not-executed'])
        .makeOptionMandatory(),
    )
    .requiredOption('--reason <text>', 'how it is known', toReason)
    .option('--by <name>', 'who says so (default: the current user)')
    .option('--result <json>', 'what the call should have answered', toJson)
    .option('--json', 'print JSON')
    .addHelpText('after', RESOLVE_EXAMPLES)
    .action(resolve);
}

async function resolve(id: string, flags: ResolveFlags): Promise<void> {
  const { ledger: address, as, reason, by = userInfo().username, result } = flags;
  if (as === 'not-executed' && result !== undefined) {
    throw new CliError('a call that did not happen has no result; omit --result');
  }
  const value = result === undefined ? {} : { value: result };
  const [keyRecord, end] = await withLedger(address, async (ledger) => {
    const found = await findOne(ledger.store, id);
    const resolution = { keyRecord: found, as, reason, by, ...value };
    return [found, await resolveKeyRecord(ledger, resolution)] as const;
  });
  if (end.kind === 'refused') {
    throw new CliError(
      end.code === 'no-such-key-record'
        ? noneFound(id)
        : `key record ${keyRecord} is not unknown but ${end.state}`,
    );
  }
  const { operation, state } = end;
  process.stdout.write(
    flags.json
      ? `${JSON.stringify({ id: keyRecord, operation, state, as, reason, by })}\n`
      : `${operation} ${keyRecord} is ${state} now, by ${by}\n`,
  );
}

/** The full id. Of several, only those that can be resolved count. */
async function findOne(store: Store, given: string): Promise<string> {
  const found = await findByPrefix(store, given.toLowerCase());
  const unknown = found.filter(({ state }) => state === 'UNKNOWN');
  if (unknown.length > 1) {
    const lines = unknown.map(({ id, operation }) => `  ${id}  ${toVisible(operation)}`);
    throw new CliError(
      `${given} matches ${unknown.length} calls; enter more characters:\n${lines.join('\n')}`,
    );
  }
  const [only] = unknown.length === 1 ? unknown : found;
  if (only === undefined) throw new CliError(noneFound(given));
  return only.id;
}

function noneFound(id: string): string {
  return `there is no key record ${toVisible(id)}; plimsoll ledger unknown lists them, and ${LEAST_PREFIX} characters of an id are enough`;
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
  plimsoll ledger sweep
  plimsoll ledger sweep --ledger sqlite:ledger.sqlite --json`;

export function ledgerSweepCommand(): Command {
  return new Command('sweep')
    .description('mark abandoned calls as unknown, and drop answers that have expired')
    .option(...LEDGER_OPTION)
    .option('--json', 'print JSON')
    .addHelpText('after', SWEEP_EXAMPLES)
    .action(sweep);
}

async function sweep({ ledger, json }: UnknownFlags): Promise<void> {
  const changed = await withStore(ledger, (store) => sweepKeyRecords(store));
  process.stdout.write(
    json ? `${JSON.stringify({ changed })}\n` : `${changed} key records changed state\n`,
  );
}
