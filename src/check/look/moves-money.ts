/**
 * Whether a tool moves money itself. A billed machine or a paid job spends as well, but what it does
 * is something else, and the money is its price.
 */
import { toSingular, toWords } from '../../effect/reading/to-words.ts';
import type { ToolSubject } from '../subject.ts';
import { plainReading } from './plain-reading.ts';
import { wordSet } from './word-set.ts';

const MONEY = wordSet(
  `pay payment payout refund chargeback reimburse charge purchase buy sell checkout transfer withdraw
  withdrawal donate donation deposit swap trade stake unstake remit wire tip bid bet wager order money
  fund card invoice reimbursement disburse`,
);

/** A way to pay that is stored, an address that is told of payments, or a thing that changes hands moves none. */
const AROUND = wordSet(
  `method endpoint webhook access profile setting template category link ownership app application
  index repository issue file`,
);

export function movesMoney(tool: ToolSubject): boolean {
  const { money } = plainReading(tool).effect;
  if (money === undefined || money.moves === 'estimate') return false;
  const words = toWords(tool.name).map(toSingular);
  return words.some((word) => MONEY.has(word)) && !words.some((word) => AROUND.has(word));
}
