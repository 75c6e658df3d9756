/** The only argument of the scripts that fill a ledger: how many receipts. Throws at anything else. */
import { parseArgs } from 'node:util';

const USUAL = 1_000_000;

export function readReceipts(least: number, expected: string): number {
  // In its strict mode it would advise people to put an unknown flag after `--`.
  const config = { strict: false, allowPositionals: true, tokens: true } as const;
  const { positionals, tokens } = parseArgs(config);
  const flag = tokens.find((token) => token.kind === 'option');
  if (flag !== undefined) throw new Error(`Unknown option '${flag.rawName}'`);
  const [receipts = USUAL, ...others] = positionals.map(Number);
  if (Number.isSafeInteger(receipts) && receipts >= least && others.length === 0) return receipts;
  throw new Error(expected);
}
