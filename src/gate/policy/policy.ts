/**
 * A policy: what may run, what is asked about and under which terms. Frozen plain data that can be
 * recorded and replayed. Made by `read-policy.ts` and `to-policy.ts`; judged by `decide.ts`.
 */
import { createHash } from 'node:crypto';
import type { TellingConvention } from '../../effect/conventions/telling-conventions.ts';
import type { Mode } from '../../effect/effect.ts';
import type { ArgumentPolicy } from '../../ledger/receipts/append-receipts.ts';
import { toCanonicalJson } from '../../lib/canonical-json.ts';
import type { JsonValue } from '../../lib/json-value.ts';
import type { AskingTerms, Budget, Match, Rule } from './verdict.ts';
import { DEFAULT_ASKING } from './verdict.ts';

export interface Policy {
  /** SHA-256 of everything else here, in hex; approvals and records name it. */
  readonly version: string;
  /** Of servers for which nothing else is said. */
  readonly mode: Mode;
  /** In order; the default rules come after them. */
  readonly rules: readonly Rule[];
  readonly asking: AskingTerms;
  readonly headless: Headless;
  readonly budgets: readonly MatchedBudget[];
  readonly caches: readonly CacheTerm[];
  readonly webhook?: Webhook;
  readonly servers: Readonly<Record<string, ServerTerms>>;
  readonly retries: Retries;
  /** For how long an equal spend counts as a repeat; zero: never. */
  readonly duplicateMinutes: number;
  /** Whether a write of which its server says nothing asks until a person has said a lasting yes. */
  readonly firstUse: 'ask' | 'allow';
  /** The hints that clients see: the server's, raised where the gate knows of graver ones, or those of pins. */
  readonly hints: 'pass' | 'raise' | 'pinned';
  /** How much of the arguments of a call is stored beside its receipt. */
  readonly keepArguments: ArgumentPolicy;
  /** Whether the first question starts a console in the background. */
  readonly console: 'on-demand' | 'off';
  /** Whether a question shows a notification on the desktop. */
  readonly notify: boolean;
  /** Methods outside of the protocol that may pass in live mode. `*` stands for any run of characters. */
  readonly methods: readonly string[];
}

/** `no`: people can be asked. `pend`: the call waits, nobody is told. `refuse`: what asks is denied. */
export type Headless = 'no' | 'pend' | 'refuse';

interface MatchedBudget extends Budget {
  /** Which calls draw on it; absent: every call. */
  readonly match?: Match;
}

/** Results that may be kept for a while; holds only for tiers that look and change nothing. */
interface CacheTerm {
  readonly server?: readonly string[];
  readonly tool: readonly string[];
  readonly seconds: number;
}

export interface Webhook {
  readonly url: string;
  /** The environment variable with the signing secret, which never stands in the file. */
  readonly secretEnv: string;
}

/** What the operator says of a server. A server says nothing of this about itself. */
export interface ServerTerms {
  readonly trusted?: boolean;
  readonly mode?: Mode;
  /** Its hints are those of this convention, and tell a tier. */
  readonly convention?: TellingConvention;
  readonly retries?: RetryChoice;
}

/**
 * Who says what may be sent again when its answer was lost. `by-effect`: the gate, and never a call of a
 * tier that asks unless its key makes it safe. `by-hint`: a trusted server with its `idempotentHint`, for
 * every tier.
 */
export type RetryChoice = 'by-effect' | 'by-hint';

export interface Retries {
  /** The first one counts. */
  readonly attempts: number;
  readonly baseMs: number;
  readonly capMs: number;
}

/** What the policy says of one server, with what holds when it says nothing. */
export function serverTerms(
  policy: Policy,
  server: string,
): ServerTerms & Required<Pick<ServerTerms, 'trusted' | 'mode' | 'retries'>> {
  const said = Object.hasOwn(policy.servers, server) ? policy.servers[server] : undefined;
  const { trusted = false, mode = policy.mode, retries = 'by-effect' } = said ?? {};
  return { ...said, trusted, mode, retries };
}

/** Throws TypeError for what JSON cannot say. */
export function toVersioned(fields: Omit<Policy, 'version'>): Policy {
  const canonical = toCanonicalJson(fields as unknown as JsonValue); // plain data by its type
  const version = createHash('sha256').update(canonical).digest('hex');
  return freeze({ version, ...fields });
}

function freeze<T extends object>(value: T): T {
  for (const inner of Object.values(value)) {
    if (typeof inner === 'object' && inner !== null && !Object.isFrozen(inner)) freeze(inner);
  }
  return Object.freeze(value);
}

/** What holds when nothing was written: the default rules in live mode. Equal to an empty policy file. */
export const DEFAULT_POLICY: Policy = toVersioned({
  mode: 'live',
  rules: [],
  asking: DEFAULT_ASKING,
  headless: 'no',
  budgets: [],
  caches: [],
  servers: {},
  retries: { attempts: 3, baseMs: 100, capMs: 20_000 },
  duplicateMinutes: 10,
  firstUse: 'ask',
  hints: 'pass',
  keepArguments: 'digest',
  console: 'on-demand',
  notify: true,
  methods: [],
});

/** What can never be right in a policy, and where it stands. */
export interface PolicyFault {
  readonly code: PolicyFaultCode;
  /** `rules[2].when`; empty for the whole. */
  readonly path: string;
  /** One sentence for whoever wrote it. */
  readonly detail: string;
  /** Both from 1; absent when the policy was not read from text. */
  readonly line?: number;
  readonly column?: number;
  readonly file?: string;
}

export type PolicyFaultCode =
  | 'malformed-yaml'
  | 'unknown-key'
  | 'missing'
  | 'wrong-value'
  | 'condition'
  | 'name-taken'
  | 'out-of-place';

/** `policy.yaml:3:9: rules[0].then must be …`, the form that editors jump to. */
export function describeFault({ file, line, column, path, detail }: PolicyFault): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(':');
  const about = path === '' ? detail : `${path}: ${detail}`;
  return place === '' ? about : `${place}: ${about}`;
}
