/**
 * An operation: what a server can do, declared once. The declaration half is pure data that conventions
 * and stamps read; the other half is the schemas and the function that does the work.
 */
import type {
  ContentBlock,
  InputRequiredResult,
  ServerContext,
} from '@modelcontextprotocol/server';
import type { Effect } from './effect.ts';
import type { Partner } from './partner.ts';
import type { JsonSchema, Schema } from './schema.ts';

export interface Declaration {
  /** The tool name and the operation id are the same. */
  readonly name: string;
  /** What people see in place of the name. */
  readonly title: string;
  readonly effect: Effect;
  /** All of them are required. */
  readonly scopes: readonly string[];
  /** Kinds of things that a call creates. */
  readonly produces: readonly string[];
}

export interface Icon {
  readonly src: string;
  readonly mimeType?: string;
  readonly sizes?: readonly string[];
  readonly theme?: 'light' | 'dark';
}

/** Who makes a call, as established by the server's verifier. */
export interface Principal {
  readonly id: string;
  readonly tenant?: string;
  readonly scopes: readonly string[];
  /** Seconds since 1970; the principal counts as expired from then on. */
  readonly expiresAt?: number;
}

/** What `run` is told about the call it serves. */
export interface Call {
  /** Absent when the caller is anonymous, which only operations without scopes allow. */
  readonly principal?: Principal;
  /** Aborted when the caller stops waiting. */
  readonly signal: AbortSignal;
  /** Reports progress to a waiting caller; does nothing when nobody listens. */
  readonly progress: (done: number, total?: number, message?: string) => Promise<void>;
  /**
   * The key to pass to a partner that deduplicates: the same for every retry of this call. Absent when
   * the caller sent no key and none was required.
   */
  readonly key?: string;
  /**
   * Notes money that the call has moved, for its receipt. Several notes add up, in one unit. Without a unit it is
   * that of the effect.
   */
  readonly moved: (amount: number, unit?: string) => void;
  /** One-time secrets; present on servers with a ledger. */
  readonly secrets?: SecretIssuer;
  /** The ledger's own transaction, for operations whose partner is `local`. */
  readonly transaction?: LocalTransaction;
  /** The protocol's own context, when the call came over MCP. */
  readonly mcp?: ServerContext;
}

/** What a `local` operation may write in the same transaction as its key record. */
export interface LocalTransaction {
  /**
   * Runs one statement. Parameters are `?`, whatever the database; PostgreSQL's operators with a
   * question mark are written with two. A statement that fails has no effect, and more may follow.
   */
  execute(
    sql: string,
    parameters?: readonly unknown[],
  ): Promise<readonly Record<string, unknown>[]>;
}

export interface SecretIssuer {
  /** Makes a secret that can be redeemed once; only its digest is stored. */
  mint(init: SecretInit): Promise<IssuedSecret>;
  /** Redeems a secret, once; any failure returns `undefined`, whatever the reason. */
  redeem(text: string): Promise<{ readonly id: string; readonly subject: string } | undefined>;
  /** Revokes a secret by its public id. */
  revoke(id: string): Promise<boolean>;
}

export interface SecretInit {
  /** The kind of secret, visible to anyone who finds one: `share`, `key`. */
  readonly prefix: string;
  /** What it opens, in the issuer's words. */
  readonly subject: string;
  readonly ttlSeconds: number;
}

export interface IssuedSecret {
  /** Public: identifies the secret without revealing it. */
  readonly id: string;
  readonly secret: { reveal(): string };
  readonly expiresAt: Date;
}

/** Tells a reply from data that looks like one. Registered, so that two copies of the package agree. */
const REPLY: unique symbol = Symbol.for('plimsoll.reply') as never;

/** An answer with more than data: pictures, sound, links. Made by `reply()`. */
export interface Reply<Output = unknown> {
  readonly [REPLY]: true;
  readonly kind: 'reply';
  readonly content: readonly ContentBlock[];
  readonly value?: Output;
}

/** What `run` may return; a refusal is thrown as a problem. */
export type Answer<Output> = Output | Reply<Output> | InputRequiredResult;

export interface Operation extends Declaration {
  readonly description: string;
  readonly input: Schema;
  readonly output?: Schema;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly icons?: readonly Icon[];
  readonly partner: Partner;
  /** The kit added the key argument; it is not in the input schema. */
  readonly addsKeyArgument: boolean;
  /** Which stored states hold for this input, where the effect depends on some. */
  readonly states?: (input: never, principal: Principal | undefined) => unknown;
  /** Called with validated input; returns an `Answer`, or a promise of one. */
  readonly run: (input: never, call: Call) => unknown;
}

export function reply<Output = never>(
  content: readonly ContentBlock[],
  value?: Output,
): Reply<Output> {
  return Object.freeze({
    [REPLY]: true as const,
    kind: 'reply',
    content,
    ...(value !== undefined && { value }),
  });
}

export function isReply(answer: unknown): answer is Reply {
  return typeof answer === 'object' && answer !== null && REPLY in answer;
}

const SCOPE = /^[\w.-]+(?::[\w.-]+)?$/;

/** Whether this can be required: a scope without wildcards. */
export function isScope(value: string): boolean {
  return SCOPE.test(value);
}

/** The required scopes that are not held; an empty list means yes. */
export function missingScopes(
  required: readonly string[],
  held: readonly string[],
): readonly string[] {
  return required.filter((scope) => !held.some((grant) => covers(grant, scope)));
}

function covers(grant: string, scope: string): boolean {
  if (grant === '*' || grant === scope) return true;
  const [resource, action] = scope.split(':');
  if (action === undefined) return false;
  return grant === `${resource}:*` || grant === `*:${action}`;
}
