/**
 * Billing behind a real gate process, for tests: a client, a gate, a line that can be cut, and a person who
 * says yes to everything and remembers what they were asked.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Server, ServerResponse } from 'node:http';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Json, TestBilling } from './test-billing.ts';
import { openTestBilling } from './test-billing.ts';

/** What happens to the next answer: the line is cut after the server has acted, or a proxy answers 502. */
type Fault = 'cut' | 'bad-gateway';

export interface GatedBilling extends AsyncDisposable {
  readonly billing: TestBilling;
  readonly client: Client;
  /** The address of the gate's ledger. */
  readonly ledger: string;
  /** The tools that a person was asked about. */
  readonly asked: readonly string[];
  /** How often each tool was called at the server's end of the line. */
  readonly sent: ReadonlyMap<string, number>;
  /** The next call of this tool meets the fault, once. */
  fail(tool: string, fault: Fault): void;
  readonly call: (name: string, args?: object) => Promise<{ status: number; body: Json }>;
}

interface GateOptions {
  readonly mode: 'sandbox' | 'live';
  readonly retries?: 'by-effect' | 'by-hint';
}

export async function openGatedBilling({
  mode,
  retries = 'by-effect',
}: GateOptions): Promise<GatedBilling> {
  const billing = await openTestBilling();
  const line = await openLine(billing.http.url);
  const folder = mkdtempSync(join(tmpdir(), 'billing-gate-'));
  const address = `sqlite:${join(folder, 'ledger.db')}`;
  const policy = join(folder, 'policy.yaml');
  writeFileSync(policy, toPolicy(mode, retries));
  const asked: string[] = [];
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { capabilities: { elicitation: { form: {} } } },
  );
  let calling = '';
  client.setRequestHandler('elicitation/create', async () => {
    asked.push(calling);
    return { action: 'accept' as const, content: { decision: 'approve once' } };
  });
  const key = mode === 'live' ? billing.keys.live : billing.keys.test;
  await client.connect(
    new StdioClientTransport({
      command: 'bin/plimsoll',
      args: [
        'gate',
        '--url',
        `${line.url}/mcp`,
        '--header-env',
        'authorization=EPD_KEY',
        '--name',
        'billing',
        '--policy',
        policy,
        '--ledger',
        address,
      ],
      env: { ...(process.env as Record<string, string>), EPD_KEY: `Bearer ${key}` },
      stderr: 'inherit',
    }),
  );
  return {
    billing,
    client,
    ledger: address,
    asked,
    sent: line.sent,
    fail: (tool, fault) => line.faults.set(tool, fault),
    call: async (name, args = {}) => {
      calling = name;
      const result = await client.callTool({ name, arguments: { ...args } }, { timeout: 60_000 });
      const told = result.structuredContent ?? result._meta?.['dev.plimsoll/problem'];
      const body = (told ?? JSON.parse(textOf(result.content))) as Json;
      return { status: result.isError === true ? Number(body['status']) : 200, body };
    },
    [Symbol.asyncDispose]: async () => {
      await client.close();
      line.server.close();
      line.server.closeAllConnections();
      await billing[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
    },
  };
}

function toPolicy(mode: string, retries: string): string {
  return `
servers:
  billing: { trusted: true, mode: ${mode}, retries: ${retries} }
asking: { channels: [elicitation] }
rules:
  - { name: play, match: { mode: sandbox, tool: create_product }, then: allow }
duplicateMinutes: 0
retries: { baseMs: 1, capMs: 5 }
`;
}

function textOf(content: readonly { readonly type: string }[]): string {
  const [first] = content as readonly { readonly text?: string }[];
  return first?.text ?? '{}';
}

interface Line {
  readonly url: string;
  readonly server: Server;
  readonly faults: Map<string, Fault>;
  readonly sent: Map<string, number>;
}

/** Between gate and server: passes everything on, except what a test wants lost. */
async function openLine(target: string): Promise<Line> {
  const faults = new Map<string, Fault>();
  const sent = new Map<string, number>();
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.once('end', () => {
      const body = Buffer.concat(chunks);
      const tool = toolIn(body);
      if (tool !== undefined) sent.set(tool, (sent.get(tool) ?? 0) + 1);
      const fault = tool === undefined ? undefined : faults.get(tool);
      if (tool !== undefined) faults.delete(tool);
      const url = new URL(incoming.url ?? '/', target);
      const headers = { ...incoming.headers, host: url.host };
      const onward = request(url, { method: incoming.method ?? 'POST', headers }, (answer) => {
        if (fault === undefined) {
          outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(outgoing);
        } else answer.resume().once('end', () => lose(outgoing, fault));
      });
      onward.once('error', () => outgoing.destroy());
      outgoing.once('close', () => onward.destroy());
      onward.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, server, faults, sent };
}

/** The server has acted; only its answer is lost. */
function lose(outgoing: ServerResponse, fault: Fault): void {
  if (fault === 'cut') outgoing.socket?.resetAndDestroy();
  else outgoing.writeHead(502).end('bad gateway');
}

function toolIn(body: Buffer): string | undefined {
  try {
    const { method, params } = JSON.parse(body.toString('utf8')) as {
      method?: string;
      params?: { name?: string };
    };
    return method === 'tools/call' ? params?.name : undefined;
  } catch {
    return undefined;
  }
}
