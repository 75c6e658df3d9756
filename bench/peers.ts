/**
 * `npm run bench:peers`: other programs from npm beside the gate, from HTTP to the same stdio server,
 * in one interleaved run. They are installed into a temporary folder. Only prints; no goals.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildGate } from './gate/build-gate.ts';
import { compare } from './gate/compare.ts';
import { gateCommand, HTTP_SERVER, STDIO_SERVER } from './gate/gate-command.ts';
import type { Line } from './gate/line.ts';
import { openHttpLine, openListening } from './gate/line.ts';
import { readOptions } from './gate/options.ts';
import { onlyChild } from './gate/process-cost.ts';
import { figuresToMarkdown } from './gate/to-markdown.ts';
import { openPeer } from './peers/open-peer.ts';
import { PEERS } from './peers/peer.ts';

const options = { ...readOptions(process.argv.slice(2)), era: '2025' as const };
const folder = mkdtempSync(join(tmpdir(), 'plimsoll-peers-'));
try {
  const names = PEERS.map(({ name }) => name);
  const install = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts'];
  execFileSync('npm', [...install, ...names], { stdio: ['ignore', 2, 2] });
  const gate = options.gate ?? (await buildGate(mkdtempSync(join(folder, 'gate-'))));
  await using stack = new AsyncDisposableStack();
  const server = stack.use(await openListening([HTTP_SERVER]));
  const pids = { server: server.pid };
  const direct = stack.use(
    await openHttpLine(server.url, pids, { name: "the SDK's HTTP server", era: options.era }),
  );
  const rest = ['--http', '127.0.0.1:0', '--', process.execPath, STDIO_SERVER];
  const gated = stack.use(
    await openListening(gateCommand({ options, gate, folder }, 'peers', rest).args),
  );
  const ours = stack.use(
    await openHttpLine(
      gated.url,
      { middle: gated.pid, server: gated.pid },
      { name: 'plimsoll gate', era: options.era },
    ),
  );
  const lines: Line[] = [direct, { ...ours, server: onlyChild(gated.pid) }];
  for (const peer of PEERS) {
    const line = stack.use(await openPeer(peer, folder));
    lines.push({ ...line, name: `${peer.name} ${versionOf(peer.name)}` });
  }
  const { rounds, seconds } = options;
  const figures = await compare(lines, { call, inFlight: [1, 64], rounds, seconds });
  const title = 'A read from HTTP to stdio, 2025 era';
  const report = { title, figures, goals: [], notes: ['Only the gate stores receipts.'] };
  process.stdout.write(
    options.json ? `${JSON.stringify(report, null, 2)}\n` : `${figuresToMarkdown(report)}\n`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Some peers prefix tools with the server's name. */
async function call({ name, client }: Line): Promise<void> {
  const tool = name.startsWith('mcp-hub') ? 'invoices__get_invoice' : 'get_invoice';
  const args = { invoice_id: 'INV-2026-1' };
  const result = await client.callTool({ name: tool, arguments: args });
  if (result.isError === true) throw new Error(`${name}: ${JSON.stringify(result)}`);
}

function versionOf(name: string): string {
  const file = join(folder, 'node_modules', name, 'package.json');
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string }; // npm's own
  return version;
}
