/**
 * The part of a tool that a pin covers, in one form for all that means the same: a hint that says what
 * its absence says is left out, and so is what Plimsoll does not read. Can be read like any tool.
 */
import { createHash } from 'node:crypto';
import type { HintName } from '../../effect/hints.ts';
import { HINT_DEFAULTS, HINT_NAMES } from '../../effect/hints.ts';
import { META_KEYS } from '../../effect/meta-keys.ts';
import { toCanonicalJson } from '../../lib/canonical-json.ts';
import type { JsonValue } from '../../lib/json-value.ts';
import { toPointer } from './drift-change.ts';

export type JsonRecord = Readonly<Record<string, JsonValue>>;

interface DefinitionReading {
  readonly definition: JsonRecord;
  /** False when a part could not be taken over; two such definitions may differ unseen. */
  readonly whole: boolean;
  /** Its annotations as they are written, also where they say what their absence says. */
  readonly written: JsonRecord;
}

/** As a client must take them: what was not said is the default. */
export type FullHints = Readonly<Record<HintName, boolean>>;

const KEPT = ['name', 'title', 'description', 'inputSchema', 'outputSchema'] as const;
const META_NAMES = Object.values(META_KEYS).map(({ key }) => key);
/** These two say nothing about a tool that only reads. */
const ONLY_OF_WRITES: readonly HintName[] = ['destructiveHint', 'idempotentHint'];

export function toDefinition(tool: unknown): DefinitionReading {
  const plain = toPlainJson(pick(tool));
  const parts = toRecord(plain.value) ?? {};
  const written = toRecord(own(parts, 'annotations')) ?? {};
  const annotations = toAnnotations(written);
  const meta = toRecord(own(parts, '_meta')) ?? {};
  const definition = Object.fromEntries([
    ...KEPT.flatMap((key) => memberOf(parts, key)),
    ...(Object.keys(annotations).length > 0 ? [['annotations', annotations] as const] : []),
    ...(Object.keys(meta).length > 0 ? [['_meta', meta] as const] : []),
  ]);
  return { definition, whole: plain.whole, written };
}

/** Of a definition made here or of a raw tool alike. */
export function hintsOf(definition: JsonRecord): FullHints {
  const said = toRecord(own(definition, 'annotations')) ?? {};
  const readOnly = own(said, 'readOnlyHint') === true;
  const entries = HINT_NAMES.map((name): [HintName, boolean] => {
    const value = own(said, name);
    // To be read-only is to destroy nothing and to be safely called twice.
    if (readOnly && ONLY_OF_WRITES.includes(name)) return [name, !HINT_DEFAULTS[name]];
    return [name, typeof value === 'boolean' ? value : HINT_DEFAULTS[name]];
  });
  return Object.fromEntries(entries) as FullHints; // one entry a name
}

export function own(record: JsonRecord | undefined, key: string): JsonValue | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}

export function toRecord(value: unknown): JsonRecord | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return value as JsonRecord; // callers hand in parts of plain JSON
}

function toAnnotations(said: JsonRecord): JsonRecord {
  const hints = hintsOf({ annotations: said });
  const telling = HINT_NAMES.filter((name) => hints[name] !== HINT_DEFAULTS[name])
    .filter((name) => !(hints.readOnlyHint && ONLY_OF_WRITES.includes(name)))
    .map((name): [string, JsonValue] => [name, hints[name]]);
  return Object.fromEntries([...memberOf(said, 'title'), ...telling]);
}

function memberOf(record: JsonRecord, key: string): [string, JsonValue][] {
  const value = own(record, key);
  return value === undefined ? [] : [[key, value]];
}

/** Before the copy, so that what no pin covers may be as odd as it likes. */
function pick(tool: unknown): unknown {
  try {
    const meta = pickMembers(pickMembers(tool, ['_meta'])?.['_meta'], META_NAMES);
    const parts = pickMembers(tool, [...KEPT, 'annotations']);
    return parts && { ...parts, ...(meta && { _meta: meta }) };
  } catch {
    return undefined; // a proxy
  }
}

function pickMembers(value: unknown, keys: readonly string[]): Record<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const record = value as Readonly<Record<string, unknown>>; // read by own keys only
  const entries = keys.filter((key) => Object.hasOwn(record, key)).map((key) => [key, record[key]]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}

/** Never throws; a tool that is not whole JSON gets a hash that tells little. */
export function hashDefinition(tool: unknown): string {
  return hashText(toCanonicalJson(toDefinition(tool).definition));
}

export function hashText(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

/**
 * Copies what claims to be JSON into what certainly is, with a marker for each part that is not.
 * Never throws, whatever it is given; `whole` tells whether every part came through.
 */
interface PlainJson {
  readonly value: JsonValue;
  readonly whole: boolean;
}

/** Deeper or larger than any definition that means well. */
const DEPTH_LIMIT = 128;
const NODE_LIMIT = 1_000_000;

const MARKER: JsonValue = Object.freeze({ 'dev.plimsoll/unreadable': true });

function toPlainJson(value: unknown): PlainJson {
  const copy = new Copy();
  try {
    return { value: copy.of(value, 0), whole: copy.whole };
  } catch {
    return { value: MARKER, whole: false }; // getters and proxies throw what they like
  }
}

class Copy {
  whole = true;
  #nodes = 0;

  of(value: unknown, depth: number): JsonValue {
    this.#nodes += 1;
    if (value === null || typeof value === 'boolean') return value;
    if (typeof value === 'string') return value.isWellFormed() ? value : this.#mark();
    if (typeof value === 'number') return Number.isFinite(value) ? value : this.#mark();
    if (typeof value !== 'object' || depth >= DEPTH_LIMIT || this.#nodes > NODE_LIMIT)
      return this.#mark();
    return Array.isArray(value) ? this.#array(value, depth + 1) : this.#object(value, depth + 1);
  }

  #array(values: readonly unknown[], depth: number): JsonValue {
    return Array.from(values, (value) => this.of(value, depth));
  }

  #object(value: object, depth: number): JsonValue {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) return this.#mark();
    const entries: [string, JsonValue][] = [];
    for (const [key, part] of Object.entries(value) as [string, unknown][]) {
      if (!key.isWellFormed()) this.#mark();
      else if (part !== undefined) entries.push([key, this.of(part, depth)]);
    }
    return Object.fromEntries(entries); // defines, so that a `__proto__` stays a plain member
  }

  #mark(): JsonValue {
    this.whole = false;
    return MARKER;
  }
}

/** One object of a JSON file while it is checked: where it stands, and where its faults go. */
export interface JsonFault {
  /** A JSON pointer into the file. */
  readonly pointer: string;
  readonly message: string;
}

export class JsonPart {
  readonly #record: JsonRecord;
  readonly #pointer: string;
  readonly #faults: JsonFault[];

  constructor(value: JsonValue | undefined, pointer: string, faults: JsonFault[]) {
    this.#pointer = pointer;
    this.#faults = faults;
    const record = toRecord(value);
    if (record === undefined) this.fault('it is not an object');
    this.#record = record ?? {};
  }

  get(key: string): JsonValue | undefined {
    return own(this.#record, key);
  }

  part(key: string): JsonPart {
    return new JsonPart(this.get(key), this.#pointer + toPointer(key), this.#faults);
  }

  parts(key: string): readonly (readonly [string, JsonPart])[] {
    const members = this.part(key);
    return Object.keys(members.#record).map((name) => [name, members.part(name)]);
  }

  text(key: string, form: RegExp): string {
    const value = this.get(key);
    if (typeof value === 'string' && form.test(value)) return value;
    this.fault('it does not have the right form', key);
    return '';
  }

  allow(keys: readonly string[]): void {
    for (const key of Object.keys(this.#record))
      if (!keys.includes(key)) this.fault('there is no such member', key);
  }

  fault(message: string, key?: string): void {
    const pointer = key === undefined ? this.#pointer : this.#pointer + toPointer(key);
    this.#faults.push({ pointer, message });
  }
}
