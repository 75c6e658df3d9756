/** Finds tools that cost money and carry no mark that a host could act on. */
import { isMarked, saidHint } from '../../tool-hints.ts';
import { inferFromText, spends, why } from '../../tool-inference.ts';
import type { Rule } from '../../rule.ts';

export const rule: Rule = {
  id: 'spend-unmarked',
  category: 'truth',
  severity: 'warning',
  summary: 'A tool spends money, and neither a hint nor _meta says that a person should be asked.',
  cost: 'Hosts that assume unmarked tools are harmless run it free; the others treat it like any small write.',
  profiles: { closient: 'error', geopera: 'error', strict: 'error' },
  codes: { 'spend-unmarked': 'it spends, and nothing marks it' },
  checkTool(tool) {
    // A hint that says the opposite is covered by another rule.
    if (saidHint(tool, 'destructiveHint') !== undefined) return [];
    if (saidHint(tool, 'readOnlyHint') === true || isMarked(tool) || !spends(tool)) return [];
    const message = `It appears to spend, and nothing marks it: ${why(inferFromText(tool))}.`;
    return [{ code: 'spend-unmarked', pointer: tool.pointer, message }];
  },
};
