/** `npm run faults`: every fault at every point of a call, for every class of effect; prints what went wrong. */
import { Command, InvalidArgumentError } from 'commander';
import { describeRun, openFaultPlan, playRun } from '../test/faults/fault-plan.ts';

const EXAMPLES = `
Each run has a number, which stays the same until the code passes other points: --run repeats it alone.

Examples:
  npm run faults
  npm run faults -- --run 137
  npm run faults -- --class "spend, opaque" --json`;

const SHOW_EVERY = 500;
const flags = new Command('faults')
  .description(
    'injects an error, a lost answer, a delay and a crash at every store, send and receive point',
  )
  .option('--run <number>', 'only this run', toNumber)
  .option('--class <name>', 'only this class of effect')
  .option('--json', 'print the result as JSON')
  .addHelpText('after', EXAMPLES)
  .parse()
  .opts<{ readonly run?: number; readonly class?: string; readonly json?: true }>();

const plan = await openFaultPlan();
const { points } = plan;
const total = Object.values(points).reduce((sum, count) => sum + count, 0);
const runs = plan.runs.filter(
  ({ number, effectClass }) =>
    (flags.run ?? number) === number && (flags.class ?? effectClass.name) === effectClass.name,
);
if (runs.length === 0) {
  process.stderr.write(
    `no such run; there are ${plan.runs.length}, of ${Object.keys(points).join('; ')}\n`,
  );
  process.exit(2);
}
const failed: { readonly run: string; readonly violations: readonly string[] }[] = [];
for (const [index, run] of runs.entries()) {
  const { violations, codes } = await playRun(run);
  if (index > 0 && index % SHOW_EVERY === 0)
    process.stderr.write(`${index} of ${runs.length} runs\n`);
  if (flags.run !== undefined) process.stderr.write(`${describeRun(run)}: ${codes.join(', ')}\n`);
  if (violations.length === 0) continue;
  failed.push({ run: describeRun(run), violations });
  process.stderr.write(`${describeRun(run)}: ${violations.join('; ')} (${codes.join(', ')})\n`);
}
const lines = Object.entries(points).map(([name, count]) => `${name}: ${count} points`);
lines.push(`points ${total}, runs ${runs.length}, failed ${failed.length}`);
const result = { points, total, runs: runs.length, failed };
process.stdout.write(`${flags.json ? JSON.stringify(result, undefined, 2) : lines.join('\n')}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;

function toNumber(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new InvalidArgumentError('must be a whole number above zero.');
}
