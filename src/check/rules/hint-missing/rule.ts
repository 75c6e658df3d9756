/** The two hints that decide whether hosts ask, not set where they matter. */
import { memberOf } from '../../tool-schema.ts';
import { saysSomeHint, unsetHint } from '../../tool-hints.ts';
import type { Rule } from '../../rule.ts';

export const rule: Rule = {
  id: 'hint-missing',
  category: 'annotations',
  severity: 'warning',
  summary:
    'readOnlyHint is not set, or destructiveHint is not set on a tool that is not read-only.',
  cost: 'Hosts fill the gap differently: some ask before a plain read, some run a removal without asking.',
  profiles: {
    'anthropic-directory': 'error',
    'openai-apps': 'error',
    closient: 'off',
    geopera: 'off',
    nextcloud: 'off',
    epd: 'off',
    strict: 'error',
  },
  codes: {
    'hint-missing/read-only': 'readOnlyHint is not set.',
    'hint-missing/destructive': 'destructiveHint is not set, and the tool is not read-only.',
  },
  checkTool: (tool) => {
    if (!saysSomeHint(tool)) return [];
    const isRead = memberOf(tool.raw, 'annotations', 'readOnlyHint') === true;
    return [
      ...unsetHint(tool, 'readOnlyHint', 'hint-missing/read-only'),
      ...(isRead ? [] : unsetHint(tool, 'destructiveHint', 'hint-missing/destructive')),
    ];
  },
};
