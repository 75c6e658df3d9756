/** `plimsoll audit show`: one receipt, with the proof that it is in the signed log. */
import { Command } from 'commander';
import type { Proving } from '../ledger/receipts/prove-receipt.ts';
import { proveReceipt } from '../ledger/receipts/prove-receipt.ts';
import { findReceipt } from '../ledger/receipts/read-receipts.ts';
import type { ReceiptRow } from '../ledger/tables.ts';
import { toVisible } from './audit-filters.ts';
import { CliError } from './cli-error.ts';
import { LEDGER_OPTION, publicKeyOf, withStore } from './ledger-access.ts';
import { countOf } from '../lib/count-of.ts';

interface ShowFlags {
  readonly ledger?: string;
  readonly json?: true;
}

const EXAMPLES = `
Exit codes: 0 shown, 1 the log is not the signed one, 2 error.

Examples:
  plimsoll audit show 41
  plimsoll audit show 0f6cbe0e-3b0a-4c55-9d5c-1f1f6f0d2c11 --ledger sqlite:ledger.sqlite --json`;

export function auditShowCommand(): Command {
  return new Command('show')
    .description('show one receipt and the proof that it is in the signed log')
    .argument('<receipt>', 'its number or its id')
    .option(...LEDGER_OPTION)
    .option('--json', 'print JSON, with the whole proof')
    .addHelpText('after', EXAMPLES)
    .action(run);
}

async function run(name: string, { ledger, json }: ShowFlags): Promise<void> {
  const [row, proving] = await withStore(ledger, async (store) => {
    const found = await findReceipt(store, name);
    if (found === undefined)
      throw new CliError(
        `there is no receipt ${toVisible(name)}; plimsoll audit list shows their numbers`,
      );
    return [found, await proveReceipt(store, found, await publicKeyOf(store, ledger))] as const;
  });
  process.stdout.write(json ? toJson(row, proving) : toText(row, proving));
  if (proving.kind === 'refuted') process.exitCode = 1;
}

function toJson(row: ReceiptRow, proving: Proving): string {
  const shown = {
    receipt: JSON.parse(row.body) as unknown,
    arguments: row.args === '' ? null : (JSON.parse(row.args) as unknown),
    inclusion: proving.kind === 'proved' ? proving.proof : proving,
  };
  return `${JSON.stringify(shown, null, 2)}\n`;
}

function toText(row: ReceiptRow, proving: Proving): string {
  const fields = Object.entries(JSON.parse(row.body) as Record<string, unknown>);
  const lines = [
    ...fields.map(([name, value]) => `${name.padEnd(13)} ${toVisible(toValue(name, value))}`),
    `${'arguments'.padEnd(13)} ${row.args === '' ? 'not stored' : toVisible(row.args)}`,
    '',
    ...toProofLines(proving),
  ];
  return `${lines.join('\n')}\n`;
}

/** The one time that is signed as a number. */
function toValue(name: string, value: unknown): string {
  const isTime = name === 'until' && typeof value === 'number';
  return isTime ? new Date(value).toISOString() : String(value);
}

function toProofLines(proving: Proving): readonly string[] {
  switch (proving.kind) {
    case 'proved': {
      const { index, size, leaf, proof, checkpoint } = proving.proof;
      return [
        `Receipt ${index} is in the signed log of ${countOf(size, 'receipt')}:`,
        '',
        `leaf  ${leaf}`,
        ...proof.map((hash) => `proof ${hash}`),
        '',
        checkpoint.trimEnd(),
      ];
    }
    case 'unsigned':
      return ['No checkpoint covers it yet.'];
    case 'refuted':
      return [`NOT PROVED. ${proving.detail} Run plimsoll audit verify.`];
  }
}
