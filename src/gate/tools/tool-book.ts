/**
 * What a server's tools are, learnt from its lists. Each tool is read and compared with its pin when it
 * is first called, and again whenever its definition changes.
 */
import { inferEffect } from '../../effect/infer/infer-effect.ts';
import type { Trust } from '../../effect/infer/trust.ts';
import type { JsonValue } from '../../lib/json-value.ts';
import type { KnownTool } from '../call/gate-call.ts';
import type { JsonObject } from '../protocol/frame.ts';
import { isObject } from '../protocol/read-frame.ts';
import type { ConfiguredSlot, KeySlot } from './key-slot.ts';
import { findKeySlot } from './key-slot.ts';
import type { Pins } from './pins.ts';
import { hashDefinition } from './tool-definition.ts';

/** What is known of a tool besides its own words. */
interface ToolJudgement {
  readonly hash: string;
  readonly trust: Trust;
  readonly isQuarantined: boolean;
  readonly slot: KeySlot | undefined;
  readonly dedups: boolean;
}

/** `list` gives all that the server lists: whether a tool is new or only renamed, its neighbours tell. */
export type JudgeTool = (
  name: string,
  definition: JsonObject,
  list: () => readonly JsonObject[],
) => ToolJudgement;

export class ToolBook {
  readonly #judge: JudgeTool;
  #listed = new Map<string, JsonObject>();
  #known = new Map<string, KnownTool>();
  /** Names that one list gives to several definitions: nobody can tell which would run. */
  #ambiguous = new Set<string>();
  #isComplete = false;
  #isStale = false;

  constructor(judge: JudgeTool) {
    this.#judge = judge;
  }

  /** Whether the whole list was seen, so that a name not in it does not exist. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** What is written here may no longer hold. */
  get isStale(): boolean {
    return this.#isStale;
  }

  get definitions(): readonly JsonObject[] {
    return [...this.#listed.values()];
  }

  learn(page: JsonObject, isFirst: boolean): void {
    if (isFirst) {
      this.#listed = new Map();
      this.#ambiguous = new Set();
      this.#known = new Map();
    }
    const tools: JsonValue = page['tools'] ?? [];
    if (Array.isArray(tools)) for (const tool of tools as readonly JsonValue[]) this.#add(tool);
    this.#isComplete = page['nextCursor'] === undefined;
    this.#isStale = false;
  }

  /** The server said that its tools have changed. */
  forget(): void {
    this.#isComplete = false;
    this.#isStale = this.#listed.size > 0;
  }

  find(name: string): KnownTool | undefined {
    const known = this.#known.get(name);
    // A person may have accepted the change in the meantime.
    if (known !== undefined && !known.isQuarantined) return known;
    const definition = this.#listed.get(name);
    if (definition === undefined) return undefined;
    const { hash, trust, isQuarantined, slot, dedups } = this.#judge(
      name,
      definition,
      () => this.definitions,
    );
    const tool: KnownTool = Object.freeze({
      name,
      definition,
      hash,
      inferred: inferEffect(definition, trust),
      isQuarantined: isQuarantined || this.#ambiguous.has(name),
      slot,
      dedups,
    });
    this.#known.set(name, tool);
    return tool;
  }

  #add(tool: JsonValue): void {
    if (!isObject(tool) || typeof tool['name'] !== 'string') return;
    const { name } = tool;
    const before = this.#listed.get(name);
    if (before !== undefined && !isSame(before, tool)) this.#ambiguous.add(name);
    this.#listed.set(name, tool);
    this.#known.delete(name);
  }
}

/** What is nested too deep to be compared is not the same. */
function isSame(a: JsonObject, b: JsonObject): boolean {
  try {
    return JSON.stringify(a) === JSON.stringify(b);
  } catch {
    return false;
  }
}

/** Judges a tool by what is known of it besides its own words: the operator's trust, pins, key slots. */
export interface JudgeOptions {
  readonly server: string;
  readonly trusted: boolean;
  readonly pins?: Pins;
  readonly idempotency?: ConfiguredSlot;
}

export function openJudge({ server, trusted, pins, idempotency }: JudgeOptions): JudgeTool {
  return (name, definition, list) => {
    const slot = findKeySlot(definition, idempotency);
    return {
      hash: hashDefinition(definition),
      trust: { trusted, ...pins?.trustOf(server, name) },
      isQuarantined: pins !== undefined && isHeldBack(pins, server, name, definition, list),
      slot,
      // That a server takes a key proves nothing; somebody must vouch for what it does with it.
      dedups: slot !== undefined && (trusted || idempotency !== undefined),
    };
  };
}

function isHeldBack(
  pins: Pins,
  server: string,
  name: string,
  definition: JsonObject,
  list: () => readonly JsonObject[],
): boolean {
  const isPinned = pins.pinOf(server, name) !== undefined;
  // Under a new name a tool has no pin of its own; only the whole list tells that it is an old one.
  const check = isPinned
    ? pins.checkTool(server, name, definition)
    : pins.check(server, list()).get(name);
  return check?.quarantined ?? false;
}
