/**
 * `tools/list` of ten thousand tools over HTTP: the kit against the SDK's own server, interleaved in
 * one run, as a ratio. Only prints; asserts nothing.
 */
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { serve } from '@hono/node-server';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { createServer, defineOperation, openHttp, reads } from 'plimsoll/server';
import * as z from 'zod';
import { readInput } from '../scripts/read-input.ts';
import { showHelp } from '../scripts/show-help.ts';

showHelp(`usage: npm run bench:list -- [--help]
Prints how long tools/list of ten thousand tools takes over HTTP, by the kit and by the SDK's own server. It has no
goals and takes no other flags.
`);
readInput(() => parseArgs({ options: {} }));

const TOOLS = 10_000;
const ROUNDS = 15;
const input = z.object({
  id: z.string().describe('Which one'),
  limit: z.int().describe('How many'),
});
const names = Array.from({ length: TOOLS }, (_, index) => `read_${index}`);
const words = (name: string) => ({
  title: `Read ${name}`,
  description: `Reads the thing called ${name}.`,
});

const kit = createServer({
  name: 'kit',
  version: '1',
  operations: names.map((name) =>
    defineOperation({ name, ...words(name), input, effect: reads('thing'), run: () => undefined }),
  ),
});
await using http = await openHttp(kit);

const direct = createMcpHandler(() => {
  const server = new McpServer({ name: 'direct', version: '1' });
  for (const name of names) {
    const annotations = {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    };
    server.registerTool(name, { ...words(name), inputSchema: input, annotations }, () => ({
      content: [],
    }));
  }
  return server;
});
const port = await new Promise<number>((resolve) => {
  const node = serve(
    { fetch: (request) => direct.fetch(request), hostname: '127.0.0.1', port: 0 },
    (info) => {
      node.unref();
      resolve(info.port);
    },
  );
});

async function list(url: string): Promise<number> {
  const started = performance.now();
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: '{"jsonrpc":"2.0","method":"tools/list","id":1}',
  });
  const bytes = (await response.arrayBuffer()).byteLength;
  if (bytes < TOOLS * 100) throw new Error(`${url} answered with only ${bytes} bytes`);
  return performance.now() - started;
}

const times = { kit: [] as number[], direct: [] as number[] };
for (let round = 0; round < ROUNDS; round += 1) {
  times.direct.push(await list(`http://127.0.0.1:${port}/mcp`));
  times.kit.push(await list(http.mcpUrl));
}
const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
const [ours, theirs] = [median(times.kit), median(times.direct)];
process.stdout.write(
  `tools/list of ${TOOLS} tools, median of ${ROUNDS}: kit ${ours.toFixed(1)} ms, SDK ${theirs.toFixed(1)} ms, ratio ${(ours / theirs).toFixed(3)}\n`,
);
