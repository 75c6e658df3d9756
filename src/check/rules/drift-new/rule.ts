/** Finds tools that are not in the lock. */
import { showText } from '../../../gate/approvals/show-text.ts';
import { pinChecks } from '../../tool-pins.ts';
import type { Rule } from '../../rule.ts';
import { quote } from '../../../gate/tools/drift-change.ts';

export const rule: Rule = {
  id: 'drift-new',
  category: 'drift',
  severity: 'warning',
  summary: 'A tool is not in the lock, or is in it under another name.',
  cost: 'Nobody has accepted it yet.',
  profiles: { strict: 'error' },
  codes: {
    'drift-new': 'a tool that nobody has accepted',
    'drift-new/renamed': 'an accepted tool under another name',
  },
  checkTool(tool, server) {
    const { pointer } = tool;
    const check = pinChecks(server).get(tool.name);
    if (check?.drift.kind === 'new') {
      const message = 'It is not in the lock: nobody has accepted it yet.';
      return [{ code: 'drift-new', pointer, message }];
    }
    if (check?.drift.kind !== 'renamed' || check.quarantined) return [];
    const message = `It is what was accepted as ${quote(showText(check.drift.from))}.`;
    return [{ code: 'drift-new/renamed', pointer: `${pointer}/name`, message }];
  },
};
