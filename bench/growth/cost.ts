/** What a piece of work costs this process, and tables of it. */
import { spreadOf } from '../gate/statistics.ts';

const ROUNDS = 15;

/** CPU microseconds of this process, with all its threads. */
export async function cpuOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

export async function medianOf(work: () => unknown, rounds: number = ROUNDS): Promise<number> {
  const costs: number[] = [];
  for (let round = 0; round < rounds; round += 1) costs.push(await cpuOf(work));
  return spreadOf(costs).median;
}

export function print(...cells: readonly (string | number)[]): void {
  const shown = cells.map((cell) => (typeof cell === 'number' ? cell.toFixed(1) : cell));
  process.stdout.write(`${shown.map((cell) => cell.padStart(15)).join('')}\n`);
}
