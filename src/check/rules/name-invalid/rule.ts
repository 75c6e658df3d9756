/** Names that MCP does not allow. Names that are only too long for a directory are covered by name-long. */
import { memberOf, toJsonObject, pointerInto } from '../../tool-schema.ts';
import { quote } from '../../tool-texts.ts';
import type { Rule } from '../../rule.ts';

const ALLOWED = /^[\w.-]*$/;
const LONGEST = 128;

export const rule: Rule = {
  id: 'name-invalid',
  category: 'naming',
  severity: 'error',
  summary:
    'A name is missing, empty, longer than 128 characters, or has characters outside A-Z a-z 0-9 _ . -',
  cost: 'Model APIs refuse a request with such a name, often together with every other tool.',
  codes: {
    'name-invalid/missing': 'There is no name, or it is not a string.',
    'name-invalid/empty': 'The name is empty.',
    'name-invalid/too-long': 'The name has more than 128 characters.',
    'name-invalid/characters': 'The name has characters that are not allowed.',
  },
  checkTool: ({ raw, pointer: base }) => {
    if (toJsonObject(raw) === undefined) return [];
    const fault = faultOf(memberOf(raw, 'name'));
    if (fault === undefined) return [];
    const [detail, message] = fault;
    return [{ code: `name-invalid/${detail}`, pointer: pointerInto(base, 'name'), message }];
  },
};

function faultOf(name: unknown): readonly [detail: string, message: string] | undefined {
  if (typeof name !== 'string') return ['missing', 'The tool has no name, so it cannot be called.'];
  if (name === '') return ['empty', 'The name is empty, so the tool cannot be called.'];
  if (name.length > LONGEST)
    return ['too-long', `The name has ${name.length} characters; MCP allows ${LONGEST}.`];
  if (!ALLOWED.test(name))
    return [
      'characters',
      `The name ${quote(name)} has characters other than letters A to Z, digits, "_", "." and "-".`,
    ];
  return undefined;
}
