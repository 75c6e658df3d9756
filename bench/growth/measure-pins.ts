/** Reading a lock, and checking a server's list and one of its tools against it, with more and more pins. */
import { join } from 'node:path';
import { EMPTY_LOCK, toPinEntry, withPins, writeLockFile } from '../../src/gate/tools/lock.ts';
import type { PinEntry } from '../../src/gate/tools/lock.ts';
import { openPins } from '../../src/gate/tools/pins.ts';
import { medianOf, print } from './cost.ts';

const ROUNDS = 5;
const SERVER = 'invoices';

export async function measurePins(folder: string): Promise<void> {
  print('pins', 'open ms', 'check list ms', 'one tool µs');
  for (const count of [10, 100, 1000, 10_000]) {
    const tools = Array.from({ length: count }, (_, index) => toTool(index));
    const entries = new Map<string, PinEntry>();
    for (const tool of tools) {
      const entry = toPinEntry(tool, { by: 'mia', at: new Date(0) });
      if (entry !== undefined) entries.set(tool.name, entry);
    }
    const path = join(folder, `pins-${count}.json`);
    await writeLockFile(path, withPins(EMPTY_LOCK, SERVER, entries));
    const pins = openPins(path);
    const [last] = tools.slice(-1);
    if (last === undefined) continue;
    const isSame = pins.check(SERVER, tools).get(last.name)?.drift.kind === 'same';
    if (!isSame) throw new Error(`${last.name} is not as pinned`);
    const open = await medianOf(() => openPins(path), ROUNDS);
    const list = await medianOf(() => pins.check(SERVER, tools), ROUNDS);
    const one = await medianOf(() => pins.checkTool(SERVER, last.name, last));
    print(String(count), open / 1000, list / 1000, one);
  }
}

function toTool(index: number): { readonly name: string } & Record<string, unknown> {
  return {
    name: `get_invoice_${index}`,
    title: `Get invoice ${index}`,
    description: `Returns the invoice number ${index} with its lines, its taxes and its payments.`,
    inputSchema: {
      type: 'object',
      properties: {
        invoice_id: { type: 'string', description: 'The id of the invoice' },
        with_lines: { type: 'boolean', description: 'Whether its lines are returned as well' },
      },
      required: ['invoice_id'],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  };
}
