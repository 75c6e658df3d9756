/**
 * idempotentHint true on a read, where MCP gives it no meaning. Not reported when all four hints are
 * set, as some directories require.
 */
import { HINT_NAMES } from '../../../effect/hints.ts';
import { memberOf, pointerInto } from '../../tool-schema.ts';
import type { Rule } from '../../rule.ts';

export const rule: Rule = {
  id: 'hint-without-meaning',
  category: 'annotations',
  severity: 'info',
  summary: 'A read-only tool sets idempotentHint to true and omits other hints.',
  cost: 'A hint that no host reads is set, while one that hosts do read is missing.',
  profiles: {
    'anthropic-directory': 'off',
    'openai-apps': 'off',
    closient: 'off',
    epd: 'off',
  },
  codes: {
    'hint-without-meaning':
      'idempotentHint and readOnlyHint are true, and not all four hints are set.',
  },
  checkTool: ({ raw, pointer: base }) => {
    const said = (hint: string): unknown => memberOf(raw, 'annotations', hint);
    if (said('readOnlyHint') !== true || said('idempotentHint') !== true) return [];
    if (HINT_NAMES.every((hint) => said(hint) !== undefined)) return [];
    const pointer = pointerInto(base, 'annotations', 'idempotentHint');
    return [
      {
        code: 'hint-without-meaning',
        pointer,
        message:
          'idempotentHint has no meaning on a read-only tool: omit it, or set all four hints.',
      },
    ];
  },
};
