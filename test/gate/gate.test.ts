/** What passes the gate as it came, what is refused, and how the gate learns what tools are. */
import { afterEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/gate/protocol/frame.ts';
import type { GateFixtureOptions } from './gate-fixture.ts';
import { GateFixture } from './gate-fixture.ts';
import { problemIn, toText, toTool } from './recording-server.ts';

const GET = toTool('get_note', 'Gives one note.', ['id']);
const DELETE = toTool('delete_note', 'Deletes a note for good.', ['id']);

let gate: GateFixture;

async function open(options: Partial<GateFixtureOptions> = {}): Promise<GateFixture> {
  gate = await GateFixture.open({ tools: [GET, DELETE], ...options });
  return gate;
}

afterEach(() => gate[Symbol.asyncDispose]());

function lastReceived(): string {
  return Buffer.from(gate.server.received.at(-1)?.bytes ?? []).toString('utf8');
}

describe('what passes', () => {
  it('R118 R134: a read runs without a question, byte for byte both ways', async () => {
    await open();
    await gate.request('tools/list');
    const odd =
      '{ "id":"r1","x-unknown":{"b":1,"a":[1.50, 2e3]},"method":"tools\\/call", "params":{"arguments":{"id":"\\u0031"},"name":"get_note","futureField":null} ,"jsonrpc":"2.0"}';
    gate.server.script = { tools: [GET], run: () => 'silence' };
    gate.write(odd);
    await expect.poll(lastReceived).toBe(odd);
    const answer =
      '{"result":{"content":[],"structuredContent":{"n":1.0},"later":{"z":1,"a":2}},"jsonrpc":"2.0","extra":[ ],"id":"r1"}';
    gate.server.say(answer);
    await gate.answerTo('r1');
    expect(gate.lines).toContain(answer);
    expect(await gate.services.approvals.listPending()).toEqual([]);
    expect(await gate.receipts()).toMatchObject([
      { operation: 'get_note', decision: 'ran', outcome: 'success', rule: 'looking-runs' },
    ]);
  });

  it.each([
    '{"jsonrpc":"2.0","id":7,"method":"resources/read","params":{"uri":"a:b", "odd" : 1}}',
    '{"jsonrpc":"2.0","id":"8","method":"tasks/get","params":{"taskId":"t"},"more":true}',
    '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}',
    '{"jsonrpc":"2.0","id":"of-the-server","result":{"roots":[ ]}}',
  ])('passes on what it does not decide about: %s', async (line) => {
    await open();
    gate.write(line);
    await expect.poll(lastReceived).toBe(line);
  });

  it('passes on the cancel of a request that passed, and of no other', async () => {
    await open();
    gate.server.script = { tools: [GET], run: () => 'silence' };
    const toCancel = (requestId: number): string =>
      JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
    gate.write(toCancel(7));
    gate.write('{"jsonrpc":"2.0","id":7,"method":"resources/read","params":{"uri":"a:b"}}');
    await expect.poll(() => gate.server.count('resources/read')).toBe(1);
    gate.write(toCancel(7));
    await expect.poll(lastReceived).toBe(toCancel(7));
    expect(gate.server.count('notifications/cancelled')).toBe(1);
  });

  it.each([
    '{"jsonrpc":"2.0","id":9,"method":"vendor/whatever"}',
    '{"jsonrpc":"2.0","method":"notifications/vendor","params":{"deep":[[[{}]]]}}',
  ])('passes on another method where the policy names it, and records it: %s', async (line) => {
    gate = await GateFixture.open({
      tools: [GET],
      policy: { methods: ['vendor/*', 'notifications/vendor'] },
    });
    gate.write(line);
    await expect.poll(lastReceived).toBe(line);
    await expect.poll(() => gate.receipts()).toHaveLength(1);
    expect(await gate.receipts()).toMatchObject([
      { rule: 'unknown-method', request: 'method', effect: 'unknown' },
    ]);
  });

  it('passes no other method in live mode, and records that', async () => {
    gate = await GateFixture.open({ tools: [GET] });
    const answer = await gate.request('vendor/whatever', { all: true });
    expect(answer).toMatchObject({ error: { code: -32_601 } });
    const methods = gate.server.received.map(({ message }) => message.method);
    expect(methods).not.toContain('vendor/whatever');
    expect(await gate.receipts()).toMatchObject([
      { operation: 'vendor/whatever', decision: 'refused', outcome: 'denied-by-policy' },
    ]);
  });

  it('passes any other method in sandbox mode but one that looks like a call', async () => {
    gate = await GateFixture.open({ tools: [GET], mode: 'sandbox' });
    await gate.request('vendor/whatever');
    await gate.request('Tools/Call ', { name: 'get_note' });
    const methods = gate.server.received.map(({ message }) => message.method);
    expect(methods).toContain('vendor/whatever');
    expect(methods).not.toContain('Tools/Call ');
  });

  it('passes on whatever a server says, as it is', async () => {
    await open();
    const said = [
      '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1.0}}',
      '{"method":"sampling/createMessage","id":"s1","jsonrpc":"2.0","params":{ }}',
    ];
    for (const line of said) gate.server.say(line);
    await expect.poll(() => gate.lines.slice(-2)).toEqual(said);
  });

  it('drops an answer to what was not sent to the server, and reports it', async () => {
    await open();
    gate.server.say('{"jsonrpc":"2.0","id":"unknown-to-all","result":{}}');
    await expect.poll(() => gate.reports).toEqual([expect.stringContaining('was not sent to it')]);
    expect(gate.lines.join('')).not.toContain('unknown-to-all');
  });
});

describe('what is refused', () => {
  const policy = {
    rules: [
      {
        name: 'no deletes',
        match: { tool: 'delete_*' },
        // oxlint-disable-next-line unicorn/no-thenable -- a key of the policy; its value is a word
        then: 'deny',
        because: 'Not on my watch.',
      },
    ],
  } as const;

  it.each(['legacy', 'modern'] as const)(
    'a denial is a problem that programs can read, for a %s client',
    async (era) => {
      await open({ policy, era });
      const answer = await gate.call('delete_note', { id: '1' });
      expect(answer).toMatchObject({
        result: {
          isError: true,
          content: [{ type: 'text' }],
          structuredContent: {
            code: 'denied-by-policy',
            status: 403,
            detail: 'Not on my watch.',
            title: expect.any(String) as string,
            remedy: expect.any(String) as string,
          },
        },
      });
      const isModern = (answer['result'] as JsonObject)['resultType'] === 'complete';
      expect(isModern).toBe(era === 'modern');
      expect(gate.server.ran).toEqual([]);
      expect(await gate.receipts()).toMatchObject([
        { operation: 'delete_note', decision: 'refused', rule: 'no deletes' },
      ]);
    },
  );

  it('a tool that the server does not list is not called, whatever it is', async () => {
    await open();
    const answer = await gate.call('get_other_note');
    expect(answer).toMatchObject({ error: { data: { code: 'tool-not-listed' } } });
    expect(gate.server.ran).toEqual([]);
  });

  it('a call without an id is not passed on: its server might run it all the same', async () => {
    await open();
    gate.write('{"jsonrpc":"2.0","method":"tools/call","params":{"name":"delete_note"}}');
    gate.write('{"jsonrpc":"2.0","id":null,"method":"tools/call","params":{"name":"get_note"}}');
    await gate.request('ping');
    expect(gate.server.ran).toEqual([]);
  });

  it.each([
    ['two methods', '{"jsonrpc":"2.0","id":5,"method":"ping","method":"tools/call"}', 5],
    ['an escaped second key', '{"jsonrpc":"2.0","id":5,"method":"ping","m\\u0065thod":"x"}', 5],
    ['two ids', '{"jsonrpc":"2.0","id":5,"method":"ping","id":6}', null],
    ['several messages', '[{"jsonrpc":"2.0","id":5,"method":"ping"}]', 5],
    ['half a message', '{"jsonrpc":"2.0","id":5,', null],
    ['a number too large', '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}', null],
    ['an id of a wrong type', '{"jsonrpc":"2.0","id":{},"method":"ping"}', null],
    ['no UTF-8', Buffer.from('7b226d6574686f64223a22ff227d', 'hex'), null],
  ])('answers and does not pass on: %s', async (_, line, id) => {
    await open();
    const before = gate.server.received.length;
    gate.write(line);
    await gate.find((message) => message['id'] === id && message['error'] !== undefined);
    await gate.request('ping');
    expect(gate.server.received).toHaveLength(before + 1);
  });

  it('refuses a tool that one list describes in two ways', async () => {
    await open({ tools: [GET, { ...GET, description: 'Gives a note, and then some.' }] });
    expect(problemIn(await gate.call('get_note'))).toMatchObject({ code: 'tool-quarantined' });
    expect(gate.server.ran).toEqual([]);
  });

  it('does not write a redaction marker back as if it were the value', async () => {
    const update = toTool('create_note', 'Adds a note.', ['text']);
    await open({ tools: [update], mode: 'sandbox' });
    const answer = await gate.call('create_note', { text: '[REDACTED]' });
    expect(problemIn(answer)).toMatchObject({ code: 'redacted-argument' });
    expect(gate.server.ran).toEqual([]);
  });
});

describe('what tools are', () => {
  it('asks the server for its list before the first call, when the client did not', async () => {
    await open();
    expect(await gate.call('get_note', { id: '1' })).toMatchObject({
      result: toText('get_note ran'),
    });
    expect(gate.server.count('tools/list')).toBe(1);
  });

  it('asks only once for a list of which the server promised to tell changes', async () => {
    await open({ listChanged: true });
    const lists = [];
    for (let each = 0; each < 3; each += 1) lists.push(await gate.request('tools/list'));
    expect(gate.server.count('tools/list')).toBe(1);
    expect(lists.map(({ result }) => result)).toEqual(lists.map(() => ({ tools: [GET, DELETE] })));
  });

  it('asks each time where nothing was promised', async () => {
    await open();
    await gate.request('tools/list');
    await gate.request('tools/list');
    expect(gate.server.count('tools/list')).toBe(2);
  });

  it('goes by the new definition once the server said that its list changed', async () => {
    await open({ listChanged: true });
    await gate.request('tools/list');
    await gate.call('get_note');
    expect(gate.server.ran).toEqual(['get_note']);
    const worse = { ...GET, annotations: { readOnlyHint: false, destructiveHint: true } };
    gate.server.script = { tools: [worse], listChanged: true };
    gate.server.say({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    expect(problemIn(await gate.call('get_note'))).toMatchObject({ code: 'approval-pending' });
    expect(gate.server.ran).toEqual(['get_note']);
    expect(await gate.request('tools/list')).toMatchObject({ result: { tools: [worse] } });
  });

  it('subscribes to changes of a server of the 2026 revision, and keeps that to itself', async () => {
    await open({ listChanged: true, era: 'modern' });
    await gate.request('server/discover');
    await gate.request('tools/list');
    await expect.poll(() => gate.server.count('subscriptions/listen')).toBe(1);
    const { id } = gate.server.received.at(-1)?.message ?? {};
    const params = {
      notifications: { toolsListChanged: true },
      _meta: { 'io.modelcontextprotocol/subscriptionId': id ?? '' },
    };
    const say = (what: string): void =>
      gate.server.say({ jsonrpc: '2.0', method: `notifications/${what}`, params });
    say('subscriptions/acknowledged');
    await gate.request('tools/list');
    await gate.request('tools/list');
    const asked = gate.server.count('tools/list');
    await gate.request('tools/list');
    expect(gate.server.count('tools/list')).toBe(asked);
    say('tools/list_changed');
    await gate.request('tools/list');
    expect(gate.server.count('tools/list')).toBe(asked + 1);
    expect(gate.lines.join('\n')).not.toContain('subscriptionId');
  });
});
