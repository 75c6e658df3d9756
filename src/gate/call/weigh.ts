/**
 * Decides what becomes of an identified call: refused as it stands, answered from what is stored, asked
 * about, or allowed. Reads the policy and the ledger; changes nothing.
 */
import { hash } from 'node:crypto';
import { someTier } from '../../effect/effect.ts';
import { TIERS } from '../../effect/tier.ts';
import type { HeldKey, KeyRecord } from '../../ledger/idempotency/key-record.ts';
import { isElsewhere, toHeld } from '../../ledger/idempotency/key-record.ts';
import type { KeyScope } from '../../ledger/idempotency/key-record-id.ts';
import { toKeyRecordId } from '../../ledger/idempotency/key-record-id.ts';
import type { DecodedOutcome } from '../../ledger/idempotency/outcome.ts';
import { decodeOutcome } from '../../ledger/idempotency/outcome.ts';
import { toCanonicalJson } from '../../lib/canonical-json.ts';
import type { JsonValue } from '../../lib/json-value.ts';
import type { Problem } from '../../lib/problem.ts';
import { toProblem } from '../../lib/problem.ts';
import { SECRET_MARK } from '../../lib/secret.ts';
import { digestArguments } from '../approvals/binding.ts';
import type { GateContext } from '../gate-services.ts';
import { decide } from '../policy/decide.ts';
import type { Allow, Ask } from '../policy/verdict.ts';
import { readOwnState, toBesides } from './own-state.ts';
import type { CacheKey } from './read-cache.ts';
import type { GateCall, CallerKey } from './read-call.ts';
import { argumentsTextOf, toFacts, readCallerKey } from './read-call.ts';

export type Weighed =
  | { readonly kind: 'refused'; readonly rule: string; readonly problem: Problem }
  | {
      readonly kind: 'replay';
      readonly rule: string;
      readonly outcome: DecodedOutcome;
      readonly held: HeldKey;
    }
  | { readonly kind: 'cached'; readonly rule: string; readonly result: Uint8Array }
  | { readonly kind: 'allow'; readonly verdict: Allow; readonly intent: Intent }
  | { readonly kind: 'ask'; readonly verdict: Ask; readonly intent: Intent };

/** Which calls count as one. */
export interface Intent {
  readonly key: CallerKey & { readonly kind: 'none' | 'key' };
  readonly fingerprint: string;
  /** Whether an equal call under another key stops this one, and for how long. Zero: never. */
  readonly duplicateMs: number;
  /** An interrupted equal call whose key the server remembers: this call takes it over. */
  readonly resumes?: string;
}

/** The verdict on a call that neither a ledger nor a cache has a say in; `undefined` for any other. */
export function weighPlain(call: GateCall, { server, services }: GateContext): Weighed | undefined {
  if (!TIERS[call.effect.tier].readsOnly) return undefined;
  const verdict = decide(services.policy, toFacts(call, server, false));
  const isPlain =
    verdict.kind === 'allow' &&
    verdict.terms.budgets.length === 0 &&
    verdict.terms.cacheSeconds === 0;
  return isPlain ? { kind: 'allow', verdict, intent: NO_INTENT } : undefined;
}

const NO_INTENT: Intent = Object.freeze({
  key: Object.freeze({ kind: 'none' }),
  fingerprint: '',
  duplicateMs: 0,
});

/** `isAlike`: admission has just found an equal call. */
export async function weighCall(
  call: GateCall,
  context: GateContext,
  isAlike: boolean,
): Promise<Weighed> {
  const { server, services } = context;
  const marked = TIERS[call.effect.tier].readsOnly ? [] : findMarkers(call.args);
  if (marked.length > 0) {
    const errors = marked.map((pointer) => ({ pointer, detail: 'stands for a hidden secret' }));
    const detail = 'It would be written as if it were the value.';
    const problem = toProblem('redacted-argument', detail, { errors });
    return { kind: 'refused', rule: 'redacted-argument', problem };
  }
  const { _meta } = call.frame.message.params ?? {};
  const parts = { arguments: call.args, _meta, headers: call.caller.headers };
  const key = readCallerKey(parts, call.tool.slot);
  if (key.kind === 'refused')
    return { kind: 'refused', rule: 'idempotency-key', problem: key.problem };
  const intent = toIntent(call, key, context);
  if (!isAlike && isSearchedLater(call)) {
    const verdict = decide(services.policy, toFacts(call, server, false));
    if (verdict.kind === 'allow' && !verdict.terms.budgets.some(({ counts }) => counts === 'money'))
      return { kind: 'allow', verdict, intent };
  }
  const repeat = await findRepeat(call, intent, context);
  if (repeat.kind === 'open') {
    return { kind: 'refused', rule: 'duplicate-intent', problem: repeat.problem };
  }
  if (repeat.kind === 'replay') return { ...repeat, rule: 'duplicate-intent' };
  const isRepeat = repeat.kind === 'repeated';
  const verdict = decide(services.policy, toFacts(call, server, isRepeat));
  const meant: Intent = {
    ...intent,
    // Whoever says yes to a repeat has been told of the equal call before.
    ...(isRepeat && { duplicateMs: 0 }),
    ...(repeat.kind === 'resumes' && { resumes: repeat.keyRecord }),
  };
  if (verdict.kind === 'ask') return { kind: 'ask', verdict, intent: meant };
  if (verdict.kind === 'deny') {
    return {
      kind: 'refused',
      rule: verdict.rule,
      problem: toProblem(verdict.code, verdict.detail),
    };
  }
  const result =
    verdict.terms.cacheSeconds > 0 ? services.cache.find(toCacheKey(call, context)) : undefined;
  if (result !== undefined) return { kind: 'cached', rule: verdict.rule, result };
  return { kind: 'allow', verdict, intent: meant };
}

/**
 * Admission searches for an equal call in the transaction that takes the key record. Where nobody is
 * asked and nothing is priced before, one search is enough.
 */
function isSearchedLater({ effect }: GateCall): boolean {
  return TIERS[effect.tier].retries === 'same-key';
}

export function toKeyScope({ caller: { principal }, tool }: GateCall, server: string): KeyScope {
  return {
    tenant: principal.tenant ?? '',
    principal: principal.id,
    operation: `${server}/${tool.name}`,
  };
}

export function toCacheKey(call: GateCall, { server, services }: GateContext): CacheKey {
  const { id, tenant = '' } = call.caller.principal;
  return {
    principal: id,
    tenant,
    server: server.name,
    definition: call.tool.hash,
    arguments: digestArguments(argumentsTextOf(call), toBesides(call, { server, services })),
  };
}

function toIntent(call: GateCall, key: Intent['key'], context: GateContext): Intent {
  const { server, services } = context;
  const { tool, args, caller, effect } = call;
  const { principal } = caller;
  const intention = [principal.tenant ?? '', principal.id, server.name, tool.name, args] as const;
  const fingerprint = hash('sha256', toCanonicalJson(intention), 'hex');
  // Whoever brings a key says which calls are one, if the server hears of it; otherwise a fresh key on
  // each call would switch the check off. Whoever goes on with a call repeats nothing.
  const isChecked =
    someTier(effect, ({ retries }) => retries === 'same-key') &&
    (key.kind === 'none' || tool.slot === undefined) &&
    readOwnState(call, context) === undefined;
  return {
    key,
    fingerprint,
    duplicateMs: isChecked ? services.policy.duplicateMinutes * MINUTE : 0,
  };
}

const MINUTE = 60_000;

type Repeat =
  | { readonly kind: 'new' }
  | { readonly kind: 'repeated' }
  | { readonly kind: 'resumes'; readonly keyRecord: string }
  | {
      readonly kind: 'replay';
      readonly outcome: DecodedOutcome;
      readonly held: HeldKey;
    }
  | { readonly kind: 'open'; readonly problem: Problem };

/** Whether an equal call that costs was made a short while ago, and how that one stands. */
async function findRepeat(
  call: GateCall,
  { key, fingerprint, duplicateMs }: Intent,
  { server, services }: GateContext,
): Promise<Repeat> {
  if (duplicateMs === 0) return { kind: 'new' };
  const { ledger } = services;
  const scope = toKeyScope(call, server.name);
  const equal = { ...scope, fingerprint };
  if (key.kind === 'key') {
    // What became of the call with this very key is for its key record to say.
    const id = toKeyRecordId(scope, key.key);
    const own = await ledger.store.transaction((tx) => tx.find('key_records', { id }));
    if (own !== undefined) return { kind: 'new' };
  }
  const found = await ledger.keyRecords.findDuplicate(equal, duplicateMs);
  if (found === undefined) return { kind: 'new' };
  // What another server of this name did is not for this one to answer with; a person is told of it.
  if (isElsewhere(found, server.address)) return { kind: 'repeated' };
  return toRepeat(found, ledger.wasDelivered(found), services.now());
}

function toRepeat(record: KeyRecord, wasDelivered: boolean, now: number): Repeat {
  switch (record.state) {
    case 'CLAIMED':
    case 'DISPATCHED': {
      // Nobody works on it any more, and the server runs one key once.
      const isLeft = record.lease_until <= now && record.effect_class === 'dedup';
      if (isLeft) return { kind: 'resumes', keyRecord: record.id };
      const detail = 'The same call is already in progress.';
      return { kind: 'open', problem: toProblem('in-flight', detail, { retryAfter: 2 }) };
    }
    case 'UNKNOWN': {
      const detail = 'The same call was made a short while ago and may have taken effect.';
      return {
        kind: 'open',
        problem: toProblem('outcome-unknown', detail, { reference: record.id }),
      };
    }
    case 'SUCCEEDED': {
      if (wasDelivered) return { kind: 'repeated' };
      const outcome = decodeOutcome(record.outcome);
      return { kind: 'replay', outcome, held: toHeld(record, false) };
    }
    case 'FAILED_FINAL':
    case 'TOMBSTONE':
      return { kind: 'new' };
  }
}

/** Names which secret it stands for. No bracket inside, so that one look at each is enough. */
const NAMED_MARK = /\[secret:[^[\]]{0,128}\]/;

/** Of others, which may well be written about: only as the whole value. */
const THEIRS = /^(\[(redacted|filtered)\]|<redacted>|\*{3}redacted\*{3}|\*{3,}|•{3,})$/i;

/** JSON pointers into the arguments, in the order of the text. */
export function findMarkers(args: JsonValue): readonly string[] {
  const found: string[] = [];
  search(args, [], found);
  return Object.freeze(found);
}

/** Recursion is safe, since what a client sends has a bounded depth; pointers are made for finds only. */
function search(value: JsonValue, path: (string | number)[], found: string[]): void {
  if (typeof value === 'string') {
    if (isMarker(value)) found.push(path.map((name) => `/${escape(String(name))}`).join(''));
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const keys = Array.isArray(value) ? undefined : Object.keys(value);
  const parts: readonly JsonValue[] = Array.isArray(value) ? value : Object.values(value);
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index];
    if (part === undefined || (typeof part !== 'string' && typeof part !== 'object')) continue;
    path.push(keys?.[index] ?? index);
    search(part, path, found);
    path.pop();
  }
}

/** Ours mean nothing else, so they count inside a longer text too. */
function isMarker(text: string): boolean {
  return text.includes(SECRET_MARK) || NAMED_MARK.test(text) || THEIRS.test(text.trim());
}

function escape(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
