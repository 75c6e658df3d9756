/**
 * Names whoever holds a key record so that its death can be proved later: by host, process and the moment
 * the process began. Only the same host can prove it; from elsewhere nobody is ever proven dead.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** Unique to each arrival: an old owner never passes for a new one. */
export function newOwner(): string {
  self ??= [hostname(), process.pid, startOf(process.pid) ?? ''].join('/');
  return `${self}/${randomUUID()}`;
}

/** What stays the same for as long as this process lives. */
let self: string | undefined;

export function isProvenDead(owner: string): boolean {
  const [host, pid, start] = owner.split('/');
  if (host !== hostname() || pid === undefined || !/^\d+$/.test(pid)) return false;
  if (!isAlive(Number(pid))) return true;
  // The number may belong to another process by now.
  const now = startOf(Number(pid));
  return start !== '' && now !== undefined && now !== start;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Clock ticks since boot at which the process began; only Linux tells. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}
