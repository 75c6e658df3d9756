/**
 * Identifies the process that holds a key record, so that its death can be proved later: by host,
 * process id and start time. Only the same host can prove it; elsewhere a process is never assumed
 * dead.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Unique to each arrival: an old owner is never taken for a new one. */
export function newOwner(): string {
  self ??= [place(), process.pid, startOf(process.pid) ?? ''].join('/');
  return `${self}/${randomUUID()}`;
}

/** What stays the same for as long as this process lives. */
let self: string | undefined;

export function isProvenDead(owner: string): boolean {
  const [where, pid, start] = owner.split('/');
  if (where !== place() || pid === undefined || !/^\d+$/.test(pid)) return false;
  if (!isAlive(Number(pid))) return true;
  // The process id may have been reused.
  const now = startOf(Number(pid));
  return start !== '' && now !== undefined && now !== start;
}

let here: string | undefined;

/** Containers may share a host name, and then a process id of one means nothing in the other. */
function place(): string {
  here ??= `${hostname()} ${processNamespace()}`;
  return here;
}

/** Only Linux has them. */
function processNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The start time of the process in clock ticks since boot; Linux only. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}
