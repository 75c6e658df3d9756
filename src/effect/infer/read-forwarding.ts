/** `create_rule {forward_to}`: what arrives later goes to that address as well. */
import type { Parameters } from './read-parameters.ts';
import type { Signal } from './reason.ts';
import { signal } from './reason.ts';

export function readForwarding({ all }: Parameters): readonly Signal[] {
  const found = all.find(({ key }) => FORWARDS.test(key));
  if (found === undefined) return [];
  const text = `it takes "${found.name.slice(0, 40)}", which something is forwarded to`;
  return [signal('share', 0.6, { code: 'parameter', source: 'schema', text })];
}
const FORWARDS =
  /^(?:auto_?)?(?:forward|forward(?:ing)?_?(?:to|address(?:es)?|emails?|recipients?)|redirect_to_(?:address|emails?))$/i;
