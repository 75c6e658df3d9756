/**
 * Tools that call other tools by name (`call_tool {name, arguments}`, `batch {calls: […]}`): which tools
 * these are, and which calls are inside one of their calls.
 */
import type { Parameters } from './read-parameters.ts';
import { toKey } from './read-parameters.ts';
import type { Signal } from './reason.ts';
import { signal } from './reason.ts';
import { toSingular, toWords } from './to-words.ts';

type Json = Readonly<Record<string, unknown>>;

export interface InnerCall {
  readonly name: string;
  readonly args: Json;
}

const CALLS = new Set('call execute invoke run use dispatch batch exec perform proxy'.split(' '));
const NAME = /^(?:tool|tool_name|tool_id|name|function|function_name)$/;
const ARGUMENTS =
  /^(?:arguments|args|params|parameters|input|inputs|tool_(?:arguments|args|input|params|parameters))$/;
const SEVERAL = /^(?:calls|tools|tool_calls|requests|steps|operations|batch)$/;

/** It may do whatever the tools do that it calls. */
export function readMetaTool(name: string, { names }: Parameters): Signal | undefined {
  const words = toWords(name).map(toSingular);
  const speaks = words.includes('tool') && words.some((word) => CALLS.has(word));
  const keys = [...names];
  const calls = keys.some((key) => ARGUMENTS.test(key)) && keys.some((key) => NAME.test(key));
  const isMeta = speaks
    ? calls || keys.some((key) => SEVERAL.test(key))
    : calls && keys.some((key) => /^tool(?:_name|_id)?$/.test(key));
  if (!isMeta) return undefined;
  const text = 'it calls other tools by their names';
  return signal('delete', 0.8, { code: 'calls-tools', source: 'schema', text });
}

/** Nothing when anything in the arguments is not a call of another tool. */
export function findInnerCalls(args: Json): readonly InnerCall[] | undefined {
  const one = toInner(args);
  if (one !== undefined) return [one];
  const entries = Object.entries(args);
  const [first] = entries;
  if (entries.length !== 1 || first === undefined || !SEVERAL.test(toKey(first[0])))
    return undefined;
  const list: readonly unknown[] = Array.isArray(first[1]) ? first[1] : [];
  const inner = list.flatMap((part) => toInner(part) ?? []);
  return inner.length > 0 && inner.length === list.length ? inner : undefined;
}

function toInner(value: unknown): InnerCall | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const entries = Object.entries(value);
  const named = entries.filter(([key]) => NAME.test(toKey(key)));
  const given = entries.filter(([key]) => ARGUMENTS.test(toKey(key)));
  const [[, name] = []] = named;
  const [[, args] = []] = given;
  if (named.length !== 1 || given.length > 1 || entries.length > named.length + given.length)
    return undefined;
  if (typeof name !== 'string') return undefined;
  if (args === undefined) return { name, args: {} };
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return undefined;
  return { name, args: args as Json }; // JSON: its keys are strings
}
