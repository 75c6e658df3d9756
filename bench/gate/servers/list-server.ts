/** A server with ten thousand tools, about 6 MB of JSON, that announces list changes (there are none). */
import type { Tool } from '@modelcontextprotocol/server';
import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const NOUNS = ['invoice', 'order', 'customer', 'ticket', 'parcel', 'contract', 'account', 'report'];
const tools: readonly Tool[] = Array.from({ length: 10_000 }, (_, index) => toTool(index));

function toTool(index: number): Tool {
  const noun = NOUNS[index % NOUNS.length] ?? 'thing';
  const text = (description: string) => ({ type: 'string', description }) as const;
  return {
    name: `get_${noun}_${index}`,
    title: `Get ${noun} ${index}`,
    description: `Returns the ${noun} with the given id from register ${index}, with its lines, its history and who may see it.`,
    inputSchema: {
      type: 'object',
      properties: {
        id: text(`Which ${noun}, as the register writes it`),
        since: text('Only newer entries; a date such as 2026-07-28'),
        fields: { type: 'array', items: { type: 'string' }, description: 'Which parts to return' },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 500,
          description: 'The most lines to return',
        },
      },
      required: ['id'],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  };
}

serveStdio(() => {
  const server = new Server(
    { name: 'registers', version: '1.0.0' },
    { capabilities: { tools: { listChanged: true } } },
  );
  server.setRequestHandler('tools/list', () => ({ tools: [...tools] }));
  return server;
});
