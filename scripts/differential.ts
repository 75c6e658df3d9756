/** `npm run differential -- [--only "sdk1 2025"]`: every cell of the differential suite, one line each. */
import { Command } from 'commander';
import { ACCEPTED } from '../test/gate/differential/accepted.ts';
import { CELLS, nameOf } from '../test/gate/differential/cells.ts';
import { judge } from '../test/gate/differential/compare.ts';
import { Places } from '../test/gate/differential/places.ts';
import { runCell } from '../test/gate/differential/run-cell.ts';

const { only } = new Command('differential')
  .description(
    'runs the same client scripts with and without the gate and compares what clients see',
  )
  .option('--only <part>', 'only cells with this in their name', '')
  .addHelpText('after', '\nExample:\n  npm run differential -- --only "stdio to http"')
  .parse()
  .opts<{ only: string }>();

const SHOWN = 160;

await using places = new Places();
let failures = 0;
for (const cell of CELLS.filter((each) => nameOf(each).includes(only))) {
  const start = performance.now();
  const result = await runCell(cell, places);
  const { unlisted, unused } = judge(cell, result, ACCEPTED);
  failures += unlisted.length + unused.length;
  const accepted = result.differences.length - unlisted.length;
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  write(`${nameOf(cell)}: ${accepted} accepted, ${unlisted.length} unlisted, ${seconds} s`);
  for (const { step, path, direct, gated } of unlisted) {
    write(`  ${step}${path}: ${show(direct)} is ${show(gated)} through the gate`);
  }
  for (const entry of unused) write(`  listed, but gone: ${entry}`);
}
write(`${failures} failures`);
process.exitCode = failures === 0 ? 0 : 1;

function write(line: string): void {
  process.stdout.write(`${line}\n`);
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, SHOWN);
}
