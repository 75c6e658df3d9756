/** The server of the runs: tools that read, write and spend, written as usual with the SDK. */
import { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';

const lookInput = z.object({ invoice_id: z.string().describe('Which invoice') });
const payInput = z.object({
  invoice_id: z.string().describe('Which invoice'),
  amount: z.number().describe('How much, in euros'),
  memo: z.string().describe('Text on the statement'),
});

const noteInput = z.object({
  invoice_id: z.string().describe('Which invoice'),
  note: z.string().describe('The text'),
});
const documentInput = z.object({ bytes: z.number().describe('How long it is') });

export function invoiceServer(): McpServer {
  const server = new McpServer({ name: 'invoices', version: '1.0.0' });
  server.registerTool(
    'get_invoice',
    {
      title: 'Get invoice',
      description: 'Returns one invoice.',
      inputSchema: lookInput,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ invoice_id: id }) => ({
      content: [
        { type: 'text', text: `Invoice ${id}: 12 items, 1,204.50 EUR, due on 2026-10-01, open.` },
      ],
    }),
  );
  server.registerTool(
    'pay_invoice',
    {
      title: 'Pay invoice',
      description: 'Pays an invoice from the company account.',
      inputSchema: payInput,
    },
    ({ invoice_id: id, amount }) => ({
      content: [{ type: 'text', text: `Paid ${amount} EUR for ${id}.` }],
    }),
  );
  server.registerTool(
    'update_note',
    {
      title: 'Update note',
      description: 'Sets the internal note of an invoice.',
      inputSchema: noteInput,
      annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    ({ invoice_id: id }) => ({ content: [{ type: 'text', text: `The note of ${id} is set.` }] }),
  );
  server.registerTool(
    'get_document',
    {
      title: 'Get document',
      description: 'Returns the text of a document.',
      inputSchema: documentInput,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ bytes }) => ({ content: [{ type: 'text', text: 'lorem ipsum '.repeat(bytes / 12) }] }),
  );
  return server;
}
