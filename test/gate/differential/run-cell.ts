/** One cell: the scripts without the gate and with it, the differences, and the calls against the receipts. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cell } from './cells.ts';
import type { Difference } from './compare.ts';
import { compareTraces } from './compare.ts';
import type { Place, Places } from './places.ts';
import { countReceipts } from './places.ts';
import { InspectorClient } from './inspector-client.ts';
import { RawClient } from './raw-client.ts';
import { openTraced, runScript } from './run-script.ts';
import type { Script } from './script.ts';
import { scriptsOf } from './script.ts';
import { SdkV1Client, SdkV2Client } from './sdk-clients.ts';
import type { StepTrace } from './trace.ts';
import type { Target, TracedClient } from './traced-client.ts';

interface Ran {
  readonly traces: readonly StepTrace[];
  readonly calls: number;
}

const baselines = new WeakMap<Places, Map<string, Promise<Ran>>>();

export interface CellResult {
  readonly differences: readonly Difference[];
  /** The steps that were run, by their names. */
  readonly steps: readonly string[];
}

export async function runCell(cell: Cell, places: Places): Promise<CellResult> {
  const { client, era, down } = cell;
  const known = baselines.get(places) ?? new Map<string, Promise<Ran>>();
  baselines.set(places, known);
  const key = `${client} ${era} ${down} ${cell.restarts}`;
  const baseline =
    known.get(key) ?? run({ ...cell, up: down }, await places.direct(down), places, '');
  known.set(key, baseline);
  const direct = await baseline;
  const place = await places.gated(cell);
  const before = place.target.kind === 'http' ? countReceipts(place.ledger ?? '') : 0;
  const gated = await run(cell, place, places, cell.servers === 'one' ? '' : 'alpha__');
  const { calls } = gated;
  const receipts = await settledReceipts(place.ledger ?? '', before, calls);
  const counted = { step: 'receipts', path: 'missing', direct: 0, gated: calls - receipts };
  return {
    differences: [
      ...compareTraces(direct.traces, gated.traces),
      ...(receipts === calls ? [] : [counted]),
    ],
    steps: ['receipts', ...direct.traces.map(({ step }) => step)],
  };
}

async function run(cell: Cell, place: Place, places: Places, prefix: string): Promise<Ran> {
  const traces: StepTrace[] = [];
  let calls = 0;
  for (const scripts of toConnections(scriptsFor(cell))) {
    const client = toClient(cell, place.target);
    const id = randomUUID();
    const running = {
      client,
      prefix,
      recover: () => places.recover(cell.up),
      patienceMs: place.ledger === undefined ? 1500 : 15_000,
      texts: { '{key}': `own-key-${id}`, '{marker}': join(places.folder, id) },
    };
    traces.push(await openTraced(running));
    for (const script of scripts) traces.push(...(await runScript(script, running)));
    await client.close().catch(() => {});
    calls += client.recorder.calls;
  }
  return { traces, calls };
}

function toConnections(scripts: readonly Script[]): readonly (readonly Script[])[] {
  const together = scripts.filter(({ alone }) => alone !== true);
  return [together, ...scripts.filter(({ alone }) => alone).map((script) => [script])];
}

/** The Inspector has a connection for each request, and says only what it was asked for. */
function scriptsFor({ client, era, restarts }: Cell): readonly Script[] {
  const scripts = scriptsOf(era).filter(({ alone }) => restarts || alone !== true);
  if (client !== 'inspector') return scripts;
  return scripts
    .map((script) => ({ ...script, steps: script.steps.filter(({ inspector }) => inspector) }))
    .filter(({ steps }) => steps.length > 0);
}

function toClient({ client, era }: Cell, target: Target): TracedClient {
  if (client === 'raw') return new RawClient(target, era);
  if (client === 'inspector') return new InspectorClient(target, era);
  if (client === 'sdk1') return new SdkV1Client(target);
  return new SdkV2Client(target, era);
}

/** Receipts of reads are written behind the calls. */
async function settledReceipts(ledger: string, before: number, wanted: number): Promise<number> {
  for (const until = Date.now() + 3000; Date.now() < until; await sleep(25)) {
    if (countReceipts(ledger) - before >= wanted) break;
  }
  await sleep(100);
  return countReceipts(ledger) - before;
}
