/** What one yes is bound to: a call by a caller, as digests and names. Any difference makes it another call. */
import { createHash } from 'node:crypto';
import type { Mode } from '../../effect/effect.ts';
import type { Tier } from '../../effect/tier.ts';
import { toCanonicalJson } from '../../lib/canonical-json.ts';
import type { JsonValue } from '../../lib/json-value.ts';
import { parseStrictJson, RawNumber } from '../../lib/strict-json.ts';

/**
 * What one yes is bound to: a call by a caller, as digests and names. Any difference makes it another
 * call, which nobody has said yes to.
 */
export interface Binding {
  /** Empty when the caller belongs to none. */
  readonly tenant: string;
  readonly principal: string;
  readonly session: string;
  readonly server: string;
  readonly tool: string;
  readonly tier: Tier;
  readonly mode: Mode;
  /** Digest of the tool's definition, and of where its server is. */
  readonly definition: string;
  /** Digest of the canonical arguments, and of what the call has beside them. */
  readonly arguments: string;
  /** The version of the policy that asked. */
  readonly policy: string;
}

const FIELDS = [
  'tenant',
  'principal',
  'session',
  'server',
  'tool',
  'tier',
  'mode',
  'definition',
  'arguments',
  'policy',
] as const satisfies readonly (keyof Binding)[];

/** The fields of a binding and nothing else, whatever the value has besides. */
export function toBinding(value: Binding): Binding {
  return Object.freeze({
    tenant: value.tenant,
    principal: value.principal,
    session: value.session,
    server: value.server,
    tool: value.tool,
    tier: value.tier,
    mode: value.mode,
    definition: value.definition,
    arguments: value.arguments,
    policy: value.policy,
  });
}

/** The first field in which two bindings differ. */
export function findDifference(left: Binding, right: Binding): keyof Binding | undefined {
  return FIELDS.find((field) => left[field] !== right[field]);
}

/** The same tool of another server is another one, also where both servers bear the same name. */
export function toBoundDefinition(definition: string, address: string): string {
  return address === ''
    ? definition
    : createHash('sha256').update(`${definition} ${address}`).digest('hex');
}

/**
 * Over the canonical form: another order of keys, spacing or escaping is the same call. `besides` is what
 * else the call carries; a line end parts them, since there is none in a canonical text.
 */
export function digestArguments(text: string | Uint8Array, besides = ''): string {
  const hash = createHash('sha256').update(
    canonicalArguments(typeof text === 'string' ? text : Buffer.from(text).toString('utf8')),
  );
  return (besides === '' ? hash : hash.update(`\n${besides}`)).digest('hex');
}

/**
 * RFC 8785, except that each number keeps its exact text: a server may tell `1.0` from `1`, and digits that
 * a double loses. What parsers could read differently stays as it is, and is equal only to itself.
 */
export function canonicalArguments(text: string): string {
  if (parseStrictJson(text, LIMITS).kind === 'refused') return text;
  return toCanonicalJson(JSON.parse(text, keepNumber) as JsonValue);
}

/** As deep as the canonical form goes; how large a message may be is decided where it is read. */
const LIMITS = { depth: 500, bytes: Number.MAX_SAFE_INTEGER, unsafeNumbers: 'keep' } as const;

/** ES2026 passes the text of a primitive value as the third argument. */
function keepNumber(_: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source;
  return typeof value === 'number' && source !== undefined ? new RawNumber(source) : value;
}
