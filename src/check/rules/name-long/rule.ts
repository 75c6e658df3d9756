/** Names that MCP allows but that are too long for hosts and directories. */
import { pointerInto } from '../../tool-schema.ts';
import type { Rule } from '../../rule.ts';

const LONGEST = 64;
const LONGEST_ALLOWED = 128;

export const rule: Rule = {
  id: 'name-long',
  category: 'naming',
  severity: 'warning',
  summary: 'A name has more than 64 characters.',
  cost: 'Model APIs accept 64 characters at most, and hosts prepend the server name: the tool is truncated or dropped.',
  profiles: { 'anthropic-directory': 'error', 'openai-apps': 'error', strict: 'error' },
  codes: { 'name-long': 'The name has 65 to 128 characters.' },
  checkTool: ({ name, pointer }) => {
    if (name.length <= LONGEST || name.length > LONGEST_ALLOWED) return [];
    return [
      {
        code: 'name-long',
        pointer: pointerInto(pointer, 'name'),
        message: `The name has ${name.length} characters; directories and model APIs accept ${LONGEST}.`,
      },
    ];
  },
};
