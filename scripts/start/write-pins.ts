/**
 * Accepts the tools of the reference servers, with altered definitions for a few, so that there is
 * drift to show.
 */
import { readFileSync } from 'node:fs';
import { readConfig } from '../../src/gate/config/read-config.ts';
import { listTools } from '../../src/gate/tools/list-tools.ts';
import { writeLockFile, EMPTY_LOCK, withPins, toPinEntry } from '../../src/gate/tools/lock.ts';

interface Listed {
  readonly name: string;
  readonly description?: string;
  readonly annotations?: object;
  readonly _meta?: object;
}

type Earlier = (tool: Listed) => Listed | undefined;

/** The altered definitions under which some tools are pinned. */
const EARLIER: Readonly<Record<string, Earlier>> = Object.freeze({
  // Became riskier: it only read, and now shares data.
  'items.asset.download': ({ _meta, ...tool }: Listed) => ({
    ...tool,
    description: 'Tells how large the file is and what kind of file.',
    annotations: { ...tool.annotations, readOnlyHint: true, openWorldHint: false },
  }),
  'orders.list': (tool: Listed) => ({ ...tool, description: 'Lists the orders.' }),
  'analytics.band_math': () => undefined,
});

const ACCEPTED = { by: 'mara', at: new Date('2026-06-02T09:14:00Z') } as const;

export async function writePins(config: string, lockFile: string): Promise<void> {
  const reading = readConfig(readFileSync(config, 'utf8'), config);
  if (reading.kind === 'faults') throw new Error(reading.faults[0]?.message);
  let lock = EMPTY_LOCK;
  for (const server of reading.config.servers) {
    if (server.kind !== 'process') continue;
    // With its folder and environment, which are part of its identity.
    const tools = await listTools({ ...server, kind: 'command' });
    const pins = (tools as readonly Listed[]).flatMap((tool) => {
      const then = (EARLIER[tool.name] ?? ((same) => same))(tool);
      const pin = then && toPinEntry(then, ACCEPTED);
      return pin === undefined ? [] : [[tool.name, pin] as const];
    });
    lock = withPins(lock, server.name, new Map(pins));
  }
  await writeLockFile(lockFile, lock);
}
