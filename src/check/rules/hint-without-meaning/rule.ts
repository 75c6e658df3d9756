/**
 * idempotentHint true on a read, where MCP gives it no meaning. Not found where all four hints are
 * said: a server that leaves no host to guess has to say something.
 */
import { HINT_NAMES } from '../../../effect/hints.ts';
import { memberOf, pointerInto } from '../../tool-schema.ts';
import type { Rule } from '../../rule.ts';

export const rule: Rule = {
  id: 'hint-without-meaning',
  category: 'annotations',
  severity: 'info',
  summary: 'A read-only tool says idempotentHint true and leaves other hints out.',
  cost: 'A word is spent on what no host reads, while a hint that hosts do read is missing.',
  profiles: {
    'anthropic-directory': 'off',
    'openai-apps': 'off',
    closient: 'off',
    epd: 'off',
  },
  codes: {
    'hint-without-meaning':
      'idempotentHint is true beside readOnlyHint true, and not all four are said.',
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
          'idempotentHint has no meaning on a read-only tool: leave it out, or say all four hints.',
      },
    ];
  },
};
