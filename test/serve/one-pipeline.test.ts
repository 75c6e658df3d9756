/** Whatever way a call comes in, the same stages see it. */
import { PassThrough } from 'node:stream';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Receipt } from 'plimsoll/server';
import {
  createServer,
  defineOperation,
  openHttp,
  openLedger,
  openStdio,
  reads,
  spends,
  varies,
  when,
} from 'plimsoll/server';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { notesServer, TOKENS } from '../support/notes-server.ts';
import { post } from '../support/post.ts';
import { StreamTransport } from '../support/stream-transport.ts';

it('R95: every operation goes through the one pipeline, on every transport', async () => {
  const receipts: Receipt[] = [];
  const { server, runs } = notesServer({
    ledger: { record: ({ receipt }) => void receipts.push(receipt) },
  });
  const principal = { id: 'wanda', scopes: ['notes:*'] };
  const headers = { authorization: `Bearer ${TOKENS.writer}` };
  const [input, output] = [new PassThrough(), new PassThrough()];
  await using http = await openHttp(server);
  await using _stdio = openStdio(server, { principal, input, output });
  const overHttp = new Client({ name: 'c', version: '1' });
  await overHttp.connect(
    new StreamableHTTPClientTransport(new URL(http.mcpUrl), { requestInit: { headers } }),
  );
  const overStdio = new Client({ name: 'c', version: '1' });
  await overStdio.connect(new StreamTransport(output, input));

  const args = { wrong: true };
  for (const name of server.operations.keys()) {
    await post(`${http.url}/op/${name}`, JSON.stringify(args), headers);
    await overHttp.callTool({ name, arguments: args });
    await overStdio.callTool({ name, arguments: args });
  }
  await overHttp.close();
  await overStdio.close();

  const ways = ['http', 'mcp-http', 'mcp-stdio'];
  expect(receipts.map(({ operation, via, outcome }) => [operation, via, outcome])).toEqual(
    [...server.operations.keys()].flatMap((name) =>
      ways.map((via) => [name, via, 'invalid-input']),
    ),
  );
  expect(runs()).toBe(0);
});

it('each transport needs the key for what the arguments turn out to be, and records that', async () => {
  await using ledger = await openLedger('sqlite::memory:');
  let bought = 0;
  const order = defineOperation({
    name: 'order',
    title: 'Order Something',
    description: 'Shows a price, or buys.',
    input: z.object({ mode: z.enum(['preview', 'buy']).default('buy').describe('What to do') }),
    effect: varies(reads('price'), { when: when('mode', 'buy'), effect: spends('EUR') }),
    run: ({ mode }) => {
      if (mode === 'buy') bought += 1;
      return { mode };
    },
  });
  const receipts: Receipt[] = [];
  const server = createServer({
    name: 'shop',
    version: '1',
    operations: [order],
    ledger: {
      ...ledger,
      record: (entry, tx) => {
        receipts.push(entry.receipt);
        return ledger.record(entry, tx);
      },
    },
  });
  await using http = await openHttp(server);
  const client = new Client({ name: 'c', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(http.mcpUrl)));
  const url = `${http.url}/op/order`;
  const key = 'a-key-of-16-letters';
  const _meta = { 'dev.plimsoll/idempotency-key': key };

  expect((await post(url, '{}')).status).toBe(400);
  expect(await client.callTool({ name: 'order', arguments: {} })).toMatchObject({ isError: true });
  expect(bought).toBe(0);
  expect((await post(url, '{}', { 'idempotency-key': key })).status).toBe(200);
  expect(await client.callTool({ name: 'order', arguments: {}, _meta })).toMatchObject({
    _meta: { 'dev.plimsoll/replayed': true },
  });
  expect(bought).toBe(1);
  expect((await post(url, '{"mode":"preview"}')).status).toBe(200);
  await client.close();
  expect(receipts.map(({ act, decision }) => [act, decision])).toEqual([
    ['spend', 'refused'],
    ['spend', 'refused'],
    ['spend', 'ran'],
    ['spend', 'replayed'],
    ['read', 'ran'],
  ]);
});
