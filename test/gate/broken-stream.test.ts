/** A client of 2025-11-25 over real HTTP whose stream breaks while its call waits for a person or runs. */
import type { ClientRequest } from 'node:http';
import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGate } from '../../src/gate/call/open-gate.ts';
import type { HttpDownstream } from '../../src/gate/downstream/http-downstream.ts';
import { openHttpDownstream } from '../../src/gate/downstream/http-downstream.ts';
import type { GateServices } from '../../src/gate/gate-services.ts';
import { openServices, toContext } from '../../src/gate/open-services.ts';
import { toPolicy } from '../../src/gate/policy/to-policy.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import type { Receipt } from '../../src/ledger/receipt.ts';
import { post } from '../support/post.ts';
import { RecordingServer, toText, toTool } from './recording-server.ts';

const GRACE_MS = 300;
const TOOLS = [toTool('place_order', 'Places a paid order and charges the card.', ['item'])];

let services: GateServices;
let server: RecordingServer;
let downstream: HttpDownstream;
let session: Record<string, string>;

beforeEach(async () => {
  const ledger = await openLedger('sqlite::memory:');
  const policy = toPolicy({ asking: { holdSeconds: 30 } });
  services = openServices({ ledger, policy, report: () => {} });
  server = new RecordingServer({ tools: TOOLS });
  downstream = await openHttpDownstream({
    principal: { id: 'ada', scopes: [] },
    graceMs: GRACE_MS,
    openSession: () => openGate(server, toContext(services, { server: 'shop' })),
    report: () => {},
  });
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't' } };
  const hello = { jsonrpc: '2.0', id: 0, method: 'initialize', params };
  const { headers } = await post(downstream.mcpUrl, JSON.stringify(hello));
  session = { 'mcp-session-id': String(headers['mcp-session-id']) };
  const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
  await post(downstream.mcpUrl, JSON.stringify(initialized), session);
});

afterEach(async () => {
  await downstream[Symbol.asyncDispose]();
  await services.ledger[Symbol.asyncDispose]();
});

/** A stream that is read while it comes, and can be cut off. */
class Stream {
  text = '';
  readonly #request: ClientRequest;

  constructor(headers: Readonly<Record<string, string>>, body?: object) {
    const types = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const method = body === undefined ? 'GET' : 'POST';
    this.#request = request(downstream.mcpUrl, {
      method,
      headers: { ...types, ...session, ...headers },
    });
    this.#request.on('error', () => {});
    this.#request.once('response', (response) => {
      response.on('data', (chunk: Buffer) => (this.text += chunk.toString('utf8')));
      response.on('error', () => {});
    });
    this.#request.end(body === undefined ? undefined : JSON.stringify(body));
  }

  get lastId(): string {
    return [...this.text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] ?? '';
  }

  cut(): void {
    this.#request.destroy();
  }
}

function call(id: number): Stream {
  const params = { name: 'place_order', arguments: { item: 'map' } };
  return new Stream({}, { jsonrpc: '2.0', id, method: 'tools/call', params });
}

/** Gives the id to come back with, once the connection is gone. */
async function cutOff(stream: Stream): Promise<string> {
  await expect.poll(() => stream.lastId).not.toBe('');
  stream.cut();
  return stream.lastId;
}

/** Of calls; what people answer is recorded beside them. */
async function receipts(): Promise<readonly Receipt[]> {
  await services.ledger.flush();
  const rows = await services.ledger.store.transaction((tx) =>
    tx.list('receipts', { orderBy: 'seq', limit: 100 }),
  );
  const records = rows.map(({ body }) => JSON.parse(body) as Receipt);
  return records.filter((record) => record.request !== 'answer');
}

async function approve(): Promise<void> {
  await expect.poll(() => services.approvals.listPending()).toHaveLength(1);
  const [question] = await services.approvals.listPending();
  const { id = '', display = '' } = question ?? {};
  const yes = { kind: 'approve', approver: 'mia', channel: 'terminal', display } as const;
  expect(await services.approvals.answer(id, yes)).toMatchObject({ kind: 'decided' });
}

describe('a stream that breaks', () => {
  it('while the call waits for its yes: the result is delivered after the reconnect', async () => {
    const last = await cutOff(call(1));
    const again = new Stream({ 'last-event-id': last });
    await new Promise((resolve) => setTimeout(resolve, 2 * GRACE_MS));
    expect(await receipts()).toEqual([]);
    await approve();
    await expect.poll(() => again.text).toContain('place_order ran');
    expect(server.ran).toEqual(['place_order']);
    expect(await receipts()).toMatchObject([{ decision: 'ran', outcome: 'success' }]);
    expect((await receipts())[0]).not.toHaveProperty('delivered');
  });

  it('for longer than the grace time: its question says so, and an equal call needs no other', async () => {
    const last = await cutOff(call(1));
    await expect
      .poll(() => receipts(), { timeout: 5000 })
      .toMatchObject([{ decision: 'waiting', delivered: false }]);
    const [question] = await services.approvals.listPending();
    expect(question?.callerGoneAt).toBeGreaterThan(0);
    const late = new Stream({ 'last-event-id': last });
    await expect.poll(() => late.text).toContain('Nothing was run');
    const again = call(2);
    await approve();
    await expect.poll(() => again.text).toContain('place_order ran');
    expect(server.ran).toEqual(['place_order']);
    expect(await receipts()).toMatchObject([
      { decision: 'waiting', approval: question?.id },
      { decision: 'ran', outcome: 'success', approval: question?.id },
    ]);
  });

  it('while the call runs: a late reconnect gets the result, an equal call the same one', async () => {
    server.script = { tools: TOOLS, run: () => 'silence' };
    const first = call(1);
    const last = await cutOff(first);
    const back = new Stream({ 'last-event-id': last });
    await approve();
    await expect.poll(() => server.ran).toEqual(['place_order']);
    back.cut();
    await new Promise((resolve) => setTimeout(resolve, 2 * GRACE_MS));
    server.answer('place_order', toText('order 7'));
    await expect
      .poll(() => receipts(), { timeout: 5000 })
      .toMatchObject([{ decision: 'ran', outcome: 'success', delivered: false }]);
    const late = new Stream({ 'last-event-id': last });
    await expect.poll(() => late.text).toContain('order 7');
    const again = call(2);
    await expect.poll(() => again.text).toContain('order 7');
    expect(again.text).toContain('dev.plimsoll/replayed');
    expect(server.ran).toEqual(['place_order']);
  });
});
