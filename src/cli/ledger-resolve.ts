/** `plimsoll ledger resolve`: settles an unknown call on somebody's word, and keeps the word. */
import { userInfo } from 'node:os';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { Resolution } from '../ledger/idempotency/resolve-key-record.ts';
import { resolveKeyRecord } from '../ledger/idempotency/resolve-key-record.ts';
import { CliError } from './cli-error.ts';
import { LEDGER_OPTION, withLedger } from './ledger-access.ts';

interface ResolveFlags {
  readonly ledger: string;
  readonly as: Resolution['as'];
  readonly reason: string;
  readonly by?: string;
  readonly result?: unknown;
}

const EXAMPLES = `
Whoever repeats the call with its key is then told that it was done, with --result as the answer, or
that it did not happen. Nothing is run, and this cannot be taken back.

Examples:
  plimsoll ledger resolve 5c1f… --as not-executed --reason "no charge in Stripe" --ledger sqlite:ledger.sqlite
  plimsoll ledger resolve 5c1f… --as executed --result '{"charge":"ch_1"}' --reason "found ch_1" --by mia --ledger sqlite:ledger.sqlite`;

export function ledgerResolveCommand(): Command {
  return new Command('resolve')
    .description('say of an unknown call whether it happened')
    .argument('<keyRecord>', 'the whole id, as plimsoll ledger unknown shows it')
    .requiredOption(...LEDGER_OPTION)
    .addOption(
      new Option('--as <what>', 'what is known now')
        .choices(['executed', 'not-executed'])
        .makeOptionMandatory(),
    )
    .requiredOption('--reason <text>', 'how that is known', toReason)
    .option('--by <name>', 'who says so (default: who is logged in)')
    .option('--result <json>', 'what the call should have answered', toJson)
    .addHelpText('after', EXAMPLES)
    .action(run);
}

async function run(keyRecord: string, flags: ResolveFlags): Promise<void> {
  const { ledger: address, as, reason, by = userInfo().username, result } = flags;
  if (as === 'not-executed' && result !== undefined) {
    throw new CliError('what did not happen has no result; leave out --result');
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
  throw new InvalidArgumentError('a reason says something.');
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError('a result is JSON.');
  }
}
