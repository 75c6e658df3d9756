/** Whether a tool clearly reads as one that costs money, by its own text. */
import type { ToolSubject } from '../subject.ts';
import { leadVerb } from './lead-verb.ts';
import { movesMoney } from './moves-money.ts';
import { plainReading } from './plain-reading.ts';
import { wordSet } from './word-set.ts';

/** What these set going may cost anything or nothing; the gate asks, but nothing is known to be wrong. */
const SETTING_GOING = wordSet(
  'run trigger invoke launch perform start rerun scale execute approve batch',
);
const SURE = 0.6;

export function spends(tool: ToolSubject): boolean {
  if (movesMoney(tool)) return true;
  const { effect, confidence, reasons } = plainReading(tool);
  if (effect.money === undefined || effect.money.moves === 'estimate' || confidence < SURE)
    return false;
  const [first] = reasons;
  if (first?.code === 'verb' || first?.code === 'object')
    return first.source === 'name' && !SETTING_GOING.has(leadVerb(tool.name) ?? '');
  return true;
}
