/**
 * A stdio MCP server that trusts everybody: it takes its tool list from a file, writes every message that
 * reaches it to another, its environment to a third, and answers each call at once. Used as
 * `node victim-server.ts TOOLS RECEIVED`.
 */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [toolsFile = '', receivedFile = ''] = process.argv.slice(2);
writeFileSync(`${receivedFile}.env`, JSON.stringify(process.env));

const say = (message: object): boolean =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

interface Request {
  readonly id?: unknown;
  readonly method?: string;
  readonly params: { readonly protocolVersion: string; readonly name: string };
}

createInterface({ input: process.stdin })
  .on('line', (line) => {
    appendFileSync(receivedFile, `${line}\n`);
    const { id, method, params } = JSON.parse(line) as Request;
    if (id === undefined || method === undefined) return;
    if (method === 'initialize') {
      const { protocolVersion } = params;
      const capabilities = { tools: { listChanged: true } };
      const serverInfo = { name: 'victim', version: '1' };
      say({ id, result: { protocolVersion, capabilities, serverInfo } });
    } else if (method === 'tools/list') {
      say({ id, result: { tools: JSON.parse(readFileSync(toolsFile, 'utf8')) as object[] } });
    } else if (method === 'tools/call') {
      say({ id, result: { content: [{ type: 'text', text: `${params.name} ran` }] } });
    } else say({ id, result: {} });
  })
  .on('close', () => process.exit());
