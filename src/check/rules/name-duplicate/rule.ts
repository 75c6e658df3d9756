/** Two tools of one server with the same name. */
import { quote } from '../../tool-texts.ts';
import { pointerInto } from '../../tool-schema.ts';
import type { Draft, Rule } from '../../rule.ts';
import type { ToolSubject } from '../../subject.ts';

export const rule: Rule = {
  id: 'name-duplicate',
  category: 'naming',
  severity: 'error',
  summary: 'Two tools of a server have the same name, or names that differ in case only.',
  cost: 'A call cannot specify which of the two it means; hosts keep one and drop the other, or refuse both.',
  codes: {
    'name-duplicate': 'An earlier tool has the same name.',
    'name-duplicate/case': 'The name differs from that of an earlier tool in case only.',
  },
  checkServer: ({ tools }) => {
    const seen = new Map<string, ToolSubject>();
    const names = new Set<string>();
    return tools.flatMap((tool): readonly Draft[] => {
      const { name } = tool;
      if (name === '') return [];
      const isSame = names.has(name);
      names.add(name);
      const earlier = seen.get(name.toLowerCase());
      if (earlier === undefined) {
        seen.set(name.toLowerCase(), tool);
        return [];
      }
      const how = isSame ? 'is also the name' : 'differs only in case from that';
      return [
        {
          code: isSame ? 'name-duplicate' : 'name-duplicate/case',
          tool: name,
          pointer: pointerInto(tool.pointer, 'name'),
          message: `The name ${quote(name)} ${how} of the tool at ${earlier.pointer}.`,
        },
      ];
    });
  },
};
