/**
 * Finds tools that became riskier than their pin. Other changes are reported by drift-new and
 * drift-mild.
 */
import { describeChanges, pinChecks } from '../../tool-pins.ts';
import type { Rule } from '../../rule.ts';

export const rule: Rule = {
  id: 'drift',
  category: 'drift',
  severity: 'error',
  summary: 'A tool became riskier than the one that was accepted.',
  cost: 'What a person accepted is no longer what runs.',
  codes: { drift: 'riskier than what was pinned' },
  checkTool(tool, server) {
    const check = pinChecks(server).get(tool.name);
    if (check?.quarantined !== true || !('changes' in check.drift)) return [];
    const riskier = check.drift.changes.filter(({ direction }) => direction === 'riskier');
    const at = riskier[0]?.pointer ?? '';
    const message = `It became riskier than what was accepted: ${describeChanges(riskier)}.`;
    return [{ code: 'drift', pointer: `${tool.pointer}${at}`, message }];
  },
};
