/** Reports changes from the lock that are not riskier, and removed tools. */
import { findGone } from '../../../gate/tools/pins.ts';
import { showText } from '../../../gate/approvals/show-text.ts';
import { describeChanges, pinChecks } from '../../tool-pins.ts';
import type { Rule } from '../../rule.ts';
import { quote } from '../../../gate/tools/drift-change.ts';

export const rule: Rule = {
  id: 'drift-mild',
  category: 'drift',
  severity: 'info',
  summary: 'A tool changed without becoming riskier, or was removed.',
  cost: 'The lock no longer matches the server exactly.',
  codes: {
    'drift-mild/safer': 'safer than what was pinned',
    'drift-mild/neutral': 'changed, neither safer nor riskier',
    'drift-mild/gone': 'a pinned tool that is no longer listed',
  },
  checkTool(tool, server) {
    const drift = pinChecks(server).get(tool.name)?.drift;
    if (drift?.kind !== 'safer' && drift?.kind !== 'neutral') return [];
    const what = drift.kind === 'safer' ? 'It became safer' : 'It changed and is no riskier';
    const pointer = `${tool.pointer}${drift.changes[0]?.pointer ?? ''}`;
    const message = `${what}: ${describeChanges(drift.changes)}.`;
    return [{ code: `drift-mild/${drift.kind}`, pointer, message }];
  },
  checkServer(server) {
    if (server.pins === undefined) return [];
    const renamed = new Set(
      [...pinChecks(server).values()].map(({ drift }) =>
        drift.kind === 'renamed' ? drift.from : undefined,
      ),
    );
    const raw = server.tools.map((tool) => tool.raw);
    return findGone(server.pins, raw)
      .filter((name) => !renamed.has(name))
      .map((name) => {
        const message = `${quote(showText(name))} is in the lock and no longer listed.`;
        return { code: 'drift-mild/gone', pointer: '/tools', tool: name, message };
      });
  },
};
