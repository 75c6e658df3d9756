/** A server over standard input and output that takes its time and says much: run as a process by tests. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const server = new Server(
  { name: 'slow', version: '1' },
  { capabilities: { tools: {}, logging: {} } },
);
let count = 0;

server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: [
    {
      name: 'get_report',
      description: 'Reads a report.',
      inputSchema: {
        type: 'object',
        properties: { ms: { type: 'number' }, lines: { type: 'number' } },
      },
      annotations: { readOnlyHint: true },
    },
  ],
}));

server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
  count += 1;
  const { ms = 0, lines = 0 } = params.arguments ?? {};
  for (let line = 0; line < Number(lines); line += 1) {
    await server.sendLoggingMessage({ level: 'info', data: `line ${line}` });
  }
  await sleep(Number(ms));
  return { content: [{ type: 'text', text: JSON.stringify({ pid: process.pid, count }) }] };
});

await server.connect(new StdioServerTransport());
