/** What the suite does not ask: that a client which comes back for a list gets the list. */
import { describe, expect, it } from 'vitest';
import { openFixture } from './fixture-server.ts';

const BASE = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2025-11-25',
};

describe('resumption', () => {
  it('sends the same tools again to a client that lost the connection', async () => {
    await using fixture = await openFixture();
    const headers = { ...BASE, 'mcp-session-id': await openSession(fixture.mcpUrl) };
    const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
    const first = await readEvents(await post(fixture.mcpUrl, headers, list));

    const again = await fetch(fixture.mcpUrl, {
      headers: { ...headers, 'last-event-id': first[0]?.id ?? '' },
    });

    expect(again.status).toBe(200);
    expect(first).toHaveLength(2); // the first event only says where to resume
    expect(first[1]?.data).toContain('"name":"test_simple_text"');
    expect(await readEvents(again)).toEqual(first.slice(1));
  });

  it("does not send a session's messages to another session", async () => {
    await using fixture = await openFixture();
    const mine = { ...BASE, 'mcp-session-id': await openSession(fixture.mcpUrl) };
    const theirs = { ...BASE, 'mcp-session-id': await openSession(fixture.mcpUrl) };
    const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
    const events = await readEvents(await post(fixture.mcpUrl, mine, list));

    const response = await fetch(fixture.mcpUrl, {
      headers: { ...theirs, 'last-event-id': events[0]?.id ?? '' },
    });

    expect(response.status).toBe(400);
  });
});

async function openSession(url: string): Promise<string> {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  };
  const response = await post(url, BASE, { jsonrpc: '2.0', id: 1, method: 'initialize', params });
  await response.text();
  return response.headers.get('mcp-session-id') ?? '';
}

function post(url: string, headers: Record<string, string>, message: object): Promise<Response> {
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(message) });
}

interface Event {
  readonly id: string;
  readonly data: string;
}

async function readEvents(response: Response): Promise<readonly Event[]> {
  const blocks = (await response.text()).split('\n\n').filter((block) => block.includes('id: '));
  return blocks.map((block) => ({
    id: /^id: (.*)$/m.exec(block)?.[1] ?? '',
    data: /^data: (.*)$/m.exec(block)?.[1] ?? '',
  }));
}
