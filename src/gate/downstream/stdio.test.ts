import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ScriptedChannel } from '../../../test/gate/scripted-channel.ts';
import type { RefusedMessage } from '../protocol/read-frame.ts';
import { openStdioDownstream } from './stdio.ts';

function open(channel: ScriptedChannel = new ScriptedChannel()): {
  channel: ScriptedChannel;
  input: PassThrough;
  output: PassThrough;
  downstream: ReturnType<typeof openStdioDownstream>;
  read: () => readonly Record<string, unknown>[];
  refused: RefusedMessage[];
} {
  const input = new PassThrough();
  const output = new PassThrough();
  let text = '';
  output.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
  const refused: RefusedMessage[] = [];
  const downstream = openStdioDownstream(channel, {
    input,
    output,
    refused: (message) => refused.push(message),
  });
  const read = (): readonly Record<string, unknown>[] =>
    text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as never]));
  return { channel, input, output, downstream, read, refused };
}

describe('a client over standard input', () => {
  it('gets a refusal under the id of what it sent', async () => {
    const { channel, input, downstream, read } = open();
    input.write('{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"a":"\\ud800"}}\n');
    await expect.poll(read).toMatchObject([{ id: 4, error: { code: -32_700 } }]);
    expect(channel.sent).toEqual([]);
    await downstream[Symbol.asyncDispose]();
  });

  it('whose answer is refused leaves no server waiting for it', async () => {
    const { channel, input, downstream, read } = open();
    input.write('{"jsonrpc":"2.0","id":"s1","result":{"content":"\\udc00"}}\n');
    await expect.poll(() => channel.sent.length).toBe(1);
    expect(channel.sent[0]?.message).toMatchObject({ id: 's1', error: { code: -32_700 } });
    expect(channel.sent[0]?.caller?.via).toBe('mcp-stdio');
    expect(read()).toEqual([]);
    await downstream[Symbol.asyncDispose]();
  });

  it('has its batch taken apart where the agreed revision has batches, and answered one by one', async () => {
    const { channel, input, downstream, read } = open();
    input.write('{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}\n');
    await expect.poll(() => channel.sent.length).toBe(1);
    channel.answer('initialize', { result: { protocolVersion: '2025-03-26' } });
    input.write(
      '[{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","method":"b"},{"jsonrpc":"2.0","id":2,"method":"c"}]\n',
    );
    await expect.poll(() => channel.methods).toEqual(['initialize', 'a', 'b', 'c']);
    channel.answer('c', { result: {} });
    channel.answer('a', { result: {} });
    await expect
      .poll(read)
      .toMatchObject([{ id: 0 }, { id: 2, result: {} }, { id: 1, result: {} }]);
    await downstream[Symbol.asyncDispose]();
  });

  it.each([
    ['the revision has none', '{"jsonrpc":"2.0","id":2,"method":"b"}', -32_600],
    ['one of it cannot be read', '{"jsonrpc":"2.0","id":2,"method":"b","a":1,"a":2}', -32_700],
  ])('has each request of its batch refused under its own id: %s', async (_, second, code) => {
    const { channel, input, downstream, read, refused } = open();
    const call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}';
    input.write(`[${call},${second}]\n`);
    await expect.poll(read).toMatchObject([
      { id: 1, error: { code } },
      { id: 2, error: { code } },
    ]);
    expect(channel.sent).toEqual([]);
    expect(refused).toMatchObject([{ calls: ['x'] }]);
    await downstream[Symbol.asyncDispose]();
  });

  it('is told of a request that failed, but not of one that it cancelled', async () => {
    const { channel, input, downstream, read } = open();
    input.write('{"jsonrpc":"2.0","id":1,"method":"a"}\n{"jsonrpc":"2.0","id":2,"method":"b"}\n');
    input.write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}\n');
    await expect.poll(() => channel.sent.length).toBe(3);
    channel.fail('a', { kind: 'lost', detail: 'It was cancelled' });
    channel.fail('b', { kind: 'lost', detail: 'The server ended' });
    await expect.poll(read).toMatchObject([{ id: 2, error: { data: { code: 'server-stopped' } } }]);
    await downstream[Symbol.asyncDispose]();
    expect(read()).toHaveLength(1);
  });

  it('gets nothing more under an id that it cancelled, even if the server answers', async () => {
    const { channel, input, downstream, read } = open();
    input.write('{"jsonrpc":"2.0","id":1,"method":"a"}\n{"jsonrpc":"2.0","id":2,"method":"b"}\n');
    input.write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}\n');
    await expect.poll(() => channel.sent.length).toBe(3);
    channel.answer('a', { result: {} });
    channel.answer('b', { result: {} });
    await downstream[Symbol.asyncDispose]();
    expect(read()).toEqual([{ jsonrpc: '2.0', id: 2, result: {} }]);
  });

  it('is heard to its last line, though that has no end', async () => {
    const { channel, input, downstream } = open();
    input.end('{"jsonrpc":"2.0","id":1,"method":"a"}\n{"jsonrpc":"2.0","id":2,"method":"b"}');
    await downstream.done;
    expect(channel.methods).toEqual(['a', 'b']);
    await downstream[Symbol.asyncDispose]();
  });

  it('gets answers that come after the end of its input, until the channel is closed', async () => {
    class Slow extends ScriptedChannel {
      override async [Symbol.asyncDispose](): Promise<void> {
        await sleep(100);
        this.answer('work', { result: { late: true } });
        await super[Symbol.asyncDispose]();
      }
    }
    const { input, downstream, read } = open(new Slow());
    input.end('{"jsonrpc":"2.0","id":1,"method":"work"}\n');
    await downstream.done;
    await downstream[Symbol.asyncDispose]();
    expect(read()).toMatchObject([{ id: 1, result: { late: true } }]);
  });

  it('may be gone without a reader, and does not hold up the end', async () => {
    const { channel, output, downstream } = open();
    output.destroy(new Error('EPIPE'));
    output.emit('error', new Error('EPIPE')); // standard output reports every write that fails
    await downstream.done;
    channel.say({ method: 'notifications/x' });
    await downstream[Symbol.asyncDispose]();

    const stuck = new PassThrough({ highWaterMark: 1 });
    const slow = openStdioDownstream(new ScriptedChannel(), {
      input: new PassThrough(),
      output: stuck,
    });
    stuck.write('x'.repeat(100));
    const from = Date.now();
    await slow[Symbol.asyncDispose]();
    expect(Date.now() - from).toBeLessThan(3000);
    stuck.resume();
    await once(stuck, 'data');
  });
});
