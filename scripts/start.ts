/**
 * `npm start`: the gate with its console in front of the reference servers, with demo data: two weeks
 * of receipts, pins of which one drifted, and an agent whose calls wait. With `--check` it checks that
 * all of it works and exits.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkStart } from './start/check-start.ts';
import { openDemo } from './start/open-demo.ts';
import { playAgent } from './start/play-agent.ts';
import { writeStory } from './start/write-story.ts';
import { untilStopped } from '../src/cli/until-stopped.ts';

const USAGE = `Usage: npm start [-- OPTIONS]

The gate in front of the example servers, with the console and an agent at work.

  --check   start it, check that all of it works, and exit
  --help    show this

Other options go to plimsoll gate.
`;

const flags = process.argv.slice(2);
if (flags.includes('--help')) {
  process.stdout.write(USAGE);
  process.exit();
}
const folder = mkdtempSync(join(tmpdir(), 'plimsoll-start-'));

try {
  if (flags.includes('--check')) {
    const lines = await checkStart(folder);
    process.stdout.write(`${lines.join('\n')}\nok\n`);
  } else {
    await show();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function show(): Promise<void> {
  process.stdout.write('Starting the gate and the example servers; this takes a few seconds.\n\n');
  await writeStory(folder);
  let isShown = false;
  await using demo = await openDemo({
    folder,
    http: '127.0.0.1:4200',
    console: '127.0.0.1:4201',
    flags,
    tell: (text) => isShown && process.stderr.write(text),
  });
  await using agent = await playAgent(demo);
  process.stdout.write(toWelcome(demo.mcpUrl, demo.link, demo.ledger));
  isShown = true;
  await Promise.race([demo.ended, untilStopped(), agent.done.then(() => demo.ended)]);
}

function toWelcome(mcpUrl: URL, link: URL, ledger: string): string {
  return [
    'The gate runs in front of examples/catalog, imagery, groupware and billing. Reads run; what costs, deletes',
    'or discloses waits for you. Two weeks of receipts are made up; an agent has just asked for four things,',
    'and what you approve really runs, with play money.',
    '',
    `  see and answer   ${link.href}`,
    `  in a terminal    bin/plimsoll approve --ledger ${ledger}`,
    `  for your agent   ${mcpUrl.href}`,
    '',
    '',
  ].join('\n');
}
