/** Over real sockets: what a client is refused for tells it what to do about just that. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Answered } from '../../../test/support/post.ts';
import { messageIn, post } from '../../../test/support/post.ts';
import type { Problem } from '../../lib/problem.ts';
import { PROBLEMS } from '../../lib/problem-catalog.ts';
import type { Channel, Listener } from '../protocol/channel.ts';
import type { Frame } from '../protocol/frame.ts';
import { toFrame } from '../protocol/frame.ts';
import type { HttpDownstream } from './http-downstream.ts';
import { openHttpDownstream } from './http-downstream.ts';

/** The outside edge: agrees to a session, and leaves everything else open. */
class SilentServer implements Channel {
  #listener: Listener | undefined;

  listen(listener: Listener): void {
    this.#listener = listener;
  }

  send({ message }: Frame): void {
    const { id, method, params } = message;
    if (method !== 'initialize' || id === undefined || id === null) return;
    const protocolVersion = params?.['protocolVersion'] ?? null;
    const result = { protocolVersion, capabilities: {}, serverInfo: { name: 's', version: '1' } };
    this.#listener?.frame({ ...toFrame({ jsonrpc: '2.0', id, result }), about: id });
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

let gate: HttpDownstream;
let session: Record<string, string> = {};

beforeEach(async () => {
  gate = await openHttpDownstream({
    principal: { id: 'local', scopes: [] },
    openSession: () => new SilentServer(),
    report: () => {},
  });
  const begun = await post(gate.mcpUrl, JSON.stringify(initialize(1)));
  session = { 'mcp-session-id': String(begun.headers['mcp-session-id']) };
});

afterEach(() => gate[Symbol.asyncDispose]());

function initialize(id: number): object {
  const clientInfo = { name: 'c', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  return { jsonrpc: '2.0', id, method: 'initialize', params };
}

interface Asked {
  readonly path?: string;
  readonly method?: string;
  /** None: no session. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly isAlone?: boolean;
  readonly body?: unknown;
}

function ask({ path, method, headers = {}, isAlone = false, body }: Asked): Promise<Answered> {
  const text = body === undefined ? '' : JSON.stringify(body);
  const url = path === undefined ? gate.mcpUrl : gate.url + path;
  return post(url, text, { ...(!isAlone && session), ...headers }, method);
}

const GENERAL: readonly string[] = Object.values(PROBLEMS).map(({ remedy }) => remedy);
const LIST = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
const MODERN = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
const META = 'io.modelcontextprotocol/protocolVersion';

describe('a refusal', () => {
  it.each([
    [
      'Last-Event-ID that is not kept',
      { method: 'GET', headers: { 'last-event-id': '77-1' } },
      400,
      'Open the stream again without Last-Event-ID, and read again what the missed messages were about.',
    ],
    [
      'a session that is not there',
      { headers: { 'mcp-session-id': 'gone' }, body: LIST },
      404,
      'Send initialize without Mcp-Session-Id to begin a new session.',
    ],
    [
      'a revision that is not known',
      { headers: { 'mcp-protocol-version': '2020-01-01' }, body: LIST },
      400,
      'Send the version that initialize agreed on, or leave the header out.',
    ],
    ['another initialize', { body: [initialize(3)] }, 400, 'Send one message at a time.'],
    [
      'a batch with initialize',
      { isAlone: true, body: [initialize(3), LIST] },
      400,
      'Send initialize alone, and once for each session.',
    ],
    [
      'two requests of one id',
      { isAlone: true, body: [LIST, LIST] },
      400,
      'Give each request an id of its own.',
    ],
    [
      'no message',
      { body: { jsonrpc: '2.0', method: 7 } },
      400,
      'Send a JSON-RPC 2.0 object: a request, a notification or a response.',
    ],
    [
      'a key in another case',
      { body: { ...LIST, Method: 'tools/call' } },
      400,
      'Write each key once, in the case in which the protocol spells it.',
    ],
    [
      'a header that says something else',
      { headers: { 'mcp-method': 'ping' }, body: LIST },
      400,
      'Send the same in the headers as in the body.',
    ],
    [
      'a message of 2026-07-28 without its envelope',
      { isAlone: true, headers: MODERN, body: LIST },
      400,
      `Send ${META} in \`params._meta\` of each request.`,
    ],
    ['another path', { path: '/other', body: LIST }, 404, 'Send MCP requests to /mcp.'],
  ] as const)('for %s', async (_, asked, status, remedy) => {
    const answer = await ask(asked);
    expect(answer.status).toBe(status);
    const { error } = messageIn(answer) as { error?: { message: string; data?: Problem } };
    expect(error?.data).toMatchObject({ status, remedy });
    expect(error?.message).toBe(error?.data?.detail);
    expect(GENERAL).not.toContain(remedy);
  });
});
