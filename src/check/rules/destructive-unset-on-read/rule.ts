/** destructiveHint not set although readOnlyHint is true: MCP does not need it, directories do. */
import { memberOf, pointerInto } from '../../tool-schema.ts';
import type { Rule } from '../../rule.ts';

export const rule: Rule = {
  id: 'destructive-unset-on-read',
  category: 'annotations',
  severity: 'info',
  summary: 'A read-only tool does not set destructiveHint to false.',
  cost: "OpenAI's directory rejects a submission in which a hint is not an explicit boolean, on reads as well.",
  profiles: {
    spec: 'off',
    'anthropic-directory': 'warning',
    'openai-apps': 'error',
    closient: 'off',
    geopera: 'off',
    nextcloud: 'off',
    epd: 'off',
    strict: 'warning',
  },
  codes: { 'destructive-unset-on-read': 'readOnlyHint is true and destructiveHint is not set.' },
  checkTool: ({ raw, pointer: base }) => {
    if (memberOf(raw, 'annotations', 'readOnlyHint') !== true) return [];
    if (memberOf(raw, 'annotations', 'destructiveHint') !== undefined) return [];
    const pointer = pointerInto(base, 'annotations', 'destructiveHint');
    return [
      {
        code: 'destructive-unset-on-read',
        pointer,
        message:
          'destructiveHint is not set on this read-only tool. MCP does not need it, but OpenAI and Anthropic require an explicit false.',
        fix: { kind: 'set', pointer, value: false },
      },
    ];
  },
};
