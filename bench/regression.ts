/**
 * `npm run bench:regression`: fails when the gate needs more than twice the CPU it needed before, as a ratio
 * to a byte pipe in the same run, which holds on any machine and on a busy one. `--record` stores the ratios.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Tier } from '../src/effect/tier.ts';
import { buildGate } from './gate/build-gate.ts';
import type { CountedCall } from './gate/invoice-calls.ts';
import { annotate, lookUp, pay } from './gate/invoice-calls.ts';
import type { SuiteContext } from './gate/suite.ts';
import { figuresOf } from './gate/suite.ts';
import { measureStdioCalls } from './gate/suites/stdio-calls.ts';
import { readInput } from '../scripts/read-input.ts';
import { showHelp } from '../scripts/show-help.ts';
import { openBenchFolder } from './open-bench-folder.ts';

const GROSS = 2;
/** Below this part of what is recorded, a later regression could hide. */
const STALE = 0.7;
const IN_FLIGHT = 64;
const RECORDED = fileURLToPath(new URL('./recorded-ratios.json', import.meta.url));

const CALLS: readonly { readonly name: string; readonly call: CountedCall; readonly tier: Tier }[] =
  [
    { name: 'read', call: lookUp(), tier: 'read' },
    { name: 'write', call: annotate(), tier: 'compute' },
    { name: 'spend', call: pay(), tier: 'external_spend' },
  ];

showHelp(`usage: npm run bench:regression -- [--record]
Exits with 1 when the gate needs more than twice the CPU that was recorded, as a ratio to a byte pipe.
  --record  store the ratios of this run in bench/recorded-ratios.json
`);
const { record: isRecording } = readInput(
  () => parseArgs({ options: { record: { type: 'boolean', default: false } } }).values,
);
const recorded = JSON.parse(readFileSync(RECORDED, 'utf8')) as Record<string, number>; // by `--record`
const options = { rounds: 5, seconds: 0.2, era: '2026' } as const;
const opened = openBenchFolder('regression');
const folder = opened.path;
const measured: Record<string, number> = {};
const stale: string[] = [];
try {
  const context = { options, folder, gate: await buildGate(folder) };
  for (const { name, call, tier } of CALLS) {
    const before = recorded[name] ?? Number.NaN;
    const most = before * GROSS;
    const first = await measure(context, call, tier);
    // Other programs only add to it, so that a second run tells a regression from a busy moment.
    const ratio = first <= most || isRecording ? first : await measure(context, call, tier);
    measured[name] = Number(ratio.toFixed(1));
    const isGross = !(ratio <= most);
    process.stdout.write(
      `${name}: ${ratio.toFixed(1)}× the CPU of a byte pipe, ${before.toFixed(1)}× when it was recorded${isGross ? ': more than twice as much' : ''}\n`,
    );
    if (isGross && !isRecording) process.exitCode = 1;
    if (ratio < before * STALE) stale.push(name);
  }
  if (isRecording) writeFileSync(RECORDED, `${JSON.stringify(measured, null, 2)}\n`);
  else if (stale.length > 0) {
    process.stdout.write(
      `below ${STALE} of what is recorded: ${stale.join(', ')}. Record it again: npm run bench:regression -- --record\n`,
    );
  }
} finally {
  opened[Symbol.dispose]();
}

async function measure(context: SuiteContext, call: CountedCall, tier: Tier): Promise<number> {
  const floor = { name: 'byte pipe', args: [] };
  const { figures } = await measureStdioCalls(context, call, tier, floor, [IN_FLIGHT]);
  const cpuOf = (line: string) => figuresOf(figures, line, IN_FLIGHT).cpu.middle;
  return (cpuOf('gate') ?? Number.NaN) / (cpuOf(floor.name) ?? Number.NaN);
}
