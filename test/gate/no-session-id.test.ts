/** A 2025 client over HTTP that never sends its session id back: its yes is bound to the principal. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterEach, expect, it } from 'vitest';
import { openGate } from '../../src/gate/call/open-gate.ts';
import { openHttpDownstream } from '../../src/gate/downstream/http-downstream.ts';
import { toContext } from '../../src/gate/open-services.ts';
import { GateFixture } from './gate-fixture.ts';
import type { Reply } from './recording-server.ts';
import { RecordingServer, toText, toTool } from './recording-server.ts';

const TOOLS = [toTool('delete_note', 'Deletes a note for good.', ['id'])];
const CALL = { name: 'delete_note', arguments: { id: '1' } };
const open = new Set<AsyncDisposable>();

afterEach(async () => {
  for (const each of [...open].toReversed()) await each[Symbol.asyncDispose]();
  open.clear();
});

/** As a client that never heard of sessions. */
const forgetful: FetchLike = async (url, init) => {
  const headers = new Headers(init?.headers);
  headers.delete('mcp-session-id');
  return fetch(url, { ...init, headers });
};

async function connect(url: string, token: string, over: FetchLike = forgetful): Promise<Client> {
  const client = new Client({ name: 'old', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit, fetch: over }),
  );
  open.add({ [Symbol.asyncDispose]: () => client.close() });
  return client;
}

it('finds its yes again, which serves no other principal and no session', async () => {
  const gate = await GateFixture.open({ tools: TOOLS });
  open.add(gate);
  const ran: string[] = [];
  const run = (name: string): Reply => {
    ran.push(name);
    return { result: toText(`${name} ran`) };
  };
  const context = toContext(gate.services, { server: 'shop' });
  const downstream = await openHttpDownstream({
    authenticate: (token) => ({ id: token, scopes: [] }),
    openSession: () => openGate(new RecordingServer({ tools: TOOLS, run }), context),
    report: () => {},
  });
  open.add(downstream);
  const ana = await connect(downstream.mcpUrl, 'ana');
  const ben = await connect(downstream.mcpUrl, 'ben');
  const inSession = await connect(downstream.mcpUrl, 'ana', fetch);
  const call = async (client: Client): Promise<string> =>
    JSON.stringify(await client.callTool(CALL));

  expect(await call(ana)).toContain('approval-pending');
  expect(await call(ana)).toContain('approval-pending');
  const { binding, card } = await gate.answer();
  expect([binding.session, card?.session]).toEqual(['principal:/ana', 'principal:/ana']);
  expect(await call(ben)).toContain('approval-pending');
  expect(await call(inSession)).toContain('approval-pending');
  expect(ran).toEqual([]);
  expect(await call(ana)).toContain('delete_note ran');
  expect(await call(ana)).toContain('approval-pending');
  expect(ran).toEqual(['delete_note']);
});
