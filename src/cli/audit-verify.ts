/** `plimsoll audit verify`: finds anything that was changed, removed, added or moved in the log. */
import type { KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import { Command } from 'commander';
import type { LogAudit } from '../ledger/receipts/check-log.ts';
import type { VerifyOptions } from '../ledger/receipts/verify-ledger.ts';
import { verifyLedger } from '../ledger/receipts/verify-ledger.ts';
import { readVerifierKey, toNoteVerifier, toVerifierKey } from '../lib/note-key.ts';
import { toVisible } from './audit-filters.ts';
import { CliError } from './cli-error.ts';
import { LEDGER_OPTION, publicKeyOf, withStore } from './ledger-access.ts';
import { countOf } from '../lib/count-of.ts';

interface VerifyFlags {
  readonly ledger?: string;
  readonly checkpoints?: string;
  readonly key?: string;
  readonly json?: true;
}

const REPORT_EVERY = 100_000;

const EXAMPLES = `
Exit codes: 0 nothing found, 1 findings, 2 not verified, for example because the key is not the ledger's.
Only checkpoints kept elsewhere (plimsoll gate --checkpoints FILE) show that the whole ledger was
replaced by an older copy of itself, emptied, or rewritten by somebody who has its key.

Examples:
  plimsoll audit verify
  plimsoll audit verify --ledger sqlite:ledger.sqlite --checkpoints /mnt/elsewhere/checkpoints.txt
  plimsoll audit verify --ledger sqlite:copy.sqlite --key plimsoll/5c1f…+9a2e41d0+AeY…`;

export function auditVerifyCommand(): Command {
  return new Command('verify')
    .description(
      'check every receipt against the signed checkpoints; exit 1 when anything is found',
    )
    .option(...LEDGER_OPTION)
    .option('--checkpoints <file>', 'checkpoints stored outside the ledger')
    .option('--key <key>', 'the verifier key (default: from the key of the ledger)')
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(run);
}

async function run(flags: VerifyFlags): Promise<void> {
  const { ledger, checkpoints, key } = flags;
  if (checkpoints !== undefined && !existsSync(checkpoints)) {
    throw new CliError(`${checkpoints} does not exist`);
  }
  await withStore(ledger, async (store) => {
    const trusted =
      key === undefined ? { publicKey: await publicKeyOf(store, ledger) } : readKey(key);
    const audit = await verifyLedger(store, {
      ...trusted,
      progress: toProgress(),
      ...(checkpoints !== undefined && { checkpointFile: checkpoints }),
    });
    const isAlone = checkpoints === undefined;
    const text = flags.json
      ? JSON.stringify({ ...audit, comparedWithCheckpointFile: !isAlone }, null, 2)
      : toText(audit, trusted.publicKey, isAlone);
    process.stdout.write(`${text}\n`);
    if (audit.findings.length > 0) process.exitCode = 1;
  });
}

function readKey(text: string): Pick<VerifyOptions, 'publicKey' | 'origin'> {
  const read = readVerifierKey(text);
  if (read.kind === 'refused') throw new CliError(`--key is not a verifier key: ${read.detail}`);
  return { publicKey: read.verifier.publicKey, origin: read.verifier.name };
}

function toProgress(): (receipts: number) => void {
  let reported = 0;
  return (receipts) => {
    if (receipts - reported < REPORT_EVERY) return;
    reported = receipts;
    process.stderr.write(`${countOf(receipts, 'receipt')} read\n`);
  };
}

/** Nothing in a ledger can show that all of it is older than it was. */
const ALONE =
  'Only this ledger was checked; to detect a replaced or emptied one, keep checkpoints elsewhere and pass --checkpoints';

function toText(audit: LogAudit, publicKey: KeyObject, isAlone: boolean): string {
  const { receipts, signed, checkpoints, forgotten, findings, unlisted, origin } = audit;
  const found = findings.length + unlisted;
  const lines = [
    ...findings.map(({ code, seq, message }) => `${code} at ${seq}: ${toVisible(message)}`),
    ...(unlisted > 0 ? [`and ${unlisted} more`] : []),
    `${toVerdict(audit)}: ${countOf(receipts, 'receipt')}, ${signed} of them covered by checkpoints; checkpoints: ${checkpoints}, findings: ${found}`,
    ...(found === 0 ? toUnsignedLines(audit) : []),
    ...(found === 0 && isAlone ? [ALONE] : []),
    ...(forgotten > 0 ? [`${forgotten} have had their arguments erased, which is allowed`] : []),
    ...(origin === '' ? [] : [`verifier key: ${toVerifierKey(toNoteVerifier(origin, publicKey))}`]),
  ];
  return lines.join('\n');
}

function toVerdict({ findings, unsigned, signed, receipts }: LogAudit): string {
  if (findings.length > 0) return 'TAMPERED';
  if (receipts === 0) return 'empty';
  return unsigned !== undefined && signed === 0 ? 'not signed yet' : 'ok';
}

function toUnsignedLines({ unsigned }: LogAudit): readonly string[] {
  if (unsigned === undefined) return [];
  const { first, last } = unsigned;
  const which = first === last ? `receipt ${first}` : `receipts ${first} to ${last}`;
  return [
    `No signature covers ${which} yet; whatever writes to the ledger signs once a minute, and when it stops`,
  ];
}
