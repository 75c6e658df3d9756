/** Loads one line for a while with a number of calls in flight, and returns the measurements. */
import { performance } from 'node:perf_hooks';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Line } from './line.ts';
import { cpuMs, machineMs } from './process-cost.ts';
import { quantile } from './statistics.ts';

/** Throws when the call did not have the expected result. */
export type Call = (line: Line) => Promise<void>;

/** CPU milliseconds. */
interface Cost {
  readonly client: number;
  readonly middle: number;
  readonly server: number;
}

export interface Slot {
  readonly calls: number;
  readonly p50: number;
  readonly p99: number;
  readonly callsPerSecond: number;
  readonly cost: Cost;
  /** Share of the machine that other processes used meanwhile. */
  readonly others: number;
}

/** Work that a process does after its answers is counted in the slot of the call. */
const SETTLE_MS = 80;

export async function loadLine(
  line: Line,
  call: Call,
  inFlight: number,
  seconds: number,
): Promise<Slot> {
  const times: number[] = [];
  const [before, machine] = [costOf(line), machineMs()];
  const started = performance.now();
  const end = started + seconds * 1000;
  const worker = async (): Promise<void> => {
    let now = performance.now();
    do {
      await call(line);
      const then = performance.now();
      times.push(then - now);
      now = then;
    } while (now < end);
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  const took = performance.now() - started;
  await sleep(SETTLE_MS);
  const after = costOf(line);
  const cost = {
    client: after.client - before.client,
    middle: after.middle - before.middle,
    server: after.server - before.server,
  };
  const elsewhere = machineMs() - machine - cost.client - cost.middle - cost.server;
  return {
    calls: times.length,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    callsPerSecond: times.length / (took / 1000),
    cost,
    others: Math.max(0, elsewhere) / ((performance.now() - started) * availableParallelism()),
  };
}

function costOf({ middle, server }: Line): Cost {
  const { user, system } = process.cpuUsage();
  return {
    client: (user + system) / 1000,
    middle: middle === undefined ? 0 : cpuMs(middle),
    server: cpuMs(server),
  };
}
