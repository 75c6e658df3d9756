/**
 * A stdio MCP server that trusts everybody: it takes its tool list from a file, writes every message that
 * reaches it to another, its environment to a third, and answers each call at once, with the tool's
 * `_meta.answer` if it has one. A ping makes it announce a new list. Used as
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

interface Tool {
  readonly name: string;
  readonly _meta?: { readonly answer?: object };
}

const readTools = (): readonly Tool[] => JSON.parse(readFileSync(toolsFile, 'utf8')) as Tool[];

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
      say({ id, result: { tools: readTools() } });
    } else if (method === 'tools/call') {
      const structuredContent = readTools().find(({ name }) => name === params.name)?._meta?.answer;
      const content = [{ type: 'text', text: `${params.name} ran` }];
      say({ id, result: { content, ...(structuredContent && { structuredContent }) } });
    } else {
      if (method === 'ping') say({ method: 'notifications/tools/list_changed' });
      say({ id, result: {} });
    }
  })
  .on('close', () => process.exit());
