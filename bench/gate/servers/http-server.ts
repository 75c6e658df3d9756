/** The SDK's own server over streamable HTTP. Prints its address as its first line. */
import { serve } from '@hono/node-server';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { invoiceServer } from './invoice-server.ts';

const handler = createMcpHandler(invoiceServer);
serve(
  { fetch: (request) => handler.fetch(request), hostname: '127.0.0.1', port: 0 },
  ({ port }) => {
    process.stdout.write(`http://127.0.0.1:${port}/mcp\n`);
  },
);
