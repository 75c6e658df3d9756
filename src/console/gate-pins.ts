/**
 * The pins of every gate that is registered, each server's from the lock of its own gate. A gate's console has those
 * of its own servers already.
 */
import { NEW, openPins } from '../gate/tools/pins.ts';
import type { Pins } from '../gate/tools/pins.ts';
import type { ServerView } from './console-services.ts';

interface OwnPins {
  readonly names: ReadonlySet<string>;
  readonly pins: Pins;
}

export function openGatePins(servers: () => readonly ServerView[], known?: OwnPins): Pins {
  const opened = new Map<string, Pins>();
  const pinsOf = (server: string): Pins | undefined => {
    if (known?.names.has(server) === true) return known.pins;
    const lock = servers().find(({ name }) => name === server)?.lock;
    return lock === undefined ? undefined : (opened.get(lock) ?? open(lock));
  };
  const open = (lock: string): Pins | undefined => {
    try {
      const pins = openPins(lock);
      opened.set(lock, pins);
      return pins;
    } catch {
      return undefined; // its faults are on the page of the server
    }
  };
  return {
    version: (now) => {
      const all = [...opened.values(), ...(known === undefined ? [] : [known.pins])];
      return all.reduce((sum, pins) => sum + pins.version(now), 0);
    },
    pinOf: (server, tool) => pinsOf(server)?.pinOf(server, tool),
    trustOf: (server, tool) => pinsOf(server)?.trustOf(server, tool) ?? {},
    isHeldBack: (server, name, tool, list) =>
      pinsOf(server)?.isHeldBack(server, name, tool, list) ?? false,
    check: (server, tools) => pinsOf(server)?.check(server, tools) ?? new Map(),
    checkTool: (server, name, tool) => pinsOf(server)?.checkTool(server, name, tool) ?? NEW,
  };
}
