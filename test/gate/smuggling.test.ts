/** Bytes that mean one thing to the gate and might mean another to a server behind it. */
import { afterEach, describe, expect, it } from 'vitest';
import { openGate } from '../../src/gate/call/open-gate.ts';
import { toContext } from '../../src/gate/open-services.ts';
import { openHttpDownstream } from '../../src/gate/downstream/http-downstream.ts';
import { post } from '../support/post.ts';
import { GateFixture } from './gate-fixture.ts';
import { RecordingServer, toTool } from './recording-server.ts';

const WIPE = '{"jsonrpc":"2.0","id":66,"method":"tools/call","params":{"name":"wipe_all"}}';
const TOOLS = [toTool('get_note', 'Gives one note.'), toTool('wipe_all', 'Wipes all notes.')];

let gate: GateFixture;

afterEach(() => gate[Symbol.asyncDispose]());

/** What a server sees that reads lines, wherever it thinks that they end. */
function linesOf({ received }: RecordingServer): readonly string[] {
  return received.flatMap(({ bytes }) =>
    Buffer.from(bytes)
      .toString('utf8')
      .split(/[\r\n]/),
  );
}

it('a line end inside of a message starts no new message, over stdio', async () => {
  gate = await GateFixture.open({ tools: TOOLS });
  gate.write(`{"x":\r${WIPE}\r,"jsonrpc":"2.0","id":5,"method":"ping"}`);
  await gate.answerTo(5).catch(() => {});
  await gate.request('ping');
  expect(linesOf(gate.server)).not.toContain(WIPE);
});

it.each(['\n', '\r', '\r\n'])(
  'a line end inside of a message starts no new message, over HTTP: %j',
  async (end) => {
    gate = await GateFixture.open({ tools: TOOLS });
    const server = new RecordingServer({ tools: TOOLS });
    const context = toContext(gate.services, { server: 'shop' });
    await using downstream = await openHttpDownstream({
      host: '127.0.0.1',
      port: 0,
      principal: { id: 'agent', scopes: [] },
      openSession: () => openGate(server, context),
      report: () => {},
    });
    const body = (id: number, method: string, more = ''): string =>
      `{"jsonrpc":"2.0","id":${id},"method":"${method}"${more}}`;
    const accept = { accept: 'application/json, text/event-stream' };
    const params = `,"params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}`;
    const hello = await post(downstream.mcpUrl, body(1, 'initialize', params), accept);
    const session = { 'mcp-session-id': String(hello.headers['mcp-session-id']) };
    const smuggled = body(2, 'ping', `,"x":${end}${WIPE}${end}`);
    const { status } = await post(downstream.mcpUrl, smuggled, { ...accept, ...session });
    expect(status).toBeLessThan(500);
    expect(linesOf(server)).not.toContain(WIPE);
  },
);

describe('a server that does not mind the case of keys', () => {
  it.each([
    '{"jsonrpc":"2.0","id":5,"method":"ping","Method":"tools/call","params":{"name":"wipe_all"}}',
    '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"get_note","NAME":"wipe_all"}}',
    '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"get_note"},"Params":{"name":"wipe_all"}}',
  ])('is not sent %s', async (line) => {
    gate = await GateFixture.open({ tools: TOOLS });
    gate.write(line);
    await gate.request('ping');
    await gate.request('tools/list');
    expect(linesOf(gate.server)).not.toContain(line);
  });
});
