/**
 * Where a server takes an idempotency key, told from its tool's definition or by whoever runs the
 * gate. It tells where a key goes, not that the server does anything once for it.
 */
import { DEEPEST_VARIATION } from '../../effect/effect.ts';
import { CALL_META_KEYS, META_KEYS } from '../../effect/meta-keys.ts';
import { propertiesOf } from '../../effect/schema.ts';
import { isObject } from '../protocol/read-frame.ts';

export type KeySlot =
  | { readonly kind: 'argument'; readonly name: string }
  | { readonly kind: 'meta'; readonly name: string }
  | { readonly kind: 'header'; readonly name: string };

export interface ConfiguredSlot {
  readonly header?: string;
  readonly argument?: string;
  readonly meta?: boolean;
}

interface KeyedTool {
  readonly inputSchema?: unknown;
  readonly _meta?: unknown;
}

const NAMES = ['idempotency_key', 'idempotencyKey', 'client_token', 'clientToken'];

/** Often only a name for the logs: a key when its description says so. */
const DOUBTFUL_NAMES = ['request_id', 'requestId', 'client_request_id', 'clientRequestId'];
const SPEAKS_OF_KEYS = /idempoten|de-?dup|retr(y|ies|ied)|exactly once|at most once/i;

const META_SLOT: KeySlot = Object.freeze({
  kind: 'meta',
  name: CALL_META_KEYS.idempotencyKey.key,
});

export function findKeySlot(tool: KeyedTool, configured?: ConfiguredSlot): KeySlot | undefined {
  const { header, argument, meta } = configured ?? {};
  if (header !== undefined) return { kind: 'header', name: header.toLowerCase() };
  if (argument !== undefined) return { kind: 'argument', name: argument };
  // Before the arguments, since those stay as the caller wrote them then.
  if (meta === true || takesMeta(tool._meta)) return META_SLOT;
  const name = findArgument(tool.inputSchema);
  return name === undefined ? undefined : { kind: 'argument', name };
}

function takesMeta(meta: unknown): boolean {
  if (!isObject(meta)) return false;
  return Object.hasOwn(meta, META_SLOT.name) || isKeyed(meta[META_KEYS.effect.key]);
}

function isKeyed(effect: unknown, depth = 0): boolean {
  if (!isObject(effect) || depth > DEEPEST_VARIATION) return false;
  const { repeat, varies } = effect;
  if (isObject(repeat) && repeat['kind'] === 'key') return true;
  if (!Array.isArray(varies)) return false;
  return varies.some((each) => isObject(each) && isKeyed(each['effect'], depth + 1));
}

function findArgument(schema: unknown): string | undefined {
  if (!isObject(schema)) return undefined;
  const properties = propertiesOf(schema);
  const takesText = (name: string): boolean =>
    Object.hasOwn(properties, name) && isText(properties[name]);
  return (
    NAMES.find(takesText) ??
    DOUBTFUL_NAMES.find((name) => takesText(name) && speaksOfKeys(properties[name]))
  );
}

function isText(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  const { type = 'string' } = schema;
  return type === 'string' || (Array.isArray(type) && type.includes('string'));
}

function speaksOfKeys(schema: unknown): boolean {
  const description = isObject(schema) ? schema['description'] : undefined;
  return typeof description === 'string' && SPEAKS_OF_KEYS.test(description);
}
