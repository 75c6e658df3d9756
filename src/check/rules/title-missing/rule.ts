/** Tools without a human-readable title. */
import { memberOf, toJsonObject, pointerInto } from '../../tool-schema.ts';
import type { Rule } from '../../rule.ts';

export const rule: Rule = {
  id: 'title-missing',
  category: 'naming',
  severity: 'info',
  summary: 'A tool has no title, neither its own nor in its annotations.',
  cost: "Approval prompts show people the bare name, and Anthropic's directory rejects the server.",
  profiles: {
    'anthropic-directory': 'error',
    closient: 'warning',
    geopera: 'warning',
    nextcloud: 'warning',
    epd: 'warning',
    strict: 'warning',
  },
  codes: { 'title-missing': 'There is no title, or only an empty one.' },
  checkTool: ({ raw, pointer }) => {
    if (toJsonObject(raw) === undefined) return [];
    const titles = [memberOf(raw, 'title'), memberOf(raw, 'annotations', 'title')];
    if (titles.some(isSaid)) return [];
    return [
      {
        code: 'title-missing',
        pointer: pointerInto(pointer, 'title'),
        message: 'The tool has no title: approval prompts show people its bare name.',
      },
    ];
  },
};

/** Non-strings are covered by another rule. */
function isSaid(title: unknown): boolean {
  return typeof title === 'string' ? title.trim() !== '' : title !== undefined;
}
