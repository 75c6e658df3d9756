/** The servers that share one gate, as `plimsoll wrap --together` leaves them among the user's own files. Pure. */
import type { JsonValue } from '../../lib/json-value.ts';
import { parseStrictJson } from '../../lib/strict-json.ts';

export interface TogetherServer {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Names that are its own, whatever other servers list. */
  readonly tools: readonly string[];
}

const LIMITS = { bytes: 64 * 1024 * 1024 };

export function toTogetherText(servers: readonly TogetherServer[]): string {
  return `${JSON.stringify({ version: 1, servers }, null, 2)}\n`;
}

/** Undefined for anything that wrap has not written. */
export function readTogether(text: string): readonly TogetherServer[] | undefined {
  const json = parseStrictJson(text, LIMITS);
  if (json.kind === 'refused' || !isObject(json.value)) return undefined;
  const { version, servers } = json.value;
  return version === 1 && Array.isArray(servers) && servers.every(isServer) ? servers : undefined;
}

function isServer(value: JsonValue): value is JsonValue & TogetherServer {
  if (!isObject(value)) return false;
  const { name, command, args, env, tools } = value;
  return (
    typeof name === 'string' &&
    typeof command === 'string' &&
    isTexts(args) &&
    isTexts(tools) &&
    isObject(env) &&
    isTexts(Object.values(env))
  );
}

function isObject(value: JsonValue | undefined): value is Readonly<Record<string, JsonValue>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
