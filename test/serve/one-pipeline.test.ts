/** Whatever way a call comes in, the same stages see it. */
import { PassThrough } from 'node:stream';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Receipt } from 'plimsoll/server';
import { openHttp, openStdio } from 'plimsoll/server';
import { expect, it } from 'vitest';
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
