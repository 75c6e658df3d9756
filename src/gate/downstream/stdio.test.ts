import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ScriptedChannel } from '../../../test/gate/scripted-channel.ts';
import { openStdioDownstream } from './stdio.ts';

function open(channel: ScriptedChannel = new ScriptedChannel()): {
  channel: ScriptedChannel;
  input: PassThrough;
  output: PassThrough;
  front: ReturnType<typeof openStdioDownstream>;
  read: () => readonly Record<string, unknown>[];
} {
  const input = new PassThrough();
  const output = new PassThrough();
  let text = '';
  output.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
  const front = openStdioDownstream(channel, { input, output });
  const read = (): readonly Record<string, unknown>[] =>
    text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as never]));
  return { channel, input, output, front, read };
}

describe('a client over standard input', () => {
  it('gets a refusal under the id of what it sent', async () => {
    const { channel, input, front, read } = open();
    input.write('{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"a":"\\ud800"}}\n');
    await expect.poll(read).toMatchObject([{ id: 4, error: { code: -32_700 } }]);
    expect(channel.sent).toEqual([]);
    await front[Symbol.asyncDispose]();
  });

  it('whose answer is refused leaves no server waiting for it', async () => {
    const { channel, input, front, read } = open();
    input.write('{"jsonrpc":"2.0","id":"s1","result":{"content":"\\udc00"}}\n');
    await expect.poll(() => channel.sent.length).toBe(1);
    expect(channel.sent[0]?.message).toMatchObject({ id: 's1', error: { code: -32_700 } });
    expect(channel.sent[0]?.caller?.via).toBe('mcp-stdio');
    expect(read()).toEqual([]);
    await front[Symbol.asyncDispose]();
  });

  it('is told of a request that failed, but not of one that it cancelled', async () => {
    const { channel, input, front, read } = open();
    input.write('{"jsonrpc":"2.0","id":1,"method":"a"}\n{"jsonrpc":"2.0","id":2,"method":"b"}\n');
    input.write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}\n');
    await expect.poll(() => channel.sent.length).toBe(3);
    channel.fail('a', { kind: 'lost', detail: 'It was cancelled' });
    channel.fail('b', { kind: 'lost', detail: 'The server ended' });
    await expect.poll(read).toMatchObject([{ id: 2, error: { data: { code: 'server-stopped' } } }]);
    await front[Symbol.asyncDispose]();
    expect(read()).toHaveLength(1);
  });

  it('gets nothing more under an id that it cancelled, even if the server answers', async () => {
    const { channel, input, front, read } = open();
    input.write('{"jsonrpc":"2.0","id":1,"method":"a"}\n{"jsonrpc":"2.0","id":2,"method":"b"}\n');
    input.write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}\n');
    await expect.poll(() => channel.sent.length).toBe(3);
    channel.answer('a', { result: {} });
    channel.answer('b', { result: {} });
    await front[Symbol.asyncDispose]();
    expect(read()).toEqual([{ jsonrpc: '2.0', id: 2, result: {} }]);
  });

  it('is heard to its last line, though that has no end', async () => {
    const { channel, input, front } = open();
    input.end('{"jsonrpc":"2.0","id":1,"method":"a"}\n{"jsonrpc":"2.0","id":2,"method":"b"}');
    await front.done;
    expect(channel.methods).toEqual(['a', 'b']);
    await front[Symbol.asyncDispose]();
  });

  it('gets answers that come after the end of its input, until the channel is closed', async () => {
    class Slow extends ScriptedChannel {
      override async [Symbol.asyncDispose](): Promise<void> {
        await sleep(100);
        this.answer('work', { result: { late: true } });
        await super[Symbol.asyncDispose]();
      }
    }
    const { input, front, read } = open(new Slow());
    input.end('{"jsonrpc":"2.0","id":1,"method":"work"}\n');
    await front.done;
    await front[Symbol.asyncDispose]();
    expect(read()).toMatchObject([{ id: 1, result: { late: true } }]);
  });

  it('may be gone without a reader, and does not hold up the end', async () => {
    const { channel, output, front } = open();
    output.destroy(new Error('EPIPE'));
    output.emit('error', new Error('EPIPE')); // standard output reports every write that fails
    await front.done;
    channel.say({ method: 'notifications/x' });
    await front[Symbol.asyncDispose]();

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
