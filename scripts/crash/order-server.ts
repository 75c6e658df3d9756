/**
 * An MCP server over standard input and output whose effects can be counted afterwards: each call that
 * arrives and each effect is one row of a SQLite file, durable before anything else happens. Run behind the gate by the crash run, which kills both.
 * The name of an item says how long the server waits before and after its effect: `i7-b40-a5`.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';

interface Request {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: {
    readonly name?: string;
    readonly arguments?: Readonly<Record<string, string | undefined>>;
  };
}

const [, , file = '', folder = ''] = process.argv;
const BUSY_MS = 10_000;
const NO_SUCH_METHOD = -32_601;

const database = new DatabaseSync(file, { timeout: BUSY_MS });
database.exec('CREATE TABLE IF NOT EXISTS arrivals (item TEXT NOT NULL)');
database.exec('CREATE TABLE IF NOT EXISTS effects (item TEXT NOT NULL, key TEXT UNIQUE)');
const arrive = database.prepare('INSERT INTO arrivals (item) VALUES (?)');
const insert = database.prepare(
  'INSERT INTO effects (item, key) VALUES (?, ?) ON CONFLICT (key) DO NOTHING',
);
const count = database.prepare('SELECT count(*) AS count FROM effects WHERE item = ?');

const text = { type: 'string' };
const tool = (name: string, description: string, ...parameters: readonly string[]) => ({
  name,
  description,
  inputSchema: {
    type: 'object',
    properties: Object.fromEntries(parameters.map((each) => [each, text])),
  },
});
const TOOLS = [
  tool('place_order', 'Places an order and charges the account.', 'item'),
  tool(
    'place_keyed_order',
    'Places an order and charges the account, once for each key.',
    'item',
    'idempotency_key',
  ),
  tool('add_note', 'Adds a note.', 'item'),
  tool('get_order', 'Gives one order.', 'item'),
];

createInterface({ input: process.stdin }).on('line', (line) => {
  const request = JSON.parse(line) as Request;
  if (request.id === undefined) return;
  void answer(request).then((body) =>
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: request.id, ...body })}\n`),
  );
});
// The parent may have exited; started work is completed anyway.
process.stdout.on('error', () => {});
// Named after its gate, which is how the crash run finds it.
writeFileSync(join(folder, `server-of-${process.ppid}.pid`), String(process.pid));

async function answer({ method, params }: Request): Promise<object> {
  switch (method ?? '') {
    case 'initialize': {
      const serverInfo = { name: 'orders', version: '1' };
      const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo };
      return { result };
    }
    case 'tools/list':
      return { result: { tools: TOOLS } };
    case 'tools/call':
      return { result: await call(params?.name ?? '', params?.arguments ?? {}) };
    case 'ping':
      return { result: {} };
    default:
      return { error: { code: NO_SUCH_METHOD, message: 'no such method' } };
  }
}

async function call(
  name: string,
  { item = '', idempotency_key: key }: Readonly<Record<string, string | undefined>>,
): Promise<object> {
  const [, before, after] = /-b(\d+)-a(\d+)$/.exec(item) ?? [];
  arrive.run(item);
  await wait(Number(before ?? 0));
  if (name !== 'get_order') insert.run(item, key ?? null);
  await wait(Number(after ?? 0));
  const said = name === 'get_order' ? `${Number(count.get(item)?.['count'])} orders` : 'done';
  return { content: [{ type: 'text', text: `${item}: ${said}` }] };
}
