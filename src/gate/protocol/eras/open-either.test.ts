import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ScriptedChannel, ScriptedClient, toMeta } from '../../../../test/gate/scripted-channel.ts';
import { eraOf } from '../envelope.ts';
import { openEither } from './open-either.ts';

const OPTIONS = { clientInfo: { name: 'gate', version: '1' }, timeoutMs: 100 };
const NOT_FOUND = { error: { code: -32_601, message: 'no such method' } };
const MODERN = { result: { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } } };
const HELLO = {
  result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'old' } },
};
const LIST = { id: 1, method: 'tools/list', params: { _meta: toMeta() } };
const INITIALIZE = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'host' } },
};

function open(): { server: ScriptedChannel; client: ScriptedClient } {
  const server = new ScriptedChannel();
  return { server, client: new ScriptedClient(openEither(server, OPTIONS)) };
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('eraOf', () => {
  it('goes by the revision that only requests of 2026 name', () => {
    expect(eraOf({ params: { _meta: toMeta() } })).toBe('modern');
    expect(eraOf({ params: { _meta: { progressToken: 1 } } })).toBe('legacy');
    expect(eraOf({})).toBe('legacy');
  });
});

describe('a first message of 2026', () => {
  it('passes as the very same frame once the server has told its era', () => {
    const { server, client } = open();
    const frame = client.send(LIST);
    expect(server.methods).toEqual(['server/discover']);
    server.answer('server/discover', MODERN);
    expect(server.sent[1]).toBe(frame);
    expect(client.send({ ...LIST, id: 2 })).toBe(server.sent[2]);
    const answer = server.say({ id: 1, result: { tools: [] } });
    expect(client.frames).toEqual([answer]);
    expect(client.frames[0]).toBe(answer);
  });

  it('begins a session with a server that does not know the question', () => {
    const { server, client } = open();
    client.send(LIST);
    server.answer('server/discover', NOT_FOUND);
    expect(server.last('initialize').params).toMatchObject({
      protocolVersion: '2025-11-25',
      capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} },
      clientInfo: { name: 'host', version: '1' },
    });
    server.answer('initialize', HELLO);
    expect(server.methods.slice(2)).toEqual(['notifications/initialized', 'tools/list']);
  });

  it('begins one with a server that says nothing, and then goes by how that is answered', () => {
    const { server, client } = open();
    client.send(LIST);
    vi.advanceTimersByTime(100);
    server.answer('server/discover', MODERN);
    expect(server.methods).toEqual(['server/discover', 'initialize']);
    server.answer('initialize', { error: { code: -32_022, message: 'too old' } });
    expect(server.methods.at(-1)).toBe('tools/list');
    expect(server.last('tools/list').params).toHaveProperty('_meta');
  });

  it('waits for a slow server of 2026 that refused the session', () => {
    const { server, client } = open();
    client.send(LIST);
    vi.advanceTimersByTime(100);
    server.answer('initialize', NOT_FOUND);
    expect(client.frames).toEqual([]);
    server.answer('server/discover', MODERN);
    expect(server.methods.at(-1)).toBe('tools/list');
  });

  it('is told the error of a server that speaks neither, and may try again', () => {
    const { server, client } = open();
    client.send(LIST);
    client.send({ ...LIST, id: 2 });
    server.answer('server/discover', NOT_FOUND);
    server.answer('initialize', { error: { code: -32_000, message: 'closed today' } });
    expect(client.frames.map(({ message }) => message.id)).toEqual([1, 2]);
    expect(client.errorCode).toBe(-32_000);
    client.send({ ...LIST, id: 3 });
    server.answer('server/discover', MODERN);
    expect(server.last('tools/list').id).toBe(3);
  });

  it('is told that the server cannot be reached', () => {
    const { server, client } = open();
    client.send(LIST);
    const failure = { kind: 'not-sent', detail: 'no such command' } as const;
    server.fail('server/discover', failure);
    server.fail('initialize', failure);
    expect(client.failures).toEqual([{ id: 1, failure }]);
  });
});

describe('a first message of 2025', () => {
  it('passes as the very same frame, and so does the answer', () => {
    const { server, client } = open();
    const frame = client.send(INITIALIZE);
    client.send({ method: 'notifications/initialized' });
    expect(server.sent).toEqual([frame]);
    expect(server.sent[0]).toBe(frame);
    const answer = server.answer('initialize', HELLO);
    expect(client.frames[0]).toBe(answer);
    expect(server.methods.at(-1)).toBe('notifications/initialized');
  });

  it('is answered from what a server of 2026 tells, when that refuses the session', () => {
    const { server, client } = open();
    client.send(INITIALIZE);
    server.answer('initialize', { error: { code: -32_022, message: 'too old' } });
    server.answer('server/discover', MODERN);
    expect(client.heard).toMatchObject({ id: 1, result: { protocolVersion: '2025-06-18' } });
    client.send({ id: 2, method: 'tools/list' });
    expect(server.last('tools/list').params['_meta']).toMatchObject({
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'host' },
    });
  });

  it('gets the first refusal when the server answers no question either', () => {
    const { server, client } = open();
    client.send(INITIALIZE);
    server.answer('initialize', { error: { code: -32_000, message: 'closed today' } });
    vi.advanceTimersByTime(100);
    expect(client.errorCode).toBe(-32_000);
    server.answer('server/discover', MODERN);
    expect(client.frames).toHaveLength(1);
  });

  it('passes without a session, for servers that need none', () => {
    const { server, client } = open();
    const frame = client.send({ id: 1, method: 'tools/list' });
    expect(server.sent[0]).toBe(frame);
  });

  it('tells that the server has ended', async () => {
    const { server, client } = open();
    client.send(INITIALIZE);
    await server[Symbol.asyncDispose]();
    expect(client.isClosed).toBe(true);
  });
});
