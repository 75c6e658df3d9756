/** `plimsoll gate` asks by webhook: over standard input and output as over HTTP, once, and only where the policy says. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Transport } from '@modelcontextprotocol/client';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SIGNATURE_HEADER, signWebhook } from '../../src/gate/approvals/webhook.ts';
import type { HttpGate } from './gate-process.ts';
import { openHttpGate, PLIMSOLL } from './gate-process.ts';

const SECRET = 'a shared secret of some length';
const MEMORY = resolve('node_modules/.bin/mcp-server-memory');
const CALL = { name: 'delete_entities', arguments: { entityNames: ['x'] } };

interface Question {
  readonly kind: string;
  readonly id: string;
  readonly display: string;
  readonly answerUrl: string;
}

let folder: string;
let posted: Question[] = [];
let doesAnswer = true;

const receiver = createServer((request, response) => void take(request, response));

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const question = JSON.parse(await text(request)) as Question;
  posted.push(question);
  response.writeHead(204).end();
  if (question.kind === 'question' && doesAnswer) await answer(question);
}

async function answer({ id, display, answerUrl }: Question): Promise<number> {
  const body = JSON.stringify({ id, decision: 'approve', approver: 'ann', display });
  const headers = { [SIGNATURE_HEADER]: signWebhook(body, SECRET, Date.now()) };
  return (await fetch(answerUrl, { method: 'POST', headers, body })).status;
}

beforeAll(async () => {
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
});

afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-webhook-'));
  [posted, doesAnswer] = [[], true];
});

afterEach(() => rmSync(folder, { recursive: true }));

function toArgs(channels: readonly string[], holdSeconds: number): readonly string[] {
  const { port } = receiver.address() as AddressInfo;
  const policy = {
    asking: { channels, holdSeconds },
    webhook: { url: `http://127.0.0.1:${port}/ask`, secretEnv: 'PLIMSOLL_HOOK' },
  };
  const file = join(folder, 'policy.yaml');
  writeFileSync(file, JSON.stringify(policy));
  const ledger = `sqlite:${join(folder, 'ledger.sqlite')}`;
  const passed = ['--pass-env', 'MEMORY_FILE_PATH'];
  return ['--policy', file, '--ledger', ledger, ...passed, '--', process.execPath, MEMORY];
}

const ENV = { PLIMSOLL_HOOK: SECRET };

/** A client behind a gate that serves in the one way or the other. */
async function open(
  way: 'stdio' | 'HTTP',
  channels: readonly string[],
  holdSeconds: number,
): Promise<AsyncDisposable & { readonly client: Client }> {
  const args = toArgs(channels, holdSeconds);
  const memory = { ...ENV, MEMORY_FILE_PATH: join(folder, 'memory.json') };
  let gate: HttpGate | undefined;
  let transport: Transport;
  if (way === 'HTTP') {
    gate = await openHttpGate(args, memory);
    transport = new StreamableHTTPClientTransport(gate.url);
  } else {
    const env = { ...(process.env as Record<string, string>), ...memory };
    transport = new StdioClientTransport({
      command: PLIMSOLL,
      args: ['gate', ...args],
      env,
      stderr: 'ignore',
    });
  }
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  return {
    client,
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await gate?.[Symbol.asyncDispose]();
    },
  };
}

describe.each(['stdio', 'HTTP'] as const)('a gate over %s', (way) => {
  it('runs the call on a signed yes that is posted back', async () => {
    await using gate = await open(way, ['webhook'], 20);
    const result = await gate.client.callTool(CALL);
    expect(result.isError ?? false).toBe(false);
    expect(posted.map(({ kind }) => kind)).toEqual(['question']);
  });

  it('posts a question once, however often the call is sent', async () => {
    doesAnswer = false;
    await using gate = await open(way, ['webhook', 'terminal'], 0);
    for (let times = 0; times < 4; times += 1) {
      const result = await gate.client.callTool(CALL);
      expect(result.isError).toBe(true);
    }
    await expect.poll(() => posted.length).toBe(1);
    const [question] = posted;
    expect(question && (await answer(question))).toBe(204);
    expect((await gate.client.callTool(CALL)).isError ?? false).toBe(false);
    expect(posted).toHaveLength(1);
  });

  it('posts nothing where the policy does not ask by webhook', async () => {
    await using gate = await open(way, ['terminal'], 0);
    const result = await gate.client.callTool(CALL);
    expect(JSON.stringify(result.content)).toContain('plimsoll approve ');
    expect(posted).toEqual([]);
  });
});
