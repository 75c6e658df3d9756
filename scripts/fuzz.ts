/** `npm run fuzz -- --count 1000000 --seed 1`: fuzzes the gate and prints the result as its last line. */
import { Command, InvalidArgumentError } from 'commander';
import { fuzzRun } from './fuzz/fuzz-run.ts';

const { count, seed } = new Command('fuzz')
  .description('sends hostile messages through the gate, and counts what must never happen')
  .option('--count <number>', 'how many messages', toCount, 1_000_000)
  .option('--seed <number>', 'the seed', toCount, 1)
  .addHelpText('after', '\nExample:\n  npm run fuzz -- --count 20000 --seed 7')
  .parse()
  .opts<{ count: number; seed: number }>();

const SHOW_EVERY = 50_000;
const started = performance.now();
let shown = 0;
const { messages, uncaught, wrongAllows, unrecorded, stalls } = await fuzzRun({
  count,
  seed,
  progress: (done) => {
    if (done < shown + SHOW_EVERY) return;
    shown = done;
    process.stderr.write(`${done} messages, ${rate(done)} a second\n`);
  },
  report: (what) => process.stderr.write(`${what}\n`),
});
process.stdout.write(`seed ${seed}, ${rate(messages)} messages a second, ${stalls} stalls\n`);
process.stdout.write(
  `messages ${messages}, uncaught ${uncaught}, wrong allows ${wrongAllows}, unrecorded ${unrecorded}\n`,
);
process.exitCode = uncaught + wrongAllows + unrecorded + stalls === 0 ? 0 : 1;

function rate(done: number): number {
  return Math.round(done / ((performance.now() - started) / 1000));
}

function toCount(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new InvalidArgumentError('must be a whole number above zero.');
}
