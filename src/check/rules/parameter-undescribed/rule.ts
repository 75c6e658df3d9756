/** Parameters that neither their schema nor the tool's own text describes. */
import { listParameters, memberOf, pointerInto } from '../../tool-schema.ts';
import { quote } from '../../tool-texts.ts';
import type { Draft, Rule } from '../../rule.ts';

export const rule: Rule = {
  id: 'parameter-undescribed',
  category: 'description',
  severity: 'info',
  summary: 'A parameter has no description.',
  cost: 'The model fills it in by its name alone, and calls fail or do something unintended.',
  profiles: { nextcloud: 'warning', strict: 'warning' },
  codes: { 'parameter-undescribed': 'Neither the schema nor the tool describes the parameter.' },
  checkTool: ({ raw, pointer }) => {
    const text = memberOf(raw, 'description');
    const prose = typeof text === 'string' ? text.slice(0, 20_000) : '';
    return listParameters(raw, pointer)
      .filter(({ description, schema, name }) => {
        if (description !== undefined || schema['const'] !== undefined) return false;
        return !mentions(name, prose);
      })
      .map(({ name, pointer: at }): Draft => ({
        code: 'parameter-undescribed',
        pointer: pointerInto(at, 'description'),
        message: `The parameter ${quote(name)} has no description.`,
      }));
  },
};

/** `path: where…`, `path (string) …`, "`path`": how texts list parameters. */
function mentions(name: string, text: string): boolean {
  if (name === '') return false;
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const before = text.charAt(at - 1);
    const after = text.slice(at + name.length, at + name.length + 3);
    const isQuoted = /[`'"*]/.test(before) && after.startsWith(before);
    if (isQuoted || (!/[\w.-]/.test(before) && /^\s?[:=(–—]|^ -/.test(after))) return true;
  }
  return false;
}
