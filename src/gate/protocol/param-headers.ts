/**
 * `Mcp-Param-*`: arguments that a tool's schema wants repeated in headers. Only properties that can be
 * reached by name alone are looked at.
 */
import type { JsonObject } from './frame.ts';
import { isObject } from './read-frame.ts';

interface Mirror {
  /** In lower case. */
  readonly header: string;
  readonly path: readonly string[];
}

type Headers = Readonly<Record<string, string>>;

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const DEPTH_LIMIT = 32;
const known = new WeakMap<object, readonly Mirror[]>();

export function toParamHeaders(schema: JsonObject, args: unknown): Headers {
  const headers: Record<string, string> = {};
  for (const { header, path } of mirrorsOf(schema)) {
    const text = toText(path.reduce(step, args));
    if (text !== undefined) headers[header] = toHeaderText(text);
  }
  return headers;
}

/** The first header that says something else than the arguments. */
export function findFalseHeader(
  schema: JsonObject,
  args: unknown,
  headers: Headers,
): string | undefined {
  return mirrorsOf(schema).find(({ header, path }) => {
    const told = headers[header];
    return told !== undefined && fromHeaderText(told) !== toText(path.reduce(step, args));
  })?.header;
}

function mirrorsOf(schema: JsonObject): readonly Mirror[] {
  let mirrors = known.get(schema);
  if (mirrors === undefined) {
    mirrors = findMirrors(schema, []);
    known.set(schema, mirrors);
  }
  return mirrors;
}

function findMirrors(schema: JsonObject, path: readonly string[]): Mirror[] {
  const { properties } = schema;
  if (!isObject(properties) || path.length >= DEPTH_LIMIT) return [];
  return Object.entries(properties).flatMap(([name, property]) => {
    if (!isObject(property)) return [];
    const own = [...path, name];
    const header = property['x-mcp-header'];
    const isMirrored = typeof header === 'string' && TOKEN.test(header);
    const mirror = isMirrored ? [{ header: `mcp-param-${header.toLowerCase()}`, path: own }] : [];
    return [...mirror, ...findMirrors(property, own)];
  });
}

function step(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Nothing for what has no single spelling. */
function toText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value);
}

const START = '=?base64?';
const END = '?=';
const PLAIN = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Text in a header field: plain where it can be, else as base64 between the protocol's marks. */
export function toHeaderText(text: string): string {
  if (text === '' || (PLAIN.test(text) && !isMarked(text))) return text;
  return START + Buffer.from(text).toString('base64') + END;
}

/** `undefined` when the marks are there and what stands between them is not what they promise. */
export function fromHeaderText(value: string): string | undefined {
  if (!isMarked(value)) return value;
  const inner = value.slice(START.length, -END.length);
  if (!BASE64.test(inner)) return undefined;
  const bytes = Buffer.from(inner, 'base64');
  const text = bytes.toString('utf8');
  return Buffer.from(text).equals(bytes) ? text : undefined;
}

function isMarked(value: string): boolean {
  return (
    value.length >= START.length + END.length && value.startsWith(START) && value.endsWith(END)
  );
}
