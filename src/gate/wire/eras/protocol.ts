/** The words of the two eras of the protocol that the translators need: revisions, keys, codes. */

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
  readonly unsupportedVersion: number;
} = Object.freeze({
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
  resourceNotFound: -32_002,
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
