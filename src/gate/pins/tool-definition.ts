/**
 * The part of a tool that a pin covers, in one form for all that means the same: a hint that says what
 * its absence says is left out, and so is what Plimsoll does not read. Can be read like any tool.
 */
import type { HintName } from '../../effect/hints.ts';
import { HINT_DEFAULTS, HINT_NAMES } from '../../effect/hints.ts';
import { META_KEYS } from '../../effect/meta-keys.ts';
import type { JsonValue } from '../../lib/json-value.ts';
import { toPlainJson } from './to-plain-json.ts';

export type JsonRecord = Readonly<Record<string, JsonValue>>;

export interface DefinitionReading {
  readonly definition: JsonRecord;
  /** False when a part could not be taken over; two such definitions may differ unseen. */
  readonly whole: boolean;
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
  const annotations = toAnnotations(toRecord(own(parts, 'annotations')) ?? {});
  const meta = toRecord(own(parts, '_meta')) ?? {};
  const definition = Object.fromEntries([
    ...KEPT.flatMap((key) => memberOf(parts, key)),
    ...(Object.keys(annotations).length > 0 ? [['annotations', annotations] as const] : []),
    ...(Object.keys(meta).length > 0 ? [['_meta', meta] as const] : []),
  ]);
  return { definition, whole: plain.whole };
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
