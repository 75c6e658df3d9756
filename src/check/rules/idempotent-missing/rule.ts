/** idempotentHint not set on a tool that changes things. No directory requires it. */
import { memberOf } from '../../tool-schema.ts';
import { saysSomeHint, unsetHint } from '../../tool-hints.ts';
import type { Rule } from '../../rule.ts';

export const rule: Rule = {
  id: 'idempotent-missing',
  category: 'annotations',
  severity: 'info',
  summary: 'A tool that is not read-only sets other hints but not idempotentHint.',
  cost: 'After a lost answer it is not known whether the call may be retried.',
  profiles: {
    'anthropic-directory': 'off',
    'openai-apps': 'off',
    closient: 'off',
    geopera: 'off',
    nextcloud: 'off',
    epd: 'off',
    strict: 'warning',
  },
  codes: { 'idempotent-missing': 'idempotentHint is not set, and the tool is not read-only.' },
  checkTool: (tool) => {
    const isRead = memberOf(tool.raw, 'annotations', 'readOnlyHint') === true;
    if (isRead || !saysSomeHint(tool)) return [];
    return unsetHint(tool, 'idempotentHint', 'idempotent-missing');
  },
};
