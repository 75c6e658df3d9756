/** Drives a gate of its own with a real client, as `npm start -- --check` promises. Throws when it fails. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { openApprovals } from '../../src/gate/approve/approvals.ts';
import { cardToText } from '../../src/gate/approve/to-text.ts';
import { openStore } from '../../src/ledger/open-ledger.ts';

const COMMAND = fileURLToPath(new URL('../../bin/plimsoll', import.meta.url));
const READ = { name: 'imagery__orders.list', arguments: {} };
const SPEND = {
  name: 'imagery__orders.archive.place',
  arguments: {
    project_id: 'prj_reef',
    captures: [{ id: 'scn_sample_harbour', bbox: [151.2, -33.9, 151.2487, -33.86] }],
  },
};

export async function checkGate(config: string): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-start-'));
  const ledger = `sqlite:${join(folder, 'ledger.sqlite')}`;
  const args = ['gate', '--config', config, '--ledger', ledger, '--http', '127.0.0.1:0'];
  const gate = spawn(COMMAND, args, { stdio: ['ignore', 'inherit', 'pipe'] });
  try {
    const client = new Client({ name: 'check', version: '1.0.0' });
    await client.connect(new StreamableHTTPClientTransport(await addressOf(gate.stderr)));
    const lines = await check(client, ledger);
    await client.close();
    return lines;
  } finally {
    const ended = once(gate, 'exit');
    gate.kill();
    await ended;
    rmSync(folder, { recursive: true });
  }
}

async function check(client: Client, ledger: string): Promise<readonly string[]> {
  const { tools } = await client.listTools();
  const read = await client.callTool(READ);
  assert.notEqual(read.isError, true, 'a read runs');
  const asked = await client.callTool(SPEND);
  assert.equal(codeOf(asked), 'approval-pending', 'a spend waits');
  const shown = await sayYes(ledger);
  const placed = await client.callTool(SPEND);
  assert.notEqual(placed.isError, true, JSON.stringify(placed.content));
  const again = await client.callTool(SPEND);
  assert.equal(codeOf(again), 'approval-pending', 'one yes is for one call');
  return [
    `${tools.length} tools behind the gate`,
    `${READ.name} ran`,
    `${SPEND.name} waited for this:`,
    ...shown.split('\n').map((line) => `  | ${line}`),
    `${SPEND.name} ran after the yes, and waits again the next time`,
  ];
}

/** What a person does with \`plimsoll approve\`. */
async function sayYes(ledger: string): Promise<string> {
  await using store = await openStore(ledger);
  const approvals = openApprovals(store);
  const [pending] = await approvals.listPending();
  assert.ok(pending?.card, 'the question is in the queue');
  const { id, display, card } = pending;
  const answer = { kind: 'approve', approver: 'check', channel: 'terminal', display } as const;
  assert.equal((await approvals.answer(id, answer)).kind, 'decided');
  return cardToText(card);
}

function codeOf({ _meta }: { readonly _meta?: object | undefined }): unknown {
  const meta = { ..._meta } as Readonly<Record<string, unknown>>; // out of JSON
  const problem = meta['dev.plimsoll/problem'];
  return (problem as { readonly code?: unknown } | undefined)?.code; // a problem has one
}

function addressOf(output: NodeJS.ReadableStream): Promise<URL> {
  return new Promise((resolve, reject) => {
    let said = '';
    output.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const address = /http:\/\/\S+/.exec(said)?.[0];
      if (address !== undefined) resolve(new URL(address));
    });
    output.once('end', () => reject(new Error(`the gate did not start: ${said}`)));
  });
}
