/**
 * The canonical JSON of a receipt, in the two parts between which its number goes. The names of a receipt
 * are known, so they are not sorted each time; a test proves it equal to what `canonical-json.ts` writes.
 */
import { toCanonicalJson } from '../../lib/canonical-json.ts';
import type { Receipt } from '../receipt.ts';
import type { UnnumberedReceipt } from '../tables.ts';

/** The names of all that a body can hold, so that none is missing below. */
const NAMES: Readonly<Record<keyof Receipt | 'argsDigest', true>> = {
  kind: true,
  id: true,
  at: true,
  operation: true,
  act: true,
  tier: true,
  reach: true,
  openWorld: true,
  via: true,
  principal: true,
  tenant: true,
  decision: true,
  outcome: true,
  milliseconds: true,
  keyRecord: true,
  server: true,
  rule: true,
  permit: true,
  approval: true,
  approver: true,
  attempts: true,
  sent: true,
  delivered: true,
  amount: true,
  unit: true,
  request: true,
  answer: true,
  asked: true,
  until: true,
  grant: true,
  granted: true,
  argsDigest: true,
};

interface Field {
  readonly name: keyof Receipt;
  readonly label: string;
}

const FIELDS = Object.keys(NAMES)
  .toSorted()
  .map((name) => ({ name: name as keyof Receipt, label: `"${name}":` })); // or the digest, which is added below
const BEFORE: readonly Field[] = FIELDS.filter(({ name }) => name < 'seq');
const AFTER: readonly Field[] = FIELDS.filter(({ name }) => name > 'seq');

export function writeBody(
  receipt: Receipt,
  argsDigest: string | undefined,
): UnnumberedReceipt['body'] {
  const whole = argsDigest === undefined ? receipt : { ...receipt, argsDigest };
  let before = '{';
  for (const { name, label } of BEFORE) {
    const value = whole[name];
    if (value !== undefined) before += `${label}${toCanonicalJson(value)},`;
  }
  let after = '';
  for (const { name, label } of AFTER) {
    const value = whole[name];
    if (value !== undefined) after += `,${label}${toCanonicalJson(value)}`;
  }
  return [`${before}"seq":`, `${after}}`];
}
