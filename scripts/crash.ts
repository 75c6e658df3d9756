/** `npm run crash -- --kills 200 [--ledger postgres]`: ends with the line that counts. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { openPostgres } from '../test/support/postgres.ts';
import type { CrashResult } from './crash/crash-run.ts';
import { crashRun } from './crash/crash-run.ts';

const { kills, ledger } = new Command('crash')
  .description('kills processes with SIGKILL while they spend, and counts double and lost spends')
  .option('--kills <number>', 'how many', toCount, 200)
  .addOption(
    new Option('--ledger <kind>', 'where key records are kept')
      .choices(['sqlite', 'postgres'])
      .default('sqlite'),
  )
  .addHelpText('after', '\nExample:\n  npm run crash -- --kills 10000 --ledger postgres')
  .parse()
  .opts<{ kills: number; ledger: 'sqlite' | 'postgres' }>();

const result = await (ledger === 'postgres' ? onPostgres() : run());
process.stdout.write(`${result.unknown} outcomes unknown, as an opaque partner leaves them\n`);
process.stdout.write(
  `kills ${result.kills}, spends ${result.spends}, double ${result.double}, lost ${result.lost}\n`,
);
process.exitCode = result.double + result.lost === 0 ? 0 : 1;

async function onPostgres(): Promise<CrashResult> {
  await using postgres = await openPostgres();
  return await run(postgres.url);
}

async function run(postgres?: string): Promise<CrashResult> {
  let shown = 0;
  return crashRun({
    kills,
    ...(postgres !== undefined && { postgres }),
    progress: (count, spends) => {
      if (count < shown + 50) return;
      shown = count;
      process.stderr.write(`${count} kills, ${spends} spends\n`);
    },
  });
}

function toCount(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count > 0) return count;
  throw new InvalidArgumentError('give a whole number above zero.');
}
