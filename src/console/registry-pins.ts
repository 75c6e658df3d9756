/** The pins of servers behind several gates, each in the lock that its gate reads. */
import type { Trust } from '../effect/infer/trust.ts';
import type { PinEntry } from '../gate/tools/lock.ts';
import type { Pins, ToolCheck } from '../gate/tools/pins.ts';
import { checkPins, NEW, openPins } from '../gate/tools/pins.ts';
import type { ServerView } from './console-services.ts';

export class RegistryPins implements Pins {
  readonly #servers: () => readonly ServerView[];
  readonly #open = new Map<string, Pins>();

  constructor(servers: () => readonly ServerView[]) {
    this.#servers = servers;
  }

  version(now: boolean): number {
    return [...this.#open.values()].reduce((sum, pins) => sum + pins.version(now), 0);
  }

  pinOf(server: string, tool: string): PinEntry | undefined {
    return this.#of(server)?.pinOf(server, tool);
  }

  trustOf(server: string, tool: string): Pick<Trust, 'pin' | 'evidence' | 'found'> {
    return this.#of(server)?.trustOf(server, tool) ?? {};
  }

  isHeldBack(server: string, name: string, tool: unknown, list: () => readonly unknown[]): boolean {
    return this.#of(server)?.isHeldBack(server, name, tool, list) ?? false;
  }

  check(server: string, tools: readonly unknown[]): ReadonlyMap<string, ToolCheck> {
    return this.#of(server)?.check(server, tools) ?? checkPins(new Map(), tools);
  }

  checkTool(server: string, name: string, tool: unknown): ToolCheck {
    return this.#of(server)?.checkTool(server, name, tool) ?? NEW;
  }

  #of(server: string): Pins | undefined {
    const path = this.#servers().find(({ name }) => name === server)?.lock;
    if (path === undefined) return undefined;
    const known = this.#open.get(path);
    if (known !== undefined) return known;
    try {
      const pins = openPins(path);
      this.#open.set(path, pins);
      return pins;
    } catch {
      // The page of the server tells what is wrong with the file; the others still work.
      return undefined;
    }
  }
}
