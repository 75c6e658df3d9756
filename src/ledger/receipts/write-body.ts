/**
 * The canonical JSON of a receipt, in the two parts between which its number goes. Its names are known and
 * written in their order, so nothing is sorted; a test proves it equal to what `canonical-json.ts` writes.
 */
import { toCanonicalJson } from '../../lib/canonical-json.ts';
import type { JsonValue } from '../../lib/json-value.ts';
import { toStorable } from '../../lib/storable-text.ts';
import type { Receipt } from '../receipt.ts';
import type { UnnumberedReceipt } from '../tables.ts';

/** The names that come after `seq`; all others come before it. */
type After = 'server' | 'tenant' | 'tier' | 'unit' | 'until' | 'via';
type Before = Exclude<keyof Receipt | 'argsDigest', After>;
type Members<Name extends string> = Readonly<Record<Name, JsonValue | undefined>>;

/** In an outline of what many have in common, a text stands for the number. */
type Written = Omit<Receipt, 'milliseconds'> & { readonly milliseconds: number | string };

export function writeBody(
  receipt: Written,
  argsDigest: string | undefined,
): UnnumberedReceipt['body'] {
  const before: Members<Before> = {
    act: receipt.act,
    amount: receipt.amount,
    answer: receipt.answer,
    approval: receipt.approval,
    approver: receipt.approver,
    argsDigest,
    asked: receipt.asked,
    at: receipt.at,
    attempts: receipt.attempts,
    decision: receipt.decision,
    delivered: receipt.delivered,
    effect: receipt.effect,
    grant: receipt.grant,
    granted: receipt.granted,
    id: receipt.id,
    keyRecord: receipt.keyRecord,
    kind: receipt.kind,
    milliseconds: receipt.milliseconds,
    openWorld: receipt.openWorld,
    operation: receipt.operation,
    outcome: receipt.outcome,
    permit: receipt.permit,
    principal: receipt.principal,
    reach: receipt.reach,
    request: receipt.request,
    rule: receipt.rule,
    sent: receipt.sent,
  };
  const after: Members<After> = {
    server: receipt.server,
    tenant: receipt.tenant,
    tier: receipt.tier,
    unit: receipt.unit,
    until: receipt.until,
    via: receipt.via,
  };
  return [`${write(before).slice(0, -1)},"seq":`, `,${write(after).slice(1)}`];
}

/**
 * The engine writes the same, but for what it escapes in its own way, for numbers that are not JSON, and for the order
 * in objects, which no receipt has unless somebody writes without types. It also escapes what no store keeps: a name with
 * that in it must not keep the receipt out of the log.
 */
function write(members: Members<string>): string {
  const text = JSON.stringify(members);
  const isPlain = !text.includes('\\u') && !text.includes(':null');
  if (isPlain && !text.includes('{', 1) && !text.includes('[')) return text;
  const given = Object.entries(JSON.parse(text) as Record<string, JsonValue>);
  return toCanonicalJson(
    Object.fromEntries(given.map(([name, value]) => [name, toKept(value, members[name])])),
  );
}

/** The engine has made nothing of such a number, which must not pass. */
function toKept(value: JsonValue, given: JsonValue | undefined): JsonValue {
  if (typeof given === 'number') return given;
  return typeof value === 'string' ? toStorable(value) : value;
}
