/**
 * `npm run crash -- [--gate] [--ledger postgres] [--faults kill,freeze]`: injects faults into real processes
 * and their ledger at random moments, and prints the result as its last line.
 */
import { Command, InvalidArgumentError, Option } from 'commander';
import { crashRun } from './crash/crash-run.ts';
import type { FaultCounts, FaultName, LedgerKind } from './crash/fault.ts';
import { FAULTS, faultsOf } from './crash/fault.ts';
import { gateRun } from './crash/gate-run.ts';

interface CrashFlags {
  readonly count: number;
  readonly kills?: number;
  readonly faults?: readonly FaultName[];
  readonly ledger: LedgerKind;
  readonly gate?: true;
  readonly seed?: number;
  readonly json?: true;
}

const MEANINGS = Object.entries(FAULTS).map(([name, what]) => `  ${name.padEnd(9)}${what}`);
const EXAMPLES = `
Without --gate, servers built with the kit are disturbed. With it, gates in front of a server, and
sometimes that server. The seed repeats what is sent and which faults come when, not how processes interleave.
Ends with exit code 1 unless double, lost and stuck are 0.

Faults:
${MEANINGS.join('\n')}

Examples:
  npm run crash -- --ledger postgres
  npm run crash -- --gate --faults freeze,restart --count 50 --ledger postgres
  npm run crash -- --gate --kills 200 --seed 7`;

const MOST_SEED = 1_000_000;
const flags = new Command('crash')
  .description(
    'injects faults into processes and their ledger, and counts double, lost and stuck calls',
  )
  .option('--gate', 'disturb gates instead of servers')
  .option('--count <number>', 'how many faults', toCount, 200)
  .option(
    '--faults <list>',
    'which faults, by comma (default: all that the ledger and your rights allow)',
    toFaults,
  )
  .option('--kills <number>', 'the same as --faults kill --count <number>', toCount)
  .option('--seed <number>', 'the seed (default: random)', toCount)
  .addOption(
    new Option('--ledger <kind>', 'where key records are stored')
      .choices(['sqlite', 'postgres'])
      .default('sqlite'),
  )
  .option('--json', 'print the result as JSON')
  .addHelpText('after', EXAMPLES)
  .parse()
  .opts<CrashFlags>();

const { ledger } = flags;
const possible = faultsOf(ledger);
// Only root may mount a disk that can be filled.
const usual = process.getuid?.() === 0 ? possible : possible.filter((name) => name !== 'disk');
const faults = flags.kills === undefined ? (flags.faults ?? usual) : (['kill'] as const);
const impossible = faults.filter((name) => !possible.includes(name));
if (impossible.length > 0) {
  process.stderr.write(`a ${ledger} ledger cannot have: ${impossible.join(', ')}\n`);
  process.exit(2);
}
const seed = flags.seed ?? 1 + Math.floor(Math.random() * MOST_SEED);
const setting = { ledger, faults, count: flags.kills ?? flags.count, seed };
const report = (fault: string): void => void process.stderr.write(`${fault}\n`);
process.stderr.write(`seed ${seed}, faults ${faults.join(', ')}\n`);
process.exitCode = (await (flags.gate ? disturbGates() : disturbServers())) === 0 ? 0 : 1;

/** Returns the number of calls that must not have ended as they did. */
async function disturbServers(): Promise<number> {
  const result = await crashRun({ ...setting, report, progress: toProgress(20, 'spends') });
  const { spends, unknown, double, lost, stuck } = result;
  show(result, [
    `${unknown} outcomes unknown, as expected with an opaque partner`,
    `${toText(result.faults)}, spends ${spends}, double ${double}, lost ${lost}, stuck ${stuck}`,
  ]);
  return double + lost + stuck;
}

async function disturbGates(): Promise<number> {
  const result = await gateRun({ ...setting, report, progress: toProgress(10, 'calls') });
  const { calls, double, lost, stuck, ends, behind, slowestMs, resolved } = result;
  const { done, refused, unknown, unanswered } = ends;
  show(result, [
    `${behind} answers have no receipt, since the gate was killed before it could write it`,
    `resolved by hand: ${resolved.executed} executed, ${resolved['not-executed']} not executed`,
    `slowest to settle ${(slowestMs / 1000).toFixed(1)} s`,
    `done ${done}, refused ${refused}, unknown ${unknown}, writes without an answer ${unanswered}`,
    `${toText(result.faults)}, calls ${calls}, double ${double}, lost ${lost}, stuck ${stuck}`,
  ]);
  return double + lost + stuck;
}

function show(result: object, lines: readonly string[]): void {
  const json = JSON.stringify({ seed, ledger, ...result }, undefined, 2);
  process.stdout.write(`${flags.json ? json : lines.join('\n')}\n`);
}

function toText(counts: FaultCounts): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}

function toProgress(every: number, what: string): (injected: number, count: number) => void {
  let shown = 0;
  return (injected, count) => {
    if (injected < shown + every) return;
    shown = injected;
    process.stderr.write(`${injected} faults, ${count} ${what}\n`);
  };
}

function toCount(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count > 0) return count;
  throw new InvalidArgumentError('must be a whole number above zero.');
}

function toFaults(text: string): readonly FaultName[] {
  const known = Object.keys(FAULTS) as readonly FaultName[]; // of a record by these names
  return text.split(',').map((each) => {
    const name = known.find((one) => one === each.trim());
    if (name !== undefined) return name;
    throw new InvalidArgumentError(`"${each}" is none of ${known.join(', ')}.`);
  });
}
