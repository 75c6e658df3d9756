/**
 * Fourth stage: takes the key record of the call's idempotency key, or answers from its stored state. A
 * call without a key contract passes through; a keyed one never passes without the ledger.
 */
import { createHash } from 'node:crypto';
import { worstEffect } from '../effect/combine-effects.ts';
import { KEY_ARGUMENT, isKey } from '../effect/idempotency-key.ts';
import type { Partner } from '../effect/partner.ts';
import { propertiesOf } from '../effect/schema.ts';
import type { KeyRules, Standing } from '../ledger/idempotency/key-record.ts';
import type { KeyRequest } from '../ledger/idempotency/key-records.ts';
import { toKeyHint, toKeyRecordId } from '../ledger/idempotency/key-record-id.ts';
import { decodeOutcome } from '../ledger/idempotency/outcome.ts';
import { StoreUnavailableError } from '../ledger/store.ts';
import { toCanonicalJson } from '../lib/canonical-json.ts';
import type { JsonValue } from '../lib/json-value.ts';
import { toProblem } from '../lib/problem.ts';
import type { Flow, Stage, Step } from './flow.ts';
import { go, refuse, stop } from './flow.ts';
import type { Outcome } from './outcome.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** No resend in the last tenth of a partner's retention time: it could arrive too late. */
const SENT_WITHIN = 0.9;

export const keyRecord: Stage = async (flow, { ledger, report }) => {
  const args = (flow.args ?? {}) as Arguments; // checked by the input stage
  const { repeat } = flow.effect ?? worstEffect(flow.operation.effect);
  if (repeat.kind !== 'key') return go(flow);
  const { [KEY_ARGUMENT]: _, ...rest } = args;
  const reading = readKey(args, flow.keys ?? []);
  if (reading.kind === 'refused') {
    return refuse(reading.code, `${flow.operation.name} does not accept this idempotency key.`);
  }
  if (reading.kind === 'none' && repeat.need === 'required') {
    return refuse('key-required', `${flow.operation.name} runs only under an idempotency key.`);
  }
  if (reading.kind === 'none' && repeat.need === 'optional') return go(flow);
  if (ledger?.keyRecords === undefined) {
    return refuse('unavailable', 'There is no ledger to store the key in.', {
      remedy: 'Ask the operator of the server; it runs only with a ledger. Nothing was run.',
    });
  }
  const isDerived = reading.kind === 'none';
  const content = isDerived ? toContent(flow, rest) : rest;
  const fingerprint = digest(toCanonicalJson([flow.operation.name, content] as JsonValue));
  const key = isDerived ? `derived:${fingerprint}` : reading.key;
  try {
    const admission = await ledger.keyRecords.admit(toRequest(flow, key, fingerprint));
    if (admission.kind === 'held') {
      const { held, rules } = admission;
      return go({ ...flow, keyRecord: { held, rules, isDerived } });
    }
    if (admission.kind === 'standing') return toStop(flow, admission.standing);
    return refuse('in-flight', `An equal ${flow.operation.name} was made a short while ago.`);
  } catch (error) {
    report(`${flow.operation.name}: the key could not be reserved`, error);
    const detail =
      error instanceof StoreUnavailableError
        ? 'The ledger cannot be reached. Nothing was run.'
        : 'The ledger failed. Nothing was run.';
    return refuse('unavailable', detail);
  }
};

function toRequest({ operation, principal }: Flow, key: string, fingerprint: string): KeyRequest {
  const scope = {
    tenant: principal?.tenant ?? '',
    principal: principal?.id ?? '',
    operation: operation.name,
  };
  return {
    ...scope,
    id: toKeyRecordId(scope, key),
    keyHint: toKeyHint(key),
    fingerprint,
    effectClass: operation.partner.class,
    rules: toKeyRules(operation.partner),
  };
}

export function toKeyRules({ keyLifetimeSeconds, settleSeconds }: Partner): Partial<KeyRules> {
  return {
    ...(keyLifetimeSeconds !== undefined && {
      partnerMs: keyLifetimeSeconds * 1000 * SENT_WITHIN,
    }),
    ...(settleSeconds !== undefined && { settleMs: settleSeconds * 1000 }),
  };
}

function toStop({ operation }: Flow, standing: Standing): Step {
  const { name } = operation;
  switch (standing.kind) {
    case 'replay': {
      const outcome = toReplayed(name, standing.outcome);
      return { kind: 'stop', outcome: { ...outcome, replayed: true } };
    }
    case 'key-reused':
      return refuse('key-reused', `This key belongs to another call of ${name}.`);
    case 'in-flight': {
      const retryAfter = Math.max(1, Math.ceil(standing.retryAfterMs / 1000));
      return stop(
        toProblem('in-flight', `${name} is already running with this key.`, { retryAfter }),
      );
    }
    case 'outcome-unknown':
      return refuse('outcome-unknown', `An earlier ${name} with this key may have happened.`);
    case 'key-expired':
      return refuse('key-expired', `The answer of ${name} with this key is no longer stored.`);
  }
}

function toReplayed(name: string, stored: string): Outcome {
  const outcome = decodeOutcome(stored);
  switch (outcome.kind) {
    case 'success':
    case 'failure':
      return outcome;
    // Operations of a server are never recorded as results of another one.
    case 'result':
    case 'unreadable': {
      const detail = `${name} has run with this key, but its stored answer cannot be read.`;
      return { kind: 'failure', problem: toProblem('invalid-output', detail) };
    }
  }
}

/**
 * What a derived key is made of: the arguments as the schema reads them, so that two spellings of one
 * content are one. A value that appears from nowhere, such as a time or a random id, is left out.
 */
function toContent({ input, operation }: Flow, args: Arguments): Arguments {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return args;
  const parsed = input as Arguments; // its other members cannot be arguments
  const properties = propertiesOf(operation.inputSchema);
  const content = new Map<string, unknown>(Object.entries(args));
  for (const [name, value] of Object.entries(parsed)) {
    const text = toText(value);
    if (text === undefined) continue;
    const isGiven = content.has(name) || text === toText(properties[name]?.['default']);
    if (isGiven) content.set(name, toPlain(value));
  }
  return Object.fromEntries(content);
}

/** `undefined` for what has no form that shows all of it, such as a set. */
function toText(value: unknown): string | undefined {
  try {
    return toCanonicalJson(toPlain(value) as JsonValue);
  } catch {
    return undefined;
  }
}

/** Dates and large integers are the same content however they were written. */
function toPlain(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(toPlain);
  if (typeof value !== 'object' || value === null) return value;
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, toPlain(inner)]));
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Finds the idempotency key of a call: in the header, in `_meta`, as an argument, or not at all. */
type KeyReading =
  | { readonly kind: 'none' }
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'refused'; readonly code: 'key-invalid' | 'key-mismatch' };

function readKey(args: Arguments, beside: readonly unknown[]): KeyReading {
  const given = [args[KEY_ARGUMENT], ...beside].filter((key) => key !== undefined && key !== null);
  const keys = given.map(unquote);
  const valid = keys.filter(isKey);
  if (valid.length < keys.length) return { kind: 'refused', code: 'key-invalid' };
  const [key, ...others] = valid;
  if (key === undefined) return { kind: 'none' };
  if (others.some((other) => other !== key)) return { kind: 'refused', code: 'key-mismatch' };
  return { kind: 'key', key };
}

/** As a header the key may be quoted, like the string of a structured field. */
function unquote(key: unknown): unknown {
  return typeof key === 'string' ? key.replace(/^"(.*)"$/, '$1') : key;
}
