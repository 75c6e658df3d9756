/** Transports that close, refuse, answer twice or at once: the channel in front keeps its contract. */
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject, RpcId } from '../protocol/frame.ts';
import { toFrame } from '../protocol/frame.ts';
import { TransportChannel } from './sdk-transport.ts';

class TestTransport implements Transport {
  onclose?: () => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly sent: JSONRPCMessage[] = [];
  readonly options: unknown[] = [];
  take: (message: JSONRPCMessage) => void = () => {};

  async start(): Promise<void> {}

  send(message: JSONRPCMessage, options?: unknown): Promise<void> {
    this.sent.push(message);
    this.options.push(options);
    this.take(message);
    return Promise.resolve();
  }

  async close(): Promise<void> {
    this.onclose?.();
  }

  say(message: JsonObject): void {
    this.onmessage?.({ jsonrpc: '2.0', ...message } as unknown as JSONRPCMessage);
  }
}

let heard: string[];
let transport: TestTransport;
let channel: TransportChannel;

beforeEach(() => {
  heard = [];
  transport = new TestTransport();
  channel = new TransportChannel(transport, { cancelGraceMs: 30 });
  channel.listen({
    frame: ({ message: { id, method, result } }) =>
      void heard.push(method ?? `${String(id)}: ${JSON.stringify(result)}`),
    failed: (id, { kind }) => void heard.push(`${String(id)}: ${kind}`),
    renewed: () => void heard.push('renewed'),
    closed: () => void heard.push('closed'),
  });
});

function request(id: RpcId, method = 'work'): void {
  channel.send(toFrame({ jsonrpc: '2.0', id, method }));
}

describe('a transport of the SDK as a channel', () => {
  it('passes on one answer to each request, and none to anything else', async () => {
    request(1);
    await sleep(0);
    for (const id of [1, 1, 2]) transport.say({ id, result: id });
    transport.say({ method: 'notifications/x' });
    expect(heard).toEqual(['1: 1', 'notifications/x']);
  });

  it('says nothing before send returns, even if the transport answers at once', async () => {
    transport.take = () => transport.say({ id: 1, result: 1 });
    request(1);
    expect(heard).toEqual([]);
    await sleep(0);
    expect(heard).toEqual(['1: 1']);
  });

  it('settles what could not be sent, whether the transport rejects or throws', async () => {
    transport.take = () => {
      throw new Error('not connected');
    };
    request(1);
    expect(heard).toEqual([]);
    await sleep(0);
    transport.send = () => Promise.reject(new Error('too late'));
    request(2);
    channel.send(toFrame({ jsonrpc: '2.0', method: 'notifications/x' }));
    await sleep(0);
    transport.say({ id: 1, result: 1 });
    expect(heard).toEqual(['1: lost', '2: lost']);
  });

  it('settles what was in flight when it is closed, by whichever side, and ends once', async () => {
    request(1);
    await sleep(0);
    transport.say({ id: 9, method: 'roots/list' });
    await transport.close();
    await channel[Symbol.asyncDispose]();
    request(2);
    await sleep(0);
    expect(heard).toEqual(['roots/list', '1: lost', 'closed']);
  });

  it('ends though the transport does not say so, and sends what was sent before', async () => {
    transport.close = () => Promise.reject(new Error('no'));
    request(1);
    await channel[Symbol.asyncDispose]();
    expect(transport.sent).toHaveLength(1);
    expect(heard).toEqual(['1: lost', 'closed']);
  });

  it('keeps a cancelled request in flight for its grace time', async () => {
    request(1);
    request(2);
    for (const requestId of [1, 2]) {
      const params = { requestId };
      channel.send(toFrame({ jsonrpc: '2.0', method: 'notifications/cancelled', params }));
    }
    await sleep(0);
    transport.say({ id: 1, result: 'late' });
    await sleep(60);
    transport.say({ id: 2, result: 'too late' });
    expect(heard).toEqual(['1: "late"', '2: lost']);
  });

  it('sends what the bytes say, with the options of the SDK', async () => {
    const frame = toFrame({ jsonrpc: '2.0', id: 1, method: 'work' });
    channel.remember(frame, { relatedRequestId: 7 });
    channel.send({
      ...frame,
      bytes: Buffer.from('{"jsonrpc":"2.0","id":1,"method":"work","more":1e+21}'),
    });
    await sleep(0);
    expect(JSON.stringify(transport.sent)).toContain('"more":1e+21');
    expect(transport.options).toEqual([{ relatedRequestId: 7 }]);
  });
});
