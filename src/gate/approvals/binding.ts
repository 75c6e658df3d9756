/** What one yes is bound to: a call by a caller, as digests and names. Any difference makes it another call. */
import { createHash } from 'node:crypto';
import type { Mode } from '../../effect/effect.ts';
import type { Tier } from '../../effect/tier.ts';

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
  /** Digest of the exact argument bytes, and of what the call has beside them. */
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

/**
 * Over the text as it came, so that equal values in another spelling are another call. `besides` is what
 * else the call carries; a line end parts them, since there is none in a message.
 */
export function digestArguments(text: string | Uint8Array, besides = ''): string {
  const hash = createHash('sha256').update(text);
  return (besides === '' ? hash : hash.update(`\n${besides}`)).digest('hex');
}
