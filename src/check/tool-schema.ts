/** The top-level parameters of a tool, each with its pointer and its schema. */
import type { Parameter, Parameters } from '../effect/infer/read-parameters.ts';
import { readParameters } from '../effect/infer/read-parameters.ts';
import type { ToolSubject } from './subject.ts';
import { toPointer } from '../gate/tools/drift-change.ts';

export interface ListedParameter {
  readonly name: string;
  readonly pointer: string;
  /** After following a local reference; empty for `true` and for anything that is not a schema. */
  readonly schema: JsonObject;
  /** Its own description or that of its parts; absent when it has none. */
  readonly description?: string;
}

/** The most parameters that are read. */
const MOST = 500;

export function listParameters(raw: unknown, pointer: string): readonly ListedParameter[] {
  const root = memberOf(raw, 'inputSchema');
  const properties = toJsonObject(memberOf(root, 'properties')) ?? {};
  return Object.entries(properties)
    .slice(0, MOST)
    .map(([name, value]) => {
      const own = toJsonObject(value) ?? {};
      const schema = follow(own, root);
      const description = [own, ...partsOf(own, root)].map(textOf).find((text) => text !== '');
      return {
        name,
        pointer: pointerInto(pointer, 'inputSchema', 'properties', name),
        schema,
        ...(description !== undefined && { description }),
      };
    });
}

/** One step only: a chain of references no longer counts as a description. */
function follow(schema: JsonObject, root: unknown): JsonObject {
  const reference = schema['$ref'];
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return schema;
  const path = reference
    .slice(2)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const target = toJsonObject(memberOf(root, ...path));
  return target === undefined ? schema : { ...target, ...schema };
}

/** What else can describe the parameter: its reference, its alternatives, the items of its list. */
function partsOf(schema: JsonObject, root: unknown): readonly JsonObject[] {
  const lists = ['anyOf', 'oneOf', 'allOf'].flatMap((key): readonly unknown[] => {
    const list = schema[key];
    return Array.isArray(list) ? list : [];
  });
  return [follow(schema, root), ...[...lists, schema['items']].map((part) => toPart(part, root))];
}

function toPart(part: unknown, root: unknown): JsonObject {
  return follow(toJsonObject(part) ?? {}, root);
}

function textOf(schema: JsonObject): string {
  const text = schema['description'];
  return typeof text === 'string' ? text.trim() : '';
}

/** The parameters of a tool, read once for all rules. */
const PARAMETERS = new WeakMap<ToolSubject, Parameters>();

export function parametersOf(tool: ToolSubject): readonly Parameter[] {
  let parameters = PARAMETERS.get(tool);
  if (parameters === undefined) {
    parameters = readParameters(memberOf(tool.raw, 'inputSchema'));
    PARAMETERS.set(tool, parameters);
  }
  return parameters.all;
}

/** The pointer of a top-level parameter; for any other, that of the schema. */
export function parameterPointer(tool: ToolSubject, { name, top }: Parameter): string {
  const schema = `${tool.pointer}/inputSchema`;
  const direct = memberOf(tool.raw, 'inputSchema', 'properties', name) !== undefined;
  return top && direct ? `${schema}${toPointer('properties', name)}` : schema;
}

/** Every schema inside a schema, with its pointer. Plain data such as examples is not entered. */
export interface SchemaPlace {
  readonly schema: JsonObject;
  readonly pointer: string;
}

const NAMED = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);
const LISTS = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems', 'items']);
const SINGLE = new Set(
  `items additionalProperties additionalItems not if then else contains propertyNames
  unevaluatedItems unevaluatedProperties contentSchema`.split(/\s+/),
);

/** Limits on the size of a schema that is walked. */
const MOST_NODES = 20_000;
const DEEPEST = 64;

export function walkSchema(root: unknown, pointer: string): readonly SchemaPlace[] {
  const found: SchemaPlace[] = [];
  const waiting: { readonly value: unknown; readonly pointer: string; readonly depth: number }[] = [
    { value: root, pointer, depth: 0 },
  ];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const schema = toJsonObject(next.value);
    if (schema === undefined || next.depth > DEEPEST) continue;
    const depth = next.depth + 1;
    found.push({ schema, pointer: next.pointer });
    if (found.length >= MOST_NODES) break;
    for (const [key, inner] of Object.entries(schema)) {
      const at = pointerInto(next.pointer, key);
      if (SINGLE.has(key)) waiting.push({ value: inner, pointer: at, depth });
      const isMap = NAMED.has(key) && toJsonObject(inner) !== undefined;
      if (!isMap && !(LISTS.has(key) && Array.isArray(inner))) continue;
      for (const [step, value] of Object.entries(inner as object))
        // both cases are objects
        waiting.push({ value, pointer: pointerInto(at, step), depth });
    }
  }
  return found;
}

/**
 * The length of a JSON value as text, and its depth. Not recursive, so that a value nested a million
 * levels deep is measured like any other.
 */
interface Measure {
  /** As written without spaces; escapes are not counted. */
  readonly characters: number;
  /** A bare value is 0 deep, `{}` and `[]` are 1. */
  readonly depth: number;
}

/** No honest definition has more parts; beyond it the answer is a lower bound. */
const MOST_PARTS = 1_000_000;

export function measureJson(value: unknown): Measure {
  let characters = 0;
  let deepest = 0;
  let parts = 0;
  const waiting: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    parts += 1;
    if (parts > MOST_PARTS) break;
    const { value: at, depth } = next;
    if (typeof at !== 'object' || at === null) {
      characters += lengthOf(at);
      continue;
    }
    deepest = Math.max(deepest, depth + 1);
    const isList = Array.isArray(at);
    const members = Object.entries(at);
    characters += 2 + Math.max(0, members.length - 1);
    for (const [key, inner] of members) {
      if (!isList) characters += key.length + 3;
      waiting.push({ value: inner, depth: depth + 1 });
    }
  }
  return { characters, depth: deepest };
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' ? value.length + 2 : String(value).length;
}

/** The own member of a JSON value, whatever the value is. */
export function memberOf(value: unknown, ...path: readonly string[]): unknown {
  let at = value;
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Readonly<Record<string, unknown>>)[key]; // a JSON object has string keys only
  }
  return at;
}

/** A JSON pointer that extends another, with the steps escaped. */
export function pointerInto(base: string, ...steps: readonly string[]): string {
  return `${base}${toPointer(...steps)}`;
}

/** A JSON value as an object, if it is one. Lists and null are not. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function toJsonObject(value: unknown): JsonObject | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return value as JsonObject; // a JSON object has string keys only
}
