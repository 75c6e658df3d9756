/** A lock: the pins of each server, as `plimsoll.lock.json` holds them. Reading its text is elsewhere. */
import type { PinEntry } from './pin-entry.ts';

export interface Lock {
  readonly servers: ReadonlyMap<string, ReadonlyMap<string, PinEntry>>;
}

export const EMPTY_LOCK: Lock = Object.freeze({ servers: new Map() });

export const LOCK_VERSION = 1;

/** Keys in order, so that equal pins are equal bytes. */
export function toLockText({ servers }: Lock): string {
  const entries = [...servers].map(([server, tools]) => [
    server,
    { tools: Object.fromEntries(tools) },
  ]);
  const lock = { version: LOCK_VERSION, servers: Object.fromEntries(entries) as unknown };
  return `${JSON.stringify(lock, (_, value: unknown) => inOrder(value), 2)}\n`;
}

export function withPins(
  { servers }: Lock,
  server: string,
  changes: ReadonlyMap<string, PinEntry | undefined>,
): Lock {
  const tools = new Map(servers.get(server));
  for (const [tool, pin] of changes) {
    if (pin === undefined) tools.delete(tool);
    else tools.set(tool, pin);
  }
  return { servers: new Map([...servers, [server, tools]]) };
}

function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
