/** The two eras of the protocol: revisions, keys, codes, and what a request of 2026 says about itself. */
import type { JsonValue } from '../../lib/json-value.ts';
import { editFrame } from './edit-frame.ts';
import type { Frame, JsonObject, RpcId, RpcMessage } from './frame.ts';
import { isId, toError } from './frame.ts';
import { isObject } from './read-frame.ts';

/** The revision without a handshake: every request says who asks and what they can do. */
export const MODERN_VERSION = '2026-07-28';

/** The revisions that begin with `initialize`, newest first. */
export const LEGACY_VERSIONS: readonly [string, ...string[]] = Object.freeze([
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
]);

export const META: {
  readonly version: string;
  readonly capabilities: string;
  readonly client: string;
  readonly logLevel: string;
  readonly server: string;
  readonly subscription: string;
} = Object.freeze({
  version: 'io.modelcontextprotocol/protocolVersion',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  client: 'io.modelcontextprotocol/clientInfo',
  logLevel: 'io.modelcontextprotocol/logLevel',
  server: 'io.modelcontextprotocol/serverInfo',
  subscription: 'io.modelcontextprotocol/subscriptionId',
});

/** The keys that a request of 2026 carries and one of 2025 does not. */
export const ENVELOPE_KEYS: readonly string[] = Object.freeze([
  META.version,
  META.capabilities,
  META.client,
  META.logLevel,
]);

export const CODES: {
  readonly methodNotFound: number;
  readonly invalidParams: number;
  readonly internal: number;
  /** Of the 2025 revisions; 2026 says `invalidParams`. */
  readonly resourceNotFound: number;
  readonly headerMismatch: number;
  readonly unsupportedVersion: number;
} = Object.freeze({
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
  resourceNotFound: -32_002,
  headerMismatch: -32_020,
  unsupportedVersion: -32_022,
});

/** Requests whose answer may be a question, and which are then sent again with the answer. */
export const ASKING_METHODS: ReadonlySet<string> = new Set([
  'tools/call',
  'prompts/get',
  'resources/read',
]);

/** Requests whose results say in 2026 how long they hold. */
export const CACHEABLE_METHODS: ReadonlySet<string> = new Set([
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
]);

/** The answer to a request of a revision that is not spoken here. */
export function toUnsupportedVersion(id: RpcId, requested: JsonValue): Frame {
  const data = { supported: [MODERN_VERSION], requested };
  return toError(id, CODES.unsupportedVersion, 'Unsupported protocol version', data);
}

/** To which era a client's message belongs; only one of 2026 names a revision, whichever it is. */
type Era = 'modern' | 'legacy';

export function eraOf({ params }: RpcMessage): Era {
  return Object.hasOwn(readMeta(params), META.version) ? 'modern' : 'legacy';
}

/** The envelope: what a request of 2026 says about its client in `params._meta`. Pure. */
export interface Envelope {
  readonly version: JsonValue | undefined;
  readonly capabilities: JsonObject;
  readonly clientInfo: JsonObject | undefined;
  readonly logLevel: string | undefined;
  readonly progressToken: RpcId | undefined;
}

export function readEnvelope({ params }: RpcMessage): Envelope {
  const meta = readMeta(params);
  const capabilities = meta[META.capabilities];
  const clientInfo = meta[META.client];
  const logLevel = meta[META.logLevel];
  const token = meta['progressToken'];
  return Object.freeze({
    version: meta[META.version],
    capabilities: isObject(capabilities) ? capabilities : {},
    clientInfo: isObject(clientInfo) ? clientInfo : undefined,
    logLevel: typeof logLevel === 'string' ? logLevel : undefined,
    progressToken: isId(token) ? token : undefined,
  });
}

/** Leaves the progress token, trace context and whatever else is not the envelope. */
export function stripEnvelope(frame: Frame): Frame {
  const entries = Object.entries(readMeta(frame.message.params));
  const kept = entries.filter(([key]) => !ENVELOPE_KEYS.includes(key));
  if (kept.length === entries.length) return frame;
  const path = ['params', '_meta'] as const;
  if (kept.length === 0) return editFrame(frame, [{ kind: 'remove', path }]);
  return editFrame(frame, [{ kind: 'set', path, value: Object.fromEntries(kept) }]);
}

export function addEnvelope(frame: Frame, envelope: JsonObject): Frame {
  const value = { ...readMeta(frame.message.params), ...envelope };
  return editFrame(frame, [{ kind: 'set', path: ['params', '_meta'], value }]);
}

export function readMeta(holder: JsonValue | undefined): JsonObject {
  const meta = isObject(holder) ? holder['_meta'] : undefined;
  return isObject(meta) ? meta : {};
}

/** Which parameter `Mcp-Name` repeats. */
const NAMED_BY: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

/** Revisions are dates, so they compare as text. */
export function isModernVersion(version: string | undefined): boolean {
  return version !== undefined && version >= MODERN_VERSION;
}

export function isNamed({ method }: RpcMessage): boolean {
  return method !== undefined && NAMED_BY.has(method);
}

export function nameOf({ method, params }: RpcMessage): string | undefined {
  const field = method === undefined ? undefined : NAMED_BY.get(method);
  const name = field === undefined ? undefined : params?.[field];
  return typeof name === 'string' ? name : undefined;
}
