/**
 * `npm run crash -- --kills 200 [--gate] [--ledger postgres]`: kills real processes at random moments
 * and prints the result as its last line.
 */
import { Command, InvalidArgumentError, Option } from 'commander';
import { openPostgres } from '../test/support/postgres.ts';
import { crashRun } from './crash/crash-run.ts';
import { gateRun } from './crash/gate-run.ts';

interface CrashFlags {
  readonly kills: number;
  readonly ledger: 'sqlite' | 'postgres';
  readonly gate?: true;
  readonly seed: number;
}

const EXAMPLES = `
Without --gate, servers built with the kit are killed. With it, gates in front of a server, and
sometimes that server; the seed reproduces what is sent and when it is killed, not how processes interleave.

Examples:
  npm run crash -- --kills 10000 --ledger postgres
  npm run crash -- --gate --kills 200
  npm run crash -- --gate --kills 200 --seed 7 --ledger postgres`;

const MOST_SEED = 1_000_000;
const flags = new Command('crash')
  .description('kills processes with SIGKILL during calls, and counts double, lost and stuck calls')
  .option('--gate', 'kill gates instead of servers')
  .option('--kills <number>', 'how many', toCount, 200)
  .option('--seed <number>', 'seed of the gate run (default: random)', toCount)
  .addOption(
    new Option('--ledger <kind>', 'where key records are stored')
      .choices(['sqlite', 'postgres'])
      .default('sqlite'),
  )
  .addHelpText('after', EXAMPLES)
  .parse()
  .opts<Omit<CrashFlags, 'seed'> & { readonly seed?: number }>();

await using postgres = flags.ledger === 'postgres' ? await openPostgres() : undefined;
const address = postgres === undefined ? {} : { postgres: postgres.url };
const seed = flags.seed ?? 1 + Math.floor(Math.random() * MOST_SEED);
process.exitCode = (await (flags.gate ? killGates() : killServers())) === 0 ? 0 : 1;

/** Returns the number of faults. */
async function killServers(): Promise<number> {
  const progress = toProgress(50, 'spends');
  const { kills, spends, unknown, double, lost } = await crashRun({
    kills: flags.kills,
    ...address,
    progress,
  });
  process.stdout.write(`${unknown} outcomes unknown, as expected with an opaque partner\n`);
  process.stdout.write(`kills ${kills}, spends ${spends}, double ${double}, lost ${lost}\n`);
  return double + lost;
}

async function killGates(): Promise<number> {
  process.stdout.write(`seed ${seed}\n`);
  const { kills, calls, double, lost, stuck, ends, behind, slowestMs, resolved } = await gateRun({
    kills: flags.kills,
    seed,
    ...address,
    progress: toProgress(10, 'calls'),
    report: (fault) => process.stderr.write(`${fault}\n`),
  });
  const { done, refused, unknown, unanswered } = ends;
  process.stdout.write(
    `${behind} reads answered less than a second before a kill have no receipt\n` +
      `resolved by hand: ${resolved.executed} executed, ${resolved['not-executed']} not executed\n` +
      `slowest to settle ${(slowestMs / 1000).toFixed(1)} s\n` +
      `done ${done}, refused ${refused}, unknown ${unknown}, writes without an answer ${unanswered}\n` +
      `kills ${kills}, calls ${calls}, double ${double}, lost ${lost}, stuck ${stuck}\n`,
  );
  return double + lost + stuck;
}

function toProgress(every: number, what: string): (kills: number, count: number) => void {
  let shown = 0;
  return (kills, count) => {
    if (kills < shown + every) return;
    shown = kills;
    process.stderr.write(`${kills} kills, ${count} ${what}\n`);
  };
}

function toCount(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count > 0) return count;
  throw new InvalidArgumentError('must be a whole number above zero.');
}
