/** Whether a tool clearly reads as one that costs money, by its own text. */
import { toWords } from '../../effect/reading/to-words.ts';
import type { ToolSubject } from '../subject.ts';
import { leadVerb } from './lead-verb.ts';
import { movesMoney } from './moves-money.ts';
import { plainReading } from './plain-reading.ts';
import { wordSet } from './word-set.ts';

/** What these set going may cost anything or nothing; the gate asks, but nothing is known to be wrong. */
const SETTING_GOING = wordSet(
  'run trigger invoke launch perform start rerun scale execute approve',
);
/** A changed entry of a ledger is no new payment; and what comes in batches need not be a job. */
const KEEPS_BOOKS = wordSet('update edit modify categorize');
/** Nobody pays for these as such. */
const AROUND = wordSet(
  'method endpoint webhook access setting template category link ownership index',
);
const SURE = 0.6;

export function spends(tool: ToolSubject): boolean {
  if (movesMoney(tool)) return true;
  const words = toWords(tool.name);
  if (words.some((word) => AROUND.has(word))) return false;
  const { effect, confidence, reasons } = plainReading(tool);
  if (effect.money === undefined || effect.money.moves === 'estimate' || confidence < SURE)
    return false;
  if (words.includes('batch') || (words.includes('transaction') && KEEPS_BOOKS.has(words[0] ?? '')))
    return false;
  const [first] = reasons;
  if (first?.code === 'verb' || first?.code === 'object')
    return first.source === 'name' && !SETTING_GOING.has(leadVerb(tool.name) ?? '');
  return true;
}
