import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { untilExpiry } from './mcp-endpoint.ts';

const SECONDS = 0.2;

let source: ReadableStreamDefaultController<Uint8Array>;
let isCancelled: boolean;
const thrown: unknown[] = [];
const note = (error: unknown): void => void thrown.push(error);

beforeEach(() => {
  thrown.length = 0;
  isCancelled = false;
  process.on('uncaughtException', note);
});

afterEach(() => {
  process.off('uncaughtException', note);
});

function open(type = 'text/event-stream'): Response {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => void (source = controller),
    cancel: () => void (isCancelled = true),
  });
  const response = new Response(body, { headers: { 'content-type': type } });
  const expiresAt = Date.now() / 1000 + SECONDS;
  return untilExpiry(response, { kind: 'known', principal: { id: 'a', scopes: [], expiresAt } });
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('a stream of a token', () => {
  it('ends when the token does, and lets go of its source', async () => {
    const text = open().text();
    source.enqueue(encode('data: 1\n\n'));
    expect(await text).toBe('data: 1\n\n');
    expect(isCancelled).toBe(true);
  });

  it('that broke before is not touched again', async () => {
    const text = open().text();
    source.error(new Error('broken'));
    await expect(text).rejects.toThrow('broken');
    await wait(SECONDS * 2000);
    expect(thrown).toEqual([]);
  });

  it('that ended or was left before is not touched again', async () => {
    const ended = open().text();
    source.close();
    expect(await ended).toBe('');
    await open().body?.cancel();
    expect(isCancelled).toBe(true);
    await wait(SECONDS * 2000);
    expect(thrown).toEqual([]);
  });

  it('is nothing but a stream of events', async () => {
    const text = open('application/json').text();
    await wait(SECONDS * 2000);
    source.enqueue(encode('{}'));
    source.close();
    expect(await text).toBe('{}');
  });
});
