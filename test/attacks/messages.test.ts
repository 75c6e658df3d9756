/** Clients that write messages which mean more to a server than to the gate. */
import { expect, vi } from 'vitest';
import { approve } from '../gate/gate-process.ts';
import { openPostgres } from '../support/postgres.ts';
import { attack } from './attack.ts';
import { AttackedGate } from './attacked-gate.ts';

const ORDER = {
  name: 'place_order',
  description: 'Places an order and charges the card.',
  inputSchema: { type: 'object', properties: { amount: { type: 'number' } } },
};
const DELETE = {
  name: 'delete_note',
  description: 'Deletes a note for good.',
  inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
};
const READ = { name: 'get_note', description: 'Gives a note.', inputSchema: { type: 'object' } };

const SMALL_ORDERS = `
asking: { holdSeconds: 0 }
rules:
  - name: small orders
    match: { tool: place_order }
    when: "!has(args.amount) || args.amount <= 20"
    then: allow
`;

const ALL_ORDERS = `
asking: { holdSeconds: 0 }
rules:
  - { name: orders, match: { tool: place_order }, then: allow }
`;

attack(
  'a misled agent',
  'hides the amount from a rule by the case of its name, at any depth',
  async () => {
    await using gate = await AttackedGate.open({ tools: [ORDER], policy: SMALL_ORDERS });
    for (const args of [
      '{"amount":1,"Amount":5000}',
      '{"Amount":5000}',
      '{"amount":1,"\\u0061MOUNT":5000}',
      '{"amount":1,"\uFF41mount":5000}',
      '{"amount":1,"line":{"amount":1,"AMOUNT":5000}}',
      '{"amount":1,"lines":[{"Amount":5000}]}',
      '{"amount":1,"unitPrice":5,"unit_price":5000}',
      '{"amount":1,"am\\u200bount":5000}',
      '{"amount":1,"amount[]":5000}',
    ]) {
      const params = `{"name":"place_order","arguments":${args}}`;
      gate.write(
        `{"jsonrpc":"2.0","id":${JSON.stringify(args)},"method":"tools/call","params":${params}}`,
      );
      const answer = await gate.answerTo(args);
      expect(JSON.stringify(answer)).toContain('approval-pending');
    }
    expect(gate.ran()).toEqual([]);
    await gate.call('place_order', { amount: 19 });
    expect(gate.ran()).toEqual(['place_order']);
  },
);

for (const store of ['SQLite', 'PostgreSQL']) {
  // Several processes share it, and each needs its key.
  vi.stubEnv('PLIMSOLL_LEDGER_KEY', Buffer.alloc(32, 7).toString('base64'));
  attack(
    'a misled agent',
    `repeats a spend unasked with a fresh key that the server never hears of (${store})`,
    async () => {
      await using postgres = store === 'PostgreSQL' ? await openPostgres() : undefined;
      await using gate = await AttackedGate.open({
        tools: [ORDER],
        policy: ALL_ORDERS,
        ...(postgres !== undefined && { ledger: postgres.url }),
      });
      const order = (key: string): Promise<object> =>
        gate.request('tools/call', {
          name: 'place_order',
          arguments: { amount: 5 },
          _meta: { 'dev.plimsoll/idempotency-key': key },
        });
      await order('first-key-0123456789');
      const second = await order('second-key-0123456789');
      expect(JSON.stringify(second)).toContain('approval-pending');
      // The same key is the same call, which was answered.
      expect(JSON.stringify(await order('first-key-0123456789'))).toContain('place_order ran');
      expect(gate.ran()).toEqual(['place_order']);
    },
  );

  attack(
    'a misled agent',
    `adds a task or _meta to a call after the yes, unseen by the person (${store})`,
    async () => {
      await using postgres = store === 'PostgreSQL' ? await openPostgres() : undefined;
      await using gate = await AttackedGate.open({
        tools: [DELETE],
        ...(postgres !== undefined && { ledger: postgres.url }),
      });
      const call = { name: 'delete_note', arguments: { id: '1' } };
      const pending = await gate.request('tools/call', call);
      const reference = /"reference":"([^"]+)"/.exec(JSON.stringify(pending))?.[1] ?? '';
      await approve(gate.ledger, reference);
      for (const more of [
        { task: { ttl: 1e9 } },
        { _meta: { 'shop/account': 'other' } },
        { inputResponses: { confirm: { action: 'accept' } } },
        { dryRun: false },
      ]) {
        const answer = await gate.request('tools/call', { ...call, ...more });
        expect(JSON.stringify(answer)).toContain('approval-pending');
      }
      for (const [id, [more, code]] of [
        ['"account":"other"', 'approval-pending'],
        ['"result":{}', 'invalid-request'],
      ].entries()) {
        const message = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: call });
        gate.write(`${message.slice(0, -1)},${more}}`);
        expect(JSON.stringify(await gate.answerTo(id))).toContain(code);
      }
      expect(gate.ran()).toEqual([]);
      // What cannot matter to the tool may differ.
      await gate.request('tools/call', { ...call, _meta: { progressToken: 5, traceparent: '00' } });
      expect(gate.ran()).toEqual(['delete_note']);
    },
  );
}

attack(
  'a misled agent',
  'sends a method that is no tools/call to the gate and one to the server, unrecorded',
  async () => {
    await using gate = await AttackedGate.open({ tools: [DELETE] });
    await gate.request('ping', {});
    const before = gate.received().length;
    const params = { name: 'delete_note', arguments: { id: '1' } };
    const methods = ['TOOLS/CALL', 'tools/call ', 'tools//call', 'tools.call', 'Tools\u2044Call'];
    for (const method of [...methods, 'shop/wipe', 'resources/read ']) {
      const answer = await gate.request(method, params);
      expect(answer['error']).toMatchObject({ code: -32_601 });
      gate.write(JSON.stringify({ jsonrpc: '2.0', method, params }));
    }
    await gate.request('ping', {});
    expect(gate.received().slice(before)).toHaveLength(1);
    await gate.close();
    const receipts = await gate.receipts();
    const kept = receipts.filter(({ request }) => request === 'method');
    expect(kept).toHaveLength(2 * (methods.length + 2));
    expect(new Set(kept.map(({ decision }) => decision))).toEqual(new Set(['refused']));
  },
);

attack('a misled agent', 'stops all other calls with one huge message', async () => {
  await using gate = await AttackedGate.open({ tools: [READ, DELETE] });
  await gate.call('get_note', {});
  const huge = 'x'.repeat(60 * 1024 * 1024);
  gate.write(
    `{"method":"tools/call","params":{"name":"get_note","arguments":{"text":"${huge}"}},"jsonrpc":"2.0","id":1}`,
  );
  const refused = await gate.answerTo(1);
  expect(JSON.stringify(refused)).toContain('payload-too-large');
  // As large as is taken, in shapes that cost a reader the most.
  const most = 4 * 1024 * 1024 - 1024;
  const keys = Array.from({ length: 60_000 }, (_, index) => `"${String(index).padEnd(60, 'k')}":1`);
  const names = Array.from({ length: 60_000 }, (_, index) => `"get_${index}"`);
  const shapes = [
    `"${'x'.repeat(most)}"`,
    `[${'1,'.repeat(most / 2 - 10)}1]`,
    `{${keys.join(',')}}`,
    `"${'\\u0430a '.repeat(most / 8)}"`,
    `"${'\u0301'.repeat(most / 2)}"`,
    `"${'\u05d0'.repeat(most / 2)}"`,
    `{"action":[${names.join(',')}],"resource":[${names.slice(0, 1000).join(',')}]}`,
    JSON.stringify(`[${'{"action":"get"},'.repeat(most / 25)}1]`),
  ];
  const busy: number[] = [];
  for (const [index, shape] of shapes.entries()) {
    const params = `{"name":"delete_note","arguments":{"id":"1","x":${shape}}}`;
    gate.write(`{"jsonrpc":"2.0","id":${index + 10},"method":"tools/call","params":${params}}`);
    const before = gate.busyMs;
    await gate.call('get_note', {});
    busy.push(gate.busyMs - before);
    await gate.answerTo(index + 10);
  }
  process.stderr.write(`before a read beside 4 MiB of arguments: ${busy.join(', ')} ms of work\n`);
  expect(Math.max(...busy)).toBeLessThan(2000);
});
