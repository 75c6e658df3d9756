/**
 * `npm run bench:peers`: other programs from npm beside the gate, over the same transports, all in one
 * interleaved run. They are installed into the user's cache folder. Exits with 1 when one is faster.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fillMarkers } from '../src/cli/docs.ts';
import { readInput } from '../scripts/read-input.ts';
import { buildGate } from './gate/build-gate.ts';
import type { Figures } from './gate/compare.ts';
import { compare } from './gate/compare.ts';
import { HTTP_SERVER } from './gate/gate-command.ts';
import type { Line } from './gate/line.ts';
import { openListening } from './gate/line.ts';
import { readPeerOptions } from './gate/options.ts';
import type { Goal, SuiteReport } from './gate/suite.ts';
import { findDisturbance, isMet } from './gate/suite.ts';
import { figuresToMarkdown, goalsToMarkdown } from './gate/to-markdown.ts';
import { directOf, gateOf, openOwnLines } from './peers/open-own-lines.ts';
import { openPeer } from './peers/open-peer.ts';
import type { Peer } from './peers/peer.ts';
import { LEFT_OUT, PEERS } from './peers/peer.ts';
import type { Route } from './peers/route.ts';
import { ROUTES } from './peers/route.ts';
import { showHelp } from '../scripts/show-help.ts';
import { openBenchFolder } from './open-bench-folder.ts';

const PAGE = fileURLToPath(new URL('../docs/performance.md', import.meta.url));
showHelp(`usage: npm run bench:peers -- [--rounds <n>] [--seconds <s>] [--gate <script>] [--json] [--write-docs]
Installs other programs from npm into your cache folder and runs them beside the gate. Exits with 1 when one
is faster.
  --rounds <n>     rounds of each comparison (13)
  --seconds <s>    load of each connection in each round, each way (0.4)
  --gate <script>  measure another build of the plimsoll command
  --json           all measurements, as JSON
  --write-docs     write the figures into docs/performance.md
`);
const read = readInput(() => readPeerOptions(process.argv.slice(2)));
const options = { ...read, era: '2025' as const };
const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'plimsoll-peers');
const opened = openBenchFolder('peers');
const folder = opened.path;
const peers = new Map<string, Peer>();
const failed: string[] = [];

try {
  install();
  const gate = options.gate ?? (await buildGate(folder));
  await using stack = new AsyncDisposableStack();
  const server = stack.use(await openListening([HTTP_SERVER]));
  const lines = [...(await openOwnLines({ options, gate, folder }, server, stack))];
  for (const peer of PEERS) {
    const over = peer.transport === 'sse' ? ' (reached by SSE)' : '';
    const name = `${peer.route}: ${peer.name} ${versionOf(peer.name)}${over}`;
    process.stderr.write(`starting ${name} …\n`);
    try {
      lines.push(stack.use(await openPeer(peer, name, { folder: cache, logs: folder, server })));
      peers.set(name, peer);
    } catch (error) {
      failed.push(`${name} did not start: ${reasonOf(error)}.`);
      process.stderr.write(`${failed.at(-1)}\n`);
    }
  }
  const { rounds, seconds } = options;
  const against = ({ name }: Line) => {
    const route = ROUTES.find((each) => name.startsWith(`${each}:`));
    if (route === undefined) return { base: name, floor: '' };
    return { base: directOf(route), floor: gateOf(route) };
  };
  const figures = await compare(lines, { call, inFlight: [1, 64], rounds, seconds, against });
  report(ROUTES.map((route) => toReport(route, figures)));
} finally {
  opened[Symbol.dispose]();
}

function install(): void {
  mkdirSync(cache, { recursive: true });
  const names = [...new Set(PEERS.map(({ name }) => name))];
  const flags = ['--prefix', cache, '--no-audit', '--no-fund', '--ignore-scripts'];
  process.stderr.write(`installing ${names.join(', ')} into ${cache} …\n`);
  const packages = names.map((name) => `${name}@latest`);
  execFileSync('npm', ['install', ...flags, ...packages], { stdio: ['ignore', 2, 2] });
}

async function call({ name, client }: Line): Promise<void> {
  const tool = peers.get(name)?.tool ?? 'get_invoice';
  const args = { invoice_id: 'INV-2026-1' };
  const result = await client.callTool({ name: tool, arguments: args });
  if (result.isError === true) throw new Error(`${name}: ${JSON.stringify(result)}`);
}

function toReport(route: Route, all: readonly Figures[]): SuiteReport {
  const figures = all.filter(({ name }) => name === directOf(route) || name.startsWith(route));
  const goals = figures.filter(({ name }) => peers.has(name)).map(toGoal);
  const title = `A read from ${route} through programs from npm`;
  const notes = failed.filter((each) => each.startsWith(route));
  return { title, figures, goals, notes, floor: 'the gate' };
}

/** The gate is faster if the peer's time is at least its own, and the peer's rate at most its own. */
function toGoal({ name, inFlight, toFloor }: Figures): Goal {
  const isOne = inFlight === 1;
  const measured = isOne ? toFloor?.p50 : toFloor?.rate;
  return {
    what: `${name}, ${isOne ? 'p50' : 'calls/s with 64 in flight'} vs the gate`,
    limit: { kind: isOne ? 'at least' : 'at most', figure: 1 },
    unit: '×',
    measured: measured ?? { median: Number.NaN },
  };
}

function report(reports: readonly SuiteReport[]): void {
  const notes = `All in one run, clients of the 2025 revisions. Some peers log what they forward; only the gate keeps signed receipts. ${LEFT_OUT.join(' ')}`;
  const text = [goalsToMarkdown(reports), ...reports.map(figuresToMarkdown), notes].join('\n\n');
  process.stdout.write(options.json ? `${JSON.stringify(reports, null, 2)}\n` : `${text}\n`);
  const disturbance = findDisturbance(reports);
  if (options.writeDocs && disturbance !== undefined) {
    process.stderr.write(
      `docs/performance.md was not written: ${disturbance}. Run it again when it is quiet.\n`,
    );
    process.exitCode = 1;
  } else if (options.writeDocs) {
    const filled = fillMarkers(readFileSync(PAGE, 'utf8'), { peers: text });
    if (filled === undefined) throw new Error('docs/performance.md has lost its markers');
    writeFileSync(PAGE, filled);
  }
  if (!reports.every(({ goals }) => goals.every(isMet))) process.exitCode = 1;
}

function versionOf(name: string): string {
  const file = join(cache, 'node_modules', name, 'package.json');
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string }; // npm's own
  return version;
}

/** Without the place of this machine, since it may be written into the docs. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error; // of our own or of the SDK
  const text = cause instanceof Error ? `${message} (${cause.message})` : message;
  return text.replaceAll(`${cache}/`, '');
}
