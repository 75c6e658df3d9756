/** `npm run fuzz -- --count 1000000 --seed 1`: fuzzes the gate and prints the result as its last line. */
import { Command, InvalidArgumentError } from 'commander';
import type { Target } from './fuzz/fuzz-run.ts';
import { fuzzRun, TARGETS } from './fuzz/fuzz-run.ts';

const { count, seed, target } = new Command('fuzz')
  .description('sends hostile messages through the gate, and counts what must never happen')
  .option('--count <number>', 'how many messages', toCount, 1_000_000)
  .option('--seed <number>', 'the seed', toCount, 1)
  .option('--target <list>', `of ${TARGETS.join(', ')}`, toTargets, TARGETS)
  .addHelpText('after', '\nExample:\n  npm run fuzz -- --count 20000 --seed 7 --target stdio,http')
  .parse()
  .opts<{ count: number; seed: number; target: readonly Target[] }>();

const SHOW_EVERY = 50_000;
const started = performance.now();
let shown = 0;
const { messages, calls, uncaught, wrongAllows, unrecorded, stalls } = await fuzzRun({
  count,
  seed,
  targets: target,
  progress: (done) => {
    if (done < shown + SHOW_EVERY) return;
    shown = done;
    process.stderr.write(`${done} messages, ${rate(done)} a second\n`);
  },
  report: (what) => process.stderr.write(`${what}\n`),
});
process.stdout.write(
  `seed ${seed}, ${rate(messages)} messages a second, ${calls} calls, ${stalls} stalls\n`,
);
process.stdout.write(
  `messages ${messages}, uncaught ${uncaught}, wrong allows ${wrongAllows}, unrecorded ${unrecorded}\n`,
);
process.exitCode = uncaught + wrongAllows + unrecorded + stalls === 0 ? 0 : 1;

function toTargets(text: string): readonly Target[] {
  return text.split(',').map((name) => {
    const found = TARGETS.find((each) => each === name.trim());
    if (found === undefined) throw new InvalidArgumentError(`must be of ${TARGETS.join(', ')}.`);
    return found;
  });
}

function rate(done: number): number {
  return Math.round(done / ((performance.now() - started) / 1000));
}

function toCount(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new InvalidArgumentError('must be a whole number above zero.');
}
