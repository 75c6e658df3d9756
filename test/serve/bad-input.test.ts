/** Bad input over real sockets: each gets its documented answer, nothing runs, the server stays up. */
import type { HttpServer, Problem } from 'plimsoll/server';
import { openHttp } from 'plimsoll/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Notes } from '../support/notes-server.ts';
import { notesServer, TOKENS } from '../support/notes-server.ts';
import type { Answered } from '../support/post.ts';
import { messageIn, post } from '../support/post.ts';
import { CALL_META_KEYS } from '../../src/effect/meta-keys.ts';

let notes: Notes;
let http: HttpServer;

beforeAll(async () => {
  notes = notesServer();
  http = await openHttp(notes.server, { bodyLimit: 10_000 });
});

afterAll(async () => {
  await http[Symbol.asyncDispose]();
});

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const writer = bearer(TOKENS.writer);

function rpc(name: string, args: unknown): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    id: 7,
    method: 'tools/call',
    params: { name, arguments: args },
  });
}

/** The problem, wherever this transport puts it. */
function problemIn(answer: Answered): Partial<Problem> {
  if (answer.headers['content-type'] === 'application/problem+json') {
    return JSON.parse(answer.text) as Problem;
  }
  const message = messageIn(answer) as {
    error?: { data?: Problem };
    result?: { isError?: boolean; _meta?: Record<string, Problem> };
  };
  if (message.result?.isError === true) {
    return message.result._meta?.[CALL_META_KEYS.problem.key] ?? {};
  }
  return message.error?.data ?? {};
}

interface Case {
  readonly what: string;
  readonly body: string;
  readonly headers?: Record<string, string>;
  readonly code: Problem['code'];
  readonly status: number;
}

async function expectRefused(path: string, { body, headers, code, status }: Case): Promise<void> {
  const before = notes.runs();
  const answer = await post(http.url + path, body, headers);
  expect(problemIn(answer)).toMatchObject({ code });
  expect(answer.status).toBe(status);
  expect(notes.runs()).toBe(before);
  const alive = await post(`${http.url}/op/count_notes`, '{}');
  expect(alive.status).toBe(200);
}

const OP: readonly (Case & { readonly path: string })[] = [
  {
    what: 'malformed JSON',
    path: 'count_notes',
    body: '{"a":',
    code: 'malformed-json',
    status: 400,
  },
  { what: 'an empty body', path: 'count_notes', body: '', code: 'malformed-json', status: 400 },
  {
    what: 'a repeated key',
    path: 'count_notes',
    body: '{"a":1,"a":2}',
    code: 'malformed-json',
    status: 400,
  },
  {
    what: 'an integer that no double holds',
    path: 'count_notes',
    body: '{"a":9007199254740993}',
    code: 'malformed-json',
    status: 400,
  },
  {
    what: 'a lone surrogate',
    path: 'count_notes',
    body: '{"a":"\\ud800"}',
    code: 'malformed-json',
    status: 400,
  },
  {
    what: 'a deep nesting',
    path: 'count_notes',
    body: `${'['.repeat(500)}${']'.repeat(500)}`,
    code: 'malformed-json',
    status: 400,
  },
  { what: 'an array', path: 'count_notes', body: '[]', code: 'invalid-request', status: 400 },
  {
    what: 'a form',
    path: 'count_notes',
    body: 'a=1',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    code: 'unsupported-media-type',
    status: 415,
  },
  {
    what: 'a body over the limit',
    path: 'count_notes',
    body: `{"a":"${'x'.repeat(20_000)}"}`,
    code: 'payload-too-large',
    status: 413,
  },
  {
    what: 'an unknown operation',
    path: 'nope',
    body: '{}',
    code: 'unknown-operation',
    status: 404,
  },
  {
    what: 'a wrong type',
    path: 'get_note',
    body: '{"id":"1"}',
    headers: writer,
    code: 'invalid-input',
    status: 422,
  },
  {
    what: 'an extra argument',
    path: 'count_notes',
    body: '{"a":1}',
    code: 'invalid-input',
    status: 422,
  },
  { what: 'no token', path: 'get_note', body: '{"id":1}', code: 'unauthenticated', status: 401 },
  {
    what: 'R93: a token without the scope',
    path: 'delete_note',
    body: '{"id":1}',
    headers: bearer(TOKENS.reader),
    code: 'scope-missing',
    status: 403,
  },
  {
    what: 'an unknown token',
    path: 'get_note',
    body: '{"id":1}',
    headers: bearer('guess'),
    code: 'token-rejected',
    status: 401,
  },
  {
    what: 'an expired token',
    path: 'get_note',
    body: '{"id":1}',
    headers: bearer(TOKENS.stale),
    code: 'token-expired',
    status: 401,
  },
  {
    what: 'a hostile Host',
    path: 'count_notes',
    body: '{}',
    headers: { host: 'evil.example' },
    code: 'host-refused',
    status: 403,
  },
  {
    what: 'a foreign Origin',
    path: 'count_notes',
    body: '{}',
    headers: { origin: 'https://evil.example' },
    code: 'origin-refused',
    status: 403,
  },
];

describe('POST /op/{name}', () => {
  it.each(OP)('refuses $what', async (given) => expectRefused(`/op/${given.path}`, given));

  it('R96 R200: answers trouble with payment with 402, which no other refusal has', async () => {
    const answer = await post(`${http.url}/op/print_note`, '{"id":1}', writer);
    expect([answer.status, answer.headers['content-type']]).toEqual([
      402,
      'application/problem+json',
    ]);
    expect(problemIn(answer)).toMatchObject({ code: 'payment-required', status: 402 });
    expect(OP.map(({ status }) => status)).not.toContain(402);
  });

  it('answers other methods with 405 and what is allowed', async () => {
    const answer = await post(`${http.url}/op/count_notes`, '', {}, 'GET');
    expect([answer.status, answer.headers['allow']]).toEqual([405, 'POST']);
  });

  it('names the missing scope in a header that clients understand', async () => {
    const answer = await post(`${http.url}/op/delete_note`, '{"id":1}', bearer(TOKENS.reader));
    expect(answer.headers['www-authenticate']).toBe(
      'Bearer error="insufficient_scope", scope="notes:write"',
    );
  });
});

const MCP: readonly Case[] = [
  { what: 'malformed JSON', body: '{"jsonrpc"', code: 'malformed-json', status: 400 },
  {
    what: 'a repeated key',
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count_notes","name":"get_note"}}',
    code: 'malformed-json',
    status: 400,
  },
  {
    what: 'a wrong content type',
    body: rpc('count_notes', {}),
    headers: { 'content-type': 'text/plain' },
    code: 'unsupported-media-type',
    status: 415,
  },
  {
    what: 'a body over the limit',
    body: rpc('count_notes', { a: 'x'.repeat(20_000) }),
    code: 'payload-too-large',
    status: 413,
  },
  { what: 'an unknown tool', body: rpc('nope', {}), code: 'unknown-operation', status: 200 },
  {
    what: 'a wrong type',
    body: rpc('get_note', { id: 'one' }),
    headers: writer,
    code: 'invalid-input',
    status: 200,
  },
  {
    what: 'an extra argument',
    body: rpc('count_notes', { a: 1 }),
    code: 'invalid-input',
    status: 200,
  },
  { what: 'no token', body: rpc('delete_note', { id: 1 }), code: 'unauthenticated', status: 401 },
  {
    what: 'a token without the scope',
    body: rpc('delete_note', { id: 1 }),
    headers: bearer(TOKENS.reader),
    code: 'scope-missing',
    status: 200,
  },
  {
    what: 'an unknown token',
    body: rpc('count_notes', {}),
    headers: bearer('guess'),
    code: 'token-rejected',
    status: 401,
  },
  {
    what: 'an expired token',
    body: rpc('count_notes', {}),
    headers: bearer(TOKENS.stale),
    code: 'token-expired',
    status: 401,
  },
  {
    what: 'a hostile Host',
    body: rpc('count_notes', {}),
    headers: { host: 'evil.example:80' },
    code: 'host-refused',
    status: 403,
  },
  {
    what: 'a foreign Origin',
    body: rpc('count_notes', {}),
    headers: { origin: 'http://evil.example' },
    code: 'origin-refused',
    status: 403,
  },
];

describe('the MCP endpoint', () => {
  it.each(MCP)('refuses $what', async (given) => expectRefused('/mcp', given));

  it('begins a sign-in with a challenge', async () => {
    const answer = await post(http.mcpUrl, rpc('delete_note', { id: 1 }));
    expect(answer.headers['www-authenticate']).toBe('Bearer scope="notes:write"');
    const rejected = await post(http.mcpUrl, rpc('count_notes', {}), bearer('guess'));
    expect(rejected.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
  });

  it('serves nothing else', async () => {
    const answer = await post(`${http.url}/admin`, '{}');
    expect([answer.status, problemIn(answer).code]).toEqual([404, 'not-found']);
  });
});
