/** The headers of one POST that depend on its message and on who sent it. */
import { nameOf } from '../protocol/envelope.ts';
import type { Frame, JsonObject } from '../protocol/frame.ts';
import { toHeaderText } from '../protocol/header-text.ts';
import { isObject } from '../protocol/read-frame.ts';

type ToolOf = (name: string) => { readonly inputSchema: JsonObject } | undefined;

export function toPostHeaders(
  frame: Frame,
  isModern: boolean,
  toolOf: ToolOf | undefined,
): Readonly<Record<string, string>> {
  const { message, caller } = frame;
  const given = caller?.headers ?? {};
  if (!isModern || message.method === undefined) return given;
  const name = nameOf(message);
  return {
    ...mirrored(frame, toolOf),
    ...given,
    'mcp-method': message.method,
    ...(name !== undefined && { 'mcp-name': toHeaderText(name) }),
  };
}

/** A caller that came with headers of its own has mirrored its arguments; what it left out stays out. */
function mirrored({ message, caller }: Frame, toolOf: ToolOf | undefined): Record<string, string> {
  if (toolOf === undefined || message.method !== 'tools/call') return {};
  if (caller?.headers !== undefined && 'mcp-method' in caller.headers) return {};
  const name = nameOf(message);
  const tool = name === undefined ? undefined : toolOf(name);
  return tool === undefined ? {} : toParamHeaders(tool.inputSchema, message.params?.['arguments']);
}

/**
 * `Mcp-Param-*`: arguments that a tool's schema wants repeated in headers. Made here for callers that
 * have no headers; only properties that can be reached by name alone are looked at.
 */
interface Mirror {
  readonly header: string;
  readonly path: readonly string[];
}

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const DEPTH_LIMIT = 32;
const known = new WeakMap<object, readonly Mirror[]>();

function toParamHeaders(schema: JsonObject, args: unknown): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { header, path } of mirrorsOf(schema)) {
    const text = toText(path.reduce(step, args));
    if (text !== undefined) headers[header] = toHeaderText(text);
  }
  return headers;
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
