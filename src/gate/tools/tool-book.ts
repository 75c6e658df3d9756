/**
 * What a server's tools are, learnt page by page from its lists. Each tool is inferred and compared with
 * its pin when it is first called, and again whenever its definition or its pin changes.
 */
import type { TellingConvention } from '../../effect/conventions/telling-conventions.ts';
import { TELLING_CONVENTIONS } from '../../effect/conventions/telling-conventions.ts';
import type { InferredEffect } from '../../effect/infer/infer-effect.ts';
import { inferEffect } from '../../effect/infer/infer-effect.ts';
import type { Trust } from '../../effect/infer/trust.ts';
import type { JsonValue } from '../../lib/json-value.ts';
import type { JsonObject } from '../protocol/frame.ts';
import { isObject } from '../protocol/read-frame.ts';
import type { KeySlot, ConfiguredSlot } from './key-slot.ts';
import { findKeySlot } from './key-slot.ts';
import type { PinEntry } from './lock.ts';
import type { Pins } from './pins.ts';
import { hashDefinition } from './tool-definition.ts';

/** A tool as its server lists it, and what it is taken to do. */
export interface KnownTool {
  readonly name: string;
  readonly definition: JsonObject;
  /** Digest of the definition. */
  readonly hash: string;
  readonly inferred: InferredEffect;
  /** Its server says what it does, the operator trusts the server, or a person accepted the tool. */
  readonly isDeclared: boolean;
  /** What a person accepted, in a lock that somebody named. */
  readonly pin: PinEntry | undefined;
  /** It got riskier than what a person accepted, or is listed twice in different words. */
  readonly isQuarantined: boolean;
  /** Where it takes an idempotency key, if it does. */
  readonly slot: KeySlot | undefined;
  /** Whoever runs the gate believes that one key has one effect there. */
  readonly dedups: boolean;
}

/** When a tool was last judged, and by which words and pins. */
interface Known {
  readonly tool: KnownTool;
  readonly definition: JsonObject;
  readonly isAmbiguous: boolean;
  readonly pinsVersion: number;
  /** Siblings tell something about a tool. */
  readonly list: readonly JsonObject[];
}

type NamedTool = JsonObject & { readonly name: string };

interface Page {
  readonly tools: readonly NamedTool[];
  readonly next: string | undefined;
}

interface Listed {
  readonly definitions: ReadonlyMap<string, JsonObject>;
  /** All of them; another array when any of them is another. */
  readonly list: readonly JsonObject[];
  /** Names that one list gives to several definitions: nobody can tell which would run. */
  readonly ambiguous: ReadonlySet<string>;
  /** Whether the whole list was seen, so that a name not in it does not exist. */
  readonly isComplete: boolean;
}

const NOTHING: Listed = {
  definitions: new Map(),
  list: [],
  ambiguous: new Set(),
  isComplete: false,
};
const FIRST = '';

export class ToolBook {
  readonly #judge: Judge;
  /** By cursor, so that one page can change without the others being learnt again. */
  readonly #pages = new Map<string, Page>();
  readonly #known = new Map<string, Known>();
  #listed: Listed = NOTHING;
  #isStale = false;

  constructor(judge: Judge) {
    this.#judge = judge;
  }

  get isComplete(): boolean {
    return this.#listed.isComplete;
  }

  /** What was learnt may no longer hold. */
  get isStale(): boolean {
    return this.#isStale;
  }

  get definitions(): readonly JsonObject[] {
    return this.#listed.list;
  }

  /** `cursor` is what the page was asked for with; `undefined` for the first. */
  learn(page: JsonObject, cursor: JsonValue | undefined): void {
    const { nextCursor, tools = [] } = page;
    const listed = Array.isArray(tools) ? (tools as readonly JsonValue[]) : [];
    // After a change every page must be seen again: an old one may name tools that are gone.
    if (this.#isStale) this.#pages.clear();
    this.#isStale = false;
    this.#pages.set(keyOf(cursor), {
      tools: listed.filter(isNamed),
      next: nextCursor === undefined || nextCursor === null ? undefined : keyOf(nextCursor),
    });
    this.#listed = collect(this.#pages);
  }

  /** The server said that its tools have changed. */
  forget(): void {
    this.#isStale = this.#pages.size > 0;
    this.#listed = { ...this.#listed, isComplete: false };
  }

  /** The same object for as long as neither the definition nor what is known of it changes. */
  find(name: string): KnownTool | undefined {
    const definition = this.#listed.definitions.get(name);
    if (definition === undefined) return undefined;
    const known = this.#known.get(name);
    const isAmbiguous = this.#listed.ambiguous.has(name);
    // A person may accept a quarantined tool at any moment.
    const pinsVersion = this.#judge.pinsVersion(known?.tool.isQuarantined === true);
    if (
      known?.definition === definition &&
      known.pinsVersion === pinsVersion &&
      known.isAmbiguous === isAmbiguous &&
      known.list === this.#listed.list
    ) {
      return known.tool;
    }
    const judged = this.#toTool(name, definition, isAmbiguous);
    const tool = known !== undefined && isSameTool(known.tool, judged) ? known.tool : judged;
    const { list } = this.#listed;
    this.#known.set(name, { tool, definition, isAmbiguous, pinsVersion, list });
    return tool;
  }

  #toTool(name: string, definition: JsonObject, isAmbiguous: boolean): KnownTool {
    const { trust, isQuarantined, isVouched, ...rest } = this.#judge.judge(
      name,
      definition,
      () => this.definitions,
    );
    const inferred = inferEffect(definition, trust, this.#listed.list);
    return Object.freeze({
      ...rest,
      name,
      definition,
      inferred,
      isDeclared: isVouched || inferred.isDeclared,
      isQuarantined: isQuarantined || isAmbiguous,
    });
  }
}

function isSameTool(a: KnownTool, b: KnownTool): boolean {
  return (
    a.hash === b.hash &&
    a.isQuarantined === b.isQuarantined &&
    a.isDeclared === b.isDeclared &&
    a.pin?.acceptedAt === b.pin?.acceptedAt &&
    isSame(a.definition, b.definition) &&
    isSame(a.inferred, b.inferred)
  );
}

/** Follows the pages from the first one; what no page leads to is not listed any more. */
function collect(pages: ReadonlyMap<string, Page>): Listed {
  const definitions = new Map<string, JsonObject>();
  const ambiguous = new Set<string>();
  const seen = new Set<string>();
  let at: string | undefined = FIRST;
  while (at !== undefined && !seen.has(at)) {
    const page = pages.get(at);
    if (page === undefined) break;
    seen.add(at);
    for (const tool of page.tools) {
      const { name } = tool;
      const before = definitions.get(name);
      if (before !== undefined && !isSame(before, tool)) ambiguous.add(name);
      definitions.set(name, tool);
    }
    at = page.next;
  }
  const list = [...definitions.values()];
  return { definitions, list, ambiguous, isComplete: at === undefined || seen.has(at) };
}

function keyOf(cursor: JsonValue | undefined): string {
  return cursor === undefined ? FIRST : JSON.stringify(cursor);
}

function isNamed(tool: JsonValue): tool is NamedTool {
  return isObject(tool) && typeof tool['name'] === 'string';
}

/** What is nested too deeply to be compared is not the same. */
function isSame(a: object, b: object): boolean {
  try {
    return JSON.stringify(a) === JSON.stringify(b);
  } catch {
    return false;
  }
}

interface ToolJudgement {
  readonly hash: string;
  readonly trust: Trust;
  readonly isQuarantined: boolean;
  /** The operator trusts the server, or a person accepted the tool. */
  readonly isVouched: boolean;
  readonly pin: PinEntry | undefined;
  readonly slot: KeySlot | undefined;
  readonly dedups: boolean;
}

/** Judges a tool by what is known of it besides its own words: the operator's trust, pins, key slots. */
export interface Judge {
  /** Grows when pins change, so that tools are judged again. `now`: looks at the file in any case. */
  pinsVersion(now: boolean): number;
  /** `list` gives all that the server lists: only its neighbours tell whether a tool is new or renamed. */
  judge(name: string, definition: JsonObject, list: () => readonly JsonObject[]): ToolJudgement;
}

export interface JudgeOptions {
  readonly server: string;
  readonly trusted: boolean;
  readonly convention?: TellingConvention | undefined;
  readonly pins?: Pins;
  readonly idempotency?: ConfiguredSlot;
}

export function openJudge(options: JudgeOptions): Judge {
  const { server, trusted, convention, pins, idempotency } = options;
  const stated: Trust = {
    trusted,
    ...(convention !== undefined && { convention: TELLING_CONVENTIONS[convention] }),
  };
  return {
    pinsVersion: (now) => pins?.version(now) ?? 0,
    judge(name, definition, list) {
      const slot = findKeySlot(definition, idempotency);
      const pin = pins?.pinOf(server, name);
      const isQuarantined = pins?.isHeldBack(server, name, definition, list) ?? false;
      const hash = hashDefinition(definition);
      // In other words the same switch may do something else.
      const dryRun = pin?.definition === hash ? pin.dryRun : undefined;
      return {
        hash,
        trust: {
          ...stated,
          ...pins?.trustOf(server, name),
          ...(dryRun !== undefined && { dryRun }),
        },
        isQuarantined,
        isVouched: trusted || pin !== undefined,
        pin,
        slot,
        // That a server takes a key proves nothing; somebody must vouch for what it does with it.
        dedups: slot !== undefined && (trusted || idempotency !== undefined),
      };
    },
  };
}
