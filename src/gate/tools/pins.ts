/** The pins that a running gate goes by. Sees the file again when tools are checked, so that what a person accepts holds at once. */
import { statSync } from 'node:fs';
import type { Trust } from '../../effect/infer/trust.ts';
import { toCanonicalJson } from '../../lib/canonical-json.ts';
import type { Drift } from './drift.ts';
import { classifyDrift } from './drift.ts';
import type { Lock, PinEntry } from './lock.ts';
import { readLockFile } from './lock.ts';
import type { JsonRecord } from './tool-definition.ts';
import { hashText, own, toDefinition, toRecord } from './tool-definition.ts';
import type { DriftChange } from './drift-change.ts';

export interface Pins {
  /**
   * Grows whenever the file was changed. Looked at now and then, or at once with `now`, so that what a
   * person accepts holds for the next call.
   */
  version(now: boolean): number;
  pinOf(server: string, tool: string): PinEntry | undefined;
  /** What the pin adds to an inferred effect: a tier only where a person stated one. */
  trustOf(server: string, tool: string): Pick<Trust, 'pin' | 'evidence' | 'found'>;
  /** `list` gives all that the server lists: only its neighbours tell whether a tool is new or renamed. */
  isHeldBack(server: string, name: string, tool: unknown, list: () => readonly unknown[]): boolean;
  check(server: string, tools: readonly unknown[]): ReadonlyMap<string, ToolCheck>;
  /** Of one tool by itself, which tells nothing of renaming. */
  checkTool(server: string, name: string, tool: unknown): ToolCheck;
}

/**
 * `found` is a lock that nobody named: it can hold tools back and raise their tiers, and nothing else.
 * Throws TypeError for a lock with faults: a gate must not start as if nothing were pinned.
 */
export function openPins(path: string, found?: string): Pins {
  return openLock(path, found === undefined ? undefined : openLock(found));
}

function openLock(path: string, found?: LockPins): LockPins {
  const state = stateOf(path); // before the text, so that a change in between is seen later
  const reading = readLockFile(path);
  if (reading.kind === 'faults') {
    const faults = reading.faults.map(({ pointer, message }) => `${pointer || '/'}: ${message}`);
    throw new TypeError(`${path} is no lock: ${faults.join('; ')}`);
  }
  return new LockPins(path, reading.lock, state, found);
}

const LOOK_EVERY_MS = 100;
const NO_PINS: ReadonlyMap<string, PinEntry> = new Map();

class LockPins implements Pins {
  readonly #path: string;
  readonly #found: LockPins | undefined;
  #lock: Lock;
  #state: string;
  #version = 1;
  #seenAt = 0;

  constructor(path: string, lock: Lock, state: string, found: LockPins | undefined) {
    this.#path = path;
    this.#found = found;
    this.#lock = lock;
    this.#state = state;
  }

  version(now: boolean): number {
    if (now || Date.now() - this.#seenAt >= LOOK_EVERY_MS) this.#refresh();
    return this.#version + (this.#found?.version(now) ?? 0);
  }

  pinOf(server: string, tool: string): PinEntry | undefined {
    return this.#lock.servers.get(server)?.get(tool);
  }

  trustOf(server: string, tool: string): Pick<Trust, 'pin' | 'evidence' | 'found'> {
    const { stated, tier, act, evidence } = this.pinOf(server, tool) ?? {};
    return {
      ...(stated && tier && { pin: { tier, ...(act && { act }) } }),
      ...(evidence && { evidence }),
      ...(this.#found && { found: this.#found.trustOf(server, tool) }),
    };
  }

  isHeldBack(server: string, name: string, tool: unknown, list: () => readonly unknown[]): boolean {
    // Under a new name a tool has no pin of its own; only the whole list tells that it is an old one.
    const check =
      this.pinOf(server, name) === undefined
        ? this.check(server, list()).get(name)
        : this.checkTool(server, name, tool);
    if (check?.quarantined === true) return true;
    return this.#found?.isHeldBack(server, name, tool, list) ?? false;
  }

  check(server: string, tools: readonly unknown[]): ReadonlyMap<string, ToolCheck> {
    this.#refresh();
    return checkPins(this.#lock.servers.get(server) ?? NO_PINS, tools);
  }

  checkTool(server: string, name: string, tool: unknown): ToolCheck {
    this.#refresh();
    return checkTool(this.pinOf(server, name), tool);
  }

  /** A file that got faulty, unreadable or vanished changes nothing: the last good pins hold. */
  #refresh(): void {
    this.#seenAt = Date.now();
    const state = stateOf(this.#path);
    if (state === this.#state) return;
    this.#state = state;
    const reading = state === '' ? undefined : readLockFile(this.#path);
    // One that vanished just now was read as a lock without pins.
    if (reading?.kind !== 'lock' || stateOf(this.#path) === '') return;
    this.#lock = reading.lock;
    this.#version += 1;
  }
}

/** Tells whether a file is another; a write puts a new one in its place. Empty: it cannot be looked at. */
function stateOf(path: string): string {
  try {
    const { ino, size, mtimeMs } = statSync(path);
    return `${ino} ${size} ${mtimeMs}`;
  } catch {
    return '';
  }
}

/** Holds the tools that a server lists now against its pins. Pure. */
export type ToolDrift =
  | Drift
  | { readonly kind: 'new' }
  /** Apart from the name it is a pinned tool that is listed no more. */
  | { readonly kind: 'renamed'; readonly from: string; readonly changes: readonly DriftChange[] };

export interface ToolCheck {
  readonly drift: ToolDrift;
  /** It got riskier than what was accepted and may not be called. */
  readonly quarantined: boolean;
}

export const NEW: ToolCheck = { drift: { kind: 'new' }, quarantined: false };

type ServerPins = ReadonlyMap<string, PinEntry>;

/** Tools without a name get no check; they cannot be called either. */
export function checkPins(
  pins: ServerPins,
  tools: readonly unknown[],
): ReadonlyMap<string, ToolCheck> {
  const named = tools.map((tool) => ({ tool, name: nameOf(tool) }));
  const listed = new Set(named.map(({ name }) => name));
  let gone: ReadonlyMap<string, string> | undefined;
  const checks = new Map<string, ToolCheck>();
  for (const { tool, name } of named) {
    if (name === undefined) continue;
    const pin = pins.get(name);
    gone ??= pin === undefined ? indexGone(pins, listed) : undefined;
    const check = pin === undefined ? checkNew(pins, gone, tool) : checkTool(pin, tool);
    // Two tools of one name: nobody knows which one a call reaches, so the worse one counts.
    if (checks.get(name)?.quarantined !== true) checks.set(name, check);
  }
  return checks;
}

/** For one tool by itself, where nobody can tell whether another was renamed to it. */
function checkTool(pin: PinEntry | undefined, tool: unknown): ToolCheck {
  return pin === undefined ? NEW : toCheck(classifyDrift(pin, tool));
}

/** Pinned tools that the server no longer lists. */
export function findGone(pins: ServerPins, tools: readonly unknown[]): readonly string[] {
  const listed = new Set(tools.map(nameOf));
  return [...pins.keys()].filter((name) => !listed.has(name));
}

function toCheck(drift: Drift): ToolCheck {
  return { drift, quarantined: drift.kind === 'riskier' };
}

function checkNew(
  pins: ServerPins,
  gone: ReadonlyMap<string, string> | undefined,
  tool: unknown,
): ToolCheck {
  if (gone === undefined || gone.size === 0) return NEW;
  const { definition, whole } = toDefinition(tool);
  const from = whole ? gone.get(hashNameless(definition)) : undefined;
  const pin = from === undefined ? undefined : pins.get(from);
  if (from === undefined || pin === undefined) return NEW;
  const drift = classifyDrift(pin, tool);
  const changes = drift.kind === 'same' ? [] : drift.changes;
  // A name tells what a tool does, so that a new one can be the riskier.
  return { drift: { kind: 'renamed', from, changes }, quarantined: drift.kind === 'riskier' };
}

/** Pins of tools that are gone, by the hash of what they were apart from the name. */
function indexGone(
  pins: ServerPins,
  listed: ReadonlySet<string | undefined>,
): ReadonlyMap<string, string> {
  const index = new Map<string, string>();
  for (const [name, { definitionText }] of pins) {
    if (listed.has(name) || definitionText === undefined) continue;
    const { definition } = toDefinition(JSON.parse(definitionText));
    index.set(hashNameless(definition), name);
  }
  return index;
}

function hashNameless(definition: JsonRecord): string {
  const rest = Object.entries(definition).filter(([key]) => key !== 'name');
  return hashText(toCanonicalJson(Object.fromEntries(rest)));
}

function nameOf(tool: unknown): string | undefined {
  const name = own(toRecord(tool), 'name');
  return typeof name === 'string' ? name : undefined;
}
