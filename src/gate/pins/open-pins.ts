/** The pins that a running gate goes by. Sees the file again when tools are checked, so that what a person accepts holds at once. */
import { statSync } from 'node:fs';
import type { Trust } from '../../effect/reading/trust.ts';
import type { ToolCheck } from './check-pins.ts';
import { checkPins, checkTool } from './check-pins.ts';
import type { Lock } from './lock.ts';
import { readLockFile } from './lock-file.ts';
import type { PinEntry } from './pin-entry.ts';

export interface Pins {
  pinOf(server: string, tool: string): PinEntry | undefined;
  /** What the pin lends a reading: a tier only where a person stated one. */
  trustOf(server: string, tool: string): Pick<Trust, 'pin' | 'evidence'>;
  check(server: string, tools: readonly unknown[]): ReadonlyMap<string, ToolCheck>;
  /** Of one tool by itself, which tells nothing of renaming. */
  checkTool(server: string, name: string, tool: unknown): ToolCheck;
}

/** Throws TypeError for a lock with faults: a gate must not start as if nothing were pinned. */
export function openPins(path: string): Pins {
  const state = stateOf(path); // before the text, so that a change in between is seen later
  const reading = readLockFile(path);
  if (reading.kind === 'faults') {
    const faults = reading.faults.map(({ pointer, message }) => `${pointer || '/'}: ${message}`);
    throw new TypeError(`${path} is no lock: ${faults.join('; ')}`);
  }
  return new LockPins(path, reading.lock, state);
}

const NO_PINS: ReadonlyMap<string, PinEntry> = new Map();

class LockPins implements Pins {
  readonly #path: string;
  #lock: Lock;
  #state: string;

  constructor(path: string, lock: Lock, state: string) {
    this.#path = path;
    this.#lock = lock;
    this.#state = state;
  }

  pinOf(server: string, tool: string): PinEntry | undefined {
    return this.#lock.servers.get(server)?.get(tool);
  }

  trustOf(server: string, tool: string): Pick<Trust, 'pin' | 'evidence'> {
    const { stated, tier, act, evidence } = this.pinOf(server, tool) ?? {};
    return {
      ...(stated && tier && { pin: { tier, ...(act && { act }) } }),
      ...(evidence && { evidence }),
    };
  }

  check(server: string, tools: readonly unknown[]): ReadonlyMap<string, ToolCheck> {
    this.#refresh();
    return checkPins(this.#lock.servers.get(server) ?? NO_PINS, tools);
  }

  checkTool(server: string, name: string, tool: unknown): ToolCheck {
    this.#refresh();
    return checkTool(this.pinOf(server, name), tool);
  }

  /** A file that got faulty or vanished changes nothing: the last good pins hold. */
  #refresh(): void {
    const state = stateOf(this.#path);
    if (state === this.#state) return;
    this.#state = state;
    const reading = state === '' ? undefined : readLockFile(this.#path);
    if (reading?.kind === 'lock') this.#lock = reading.lock;
  }
}

/** Tells whether a file is another; a write puts a new one in its place. */
function stateOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? '' : `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
}
