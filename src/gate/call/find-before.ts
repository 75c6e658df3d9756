/**
 * What a call would replace, where the policy wants it shown: which tool of the same server reads it, with which
 * arguments, and how that differs from what the call writes. Pure; the read itself is a call of the gate's own.
 */
import { worstTier } from '../../effect/effect.ts';
import { toWords } from '../../effect/infer/to-words.ts';
import { propertiesOf } from '../../effect/schema.ts';
import { TIERS } from '../../effect/tier.ts';
import { toUnifiedDiff } from '../../lib/unified-diff.ts';
import type { Change } from '../approvals/card.ts';
import type { Frame, JsonObject } from '../protocol/frame.ts';
import { isObject } from '../protocol/read-frame.ts';
import type { ServerTools } from '../tools/server-tools.ts';
import type { KnownTool } from '../tools/tool-book.ts';
import type { GateCall } from './read-call.ts';

/** The call that reads what is there now. */
export interface BeforeRead {
  readonly tool: string;
  readonly args: JsonObject;
}

const READS = wordsOf('get read fetch show view retrieve load');
const WRITES = wordsOf(
  'write update put set edit replace overwrite save modify patch change store upsert create',
);
/** Words that say how something is read, not what. */
const MANNERS = wordsOf('text content contents single one by id');
const CONTENT = /^(?:contents?|text|body|file_?text|new_?(?:content|text)|data|markdown)$/i;
const LONGEST_NAMED = 1024;
const LONGEST_TEXT = 64 * 1024;
/** Comparing holds up all other calls, and a card shows few lines. */
const MOST_EDITS = 400;

/** `undefined` unless one tool that only reads takes what names the thing, and nothing else is required. */
export function findBeforeRead(call: GateCall, tools: ServerTools): BeforeRead | undefined {
  if (TIERS[call.effect.tier].readsOnly) return undefined;
  const thing = thingOf(call.tool.name, WRITES);
  if (thing === undefined) return undefined;
  const fitting = tools.definitions.flatMap(({ name }): readonly BeforeRead[] => {
    if (typeof name !== 'string' || thingOf(name, READS) !== thing) return [];
    const reader = tools.find(name);
    const args = reader && namingArguments(call.args, reader);
    return args === undefined ? [] : [{ tool: name, args }];
  });
  // Of several, the one with the plainest name.
  const [first] = fitting.toSorted((a, b) => a.tool.length - b.tool.length);
  return first;
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

/** What a name is about, without its verb: `file` of `write_file` and of `read_text_file`. */
function thingOf(name: string, verbs: ReadonlySet<string>): string | undefined {
  const words = toWords(name);
  const rest = words.filter((word) => !verbs.has(word) && !MANNERS.has(word));
  return rest.length > 0 && words.some((word) => verbs.has(word)) ? rest.join(' ') : undefined;
}

function namingArguments(args: JsonObject, reader: KnownTool): JsonObject | undefined {
  if (reader.isQuarantined || !TIERS[worstTier(reader.inferred.effect)].readsOnly) return undefined;
  const schema = reader.definition['inputSchema'];
  if (!isObject(schema)) return undefined;
  const known = propertiesOf(schema);
  const named = Object.entries(args).filter(
    ([key, value]) =>
      Object.hasOwn(known, key) &&
      // What is to be written waits for the yes, also where the reader would take it.
      !CONTENT.test(key) &&
      (typeof value === 'number' || (typeof value === 'string' && value.length <= LONGEST_NAMED)),
  );
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const isWhole = required.every((key) => named.some(([name]) => name === key));
  return isWhole && named.length > 0 ? Object.fromEntries(named) : undefined;
}

/** How what the read answered differs from what the call writes; `undefined` where that cannot be told. */
export function toChange(call: GateCall, read: BeforeRead, answer: Frame): Change | undefined {
  const { result } = answer.message;
  if (!isObject(result) || result['isError'] === true) return undefined;
  const before = textOf(result);
  if (before === undefined) return undefined;
  const written = Object.entries(call.args).filter(([key]) => !Object.hasOwn(read.args, key));
  const content = written
    .filter(([key]) => CONTENT.test(key))
    .map(([, value]) => value)
    .find((value) => typeof value === 'string');
  const [old, next] =
    content === undefined
      ? (toFields(result, before, Object.fromEntries(written)) ?? [])
      : [before, content];
  if (old === undefined || next === undefined || next.length > LONGEST_TEXT) return undefined;
  const labels = { before: read.tool, after: call.tool.name };
  return { from: read.tool, diff: toUnifiedDiff(old, next, labels, MOST_EDITS) };
}

function textOf({ content }: JsonObject): string | undefined {
  if (!Array.isArray(content)) return undefined;
  const texts = content.map((part) =>
    isObject(part) && part['type'] === 'text' ? part['text'] : undefined,
  );
  if (!texts.every((text) => typeof text === 'string')) return undefined;
  const text = texts.join('\n');
  return text.length <= LONGEST_TEXT ? text : undefined;
}

/** A record before and after: fields of the call replace those of what was read. */
function toFields(
  { structuredContent }: JsonObject,
  text: string,
  written: JsonObject,
): readonly [string, string] | undefined {
  const read = isObject(structuredContent) ? structuredContent : parse(text);
  if (!isObject(read)) return undefined;
  const [only, ...more] = Object.values(read);
  const record = more.length === 0 && isObject(only) ? only : read;
  const [fields, ...others] = Object.values(written);
  const changed = others.length === 0 && isObject(fields) ? fields : written;
  if (!Object.keys(changed).some((key) => Object.hasOwn(record, key))) return undefined;
  return [toText(record), toText({ ...record, ...changed })];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toText(record: JsonObject): string {
  return `${JSON.stringify(record, undefined, 2)}\n`;
}
