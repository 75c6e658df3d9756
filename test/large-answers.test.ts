/** Many large answers at once, to a reader that takes its time: none of them leaves a listener on a stream. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { createServer, defineOperation, openStdio, reads } from 'plimsoll/server';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import * as z from 'zod';

const PLIMSOLL = resolve('bin/plimsoll');
/** More than the ten listeners from which on Node warns. */
const CALLS = 24;
const MEGABYTE = 1_000_000;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-large-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const BEGINNING = [
  {
    id: 'init',
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    },
  },
  { method: 'notifications/initialized' },
];
const calls = Array.from({ length: CALLS }, (_, id) => ({
  id,
  method: 'tools/call',
  params: { name: 'get_text', arguments: {} },
}));
const toLine = (message: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
const ANSWERS = CALLS + 1;

function countLines(chunk: Buffer): number {
  let lines = 0;
  for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1;
  return lines;
}

/** Answers all at once, and waits for nobody to read. */
const SERVER = `
const tool = { name: 'get_text', description: 'Returns a text.', inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true } };
const results = {
  initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
  'tools/list': { tools: [tool] },
  'tools/call': { content: [{ type: 'text', text: 'x'.repeat(${MEGABYTE}) }] },
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] }) + '\\n');
});`;

it('through a gate over standard input and output', { timeout: 120_000 }, async () => {
  const ledger = `sqlite:${join(folder, 'ledger.sqlite')}`;
  const server = [process.execPath, '-e', SERVER];
  const gate = spawn(PLIMSOLL, ['gate', '--ledger', ledger, '--', ...server], {
    env: { ...process.env, PLIMSOLL_UNATTENDED: '1' },
  });
  const ended = once(gate, 'close');
  let [lines, bytes, said] = [0, 0, ''];
  gate.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  gate.stdin.write([...BEGINNING, ...calls].map(toLine).join(''));
  // Nobody reads before the first answer has filled the pipe.
  await once(gate.stdout, 'readable');
  gate.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    lines += countLines(chunk);
  });
  await vi.waitUntil(() => lines === ANSWERS, { timeout: 60_000 });
  gate.stdin.end();
  await ended;
  expect(bytes).toBeGreaterThan(CALLS * MEGABYTE);
  expect(said).not.toContain('Warning');
});

it('from a server of the kit', async () => {
  const getText = defineOperation({
    name: 'get_text',
    title: 'Get Text',
    description: 'Returns a text.',
    input: z.object({}),
    effect: reads('text'),
    run: () => ({ text: 'x'.repeat(MEGABYTE) }),
  });
  const server = createServer({ name: 'texts', version: '1', operations: [getText] });
  const warnings: Error[] = [];
  const warned = (warning: Error): void => void warnings.push(warning);
  process.on('warning', warned);
  const [input, output] = [new PassThrough(), new PassThrough()];
  {
    await using _stdio = openStdio(server, { input, output });
    input.write([...BEGINNING, ...calls].map(toLine).join(''));
    // Nobody reads before the last call has been made.
    await once(output, 'readable');
    let lines = 0;
    output.on('data', (chunk: Buffer) => (lines += countLines(chunk)));
    await vi.waitUntil(() => lines === ANSWERS, { timeout: 30_000 });
    expect(output.listenerCount('drain')).toBe(0);
  }
  process.off('warning', warned);
  expect(warnings).toEqual([]);
});
