/** What a process has used so far, from `/proc`: CPU time of all its threads, and memory. */
import { readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second, whatever the machine. */
const TICK_MS = 10;

export function cpuMs(pid: number): number {
  const [user = 0, system = 0] = ticksOf(pid);
  return (user + system) * TICK_MS;
}

/** Of this process and of those below it that have ended; whoever started them has waited for them. */
export function familyMs(): number {
  return ticksOf(process.pid).reduce((sum, ticks) => sum + ticks, 0) * TICK_MS;
}

/** User and system time of a process, then both of the processes that it has waited for. */
function ticksOf(pid: number): readonly number[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name may contain spaces and brackets; the numbers start after its last bracket.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).map(Number);
}

/** CPU time that the whole machine has used, in all its processes. */
export function machineMs(): number {
  const [first = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
  const [user, nice, system, , , interrupts, soft, stolen] = first
    .split(/\s+/)
    .slice(1)
    .map(Number);
  const busy = [user, nice, system, interrupts, soft, stolen];
  return busy.reduce<number>((sum, ticks = 0) => sum + ticks, 0) * TICK_MS;
}

export function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}

/** The process that `pid` has started, if it is the only one. */
export function onlyChild(pid: number): number {
  const [child, ...others] = childrenOf(pid);
  if (child === undefined || others.length > 0) {
    throw new Error(`process ${pid} should have started one process`);
  }
  return child;
}

/** The last in a row of processes that each started the next, such as a shell in between. */
export function lastDescendant(pid: number): number {
  const [child] = childrenOf(pid);
  return child === undefined ? pid : lastDescendant(child);
}

/** All processes below it, as far as the system tells. */
export function descendantsOf(pid: number): readonly number[] {
  try {
    return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);
  } catch (error) {
    // It has just ended, or this is no Linux.
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

function childrenOf(pid: number): readonly number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}
