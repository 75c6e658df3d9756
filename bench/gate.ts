/**
 * `npm run bench`: what the gate costs, as ratios to the same client and server without it, in one
 * interleaved run. Exits with 1 when a goal is missed. docs/performance.md describes the method.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { fillMarkers } from '../src/cli/docs.ts';
import { readInput } from '../scripts/read-input.ts';
import { showHelp } from '../scripts/show-help.ts';
import { buildGate } from './gate/build-gate.ts';
import type { SuiteName } from './gate/options.ts';
import { readOptions, USAGE } from './gate/options.ts';
import type { SuiteContext, SuiteReport } from './gate/suite.ts';
import { findDisturbance, isMet } from './gate/suite.ts';
import { measureHttp } from './gate/suites/measure-http.ts';
import { measureList } from './gate/suites/measure-list.ts';
import { measureSizes } from './gate/suites/measure-sizes.ts';
import { measureSpend } from './gate/suites/measure-spend.ts';
import { measureStart } from './gate/suites/measure-start.ts';
import { measureStdio } from './gate/suites/measure-stdio.ts';
import { measureWrite } from './gate/suites/measure-write.ts';
import { topFunctions } from './gate/top-functions.ts';
import {
  figuresToMarkdown,
  goalsToMarkdown,
  machineToMarkdown,
  readmeToMarkdown,
} from './gate/to-markdown.ts';
import { openBenchFolder } from './open-bench-folder.ts';

const MEASURE: Readonly<Record<SuiteName, (context: SuiteContext) => Promise<SuiteReport>>> = {
  stdio: measureStdio,
  sizes: measureSizes,
  http: measureHttp,
  list: measureList,
  write: measureWrite,
  spend: measureSpend,
  start: measureStart,
};
const PAGE = fileURLToPath(new URL('../docs/performance.md', import.meta.url));
const README = fileURLToPath(new URL('../README.md', import.meta.url));
const PEERS =
  'Whether a program from npm is faster is measured by `npm run bench:peers -- --write-docs`: [peers](#peers).';

showHelp(USAGE);
const options = readInput(() => readOptions(process.argv.slice(2)));
const opened = openBenchFolder('bench');
const folder = opened.path;
try {
  const gate = options.gate ?? (await buildGate(folder));
  const reports: SuiteReport[] = [];
  for (const [index, name] of options.only.entries()) {
    process.stderr.write(`measuring ${name}, ${index + 1} of ${options.only.length} …\n`);
    reports.push(await MEASURE[name]({ options, gate, folder }));
  }
  const goals = goalsToMarkdown(reports);
  const figures = reports.map(figuresToMarkdown).join('\n\n');
  process.stdout.write(
    options.json ? `${JSON.stringify(reports, null, 2)}\n` : `${figures}\n\n${goals}\n`,
  );
  if (options.profile !== undefined) process.stdout.write(`\n${topFunctions(options.profile)}\n`);
  const disturbance = findDisturbance(reports);
  if (options.writeDocs && disturbance !== undefined) {
    process.stderr.write(
      `docs/performance.md and README.md were not written: ${disturbance}. Run it again when it is quiet.\n`,
    );
    process.exitCode = 1;
  } else if (options.writeDocs) {
    writePage(PAGE, { goals: `${machineToMarkdown()}\n\n${goals}\n\n${PEERS}`, figures });
    writePage(README, { cost: readmeToMarkdown(reports) });
  }
  if (!reports.every((report) => report.goals.every(isMet))) process.exitCode = 1;
} finally {
  opened[Symbol.dispose]();
}

function writePage(page: string, parts: Readonly<Record<string, string>>): void {
  const filled = fillMarkers(readFileSync(page, 'utf8'), parts);
  if (filled === undefined) throw new Error(`${page} has lost its markers`);
  writeFileSync(page, filled);
}
