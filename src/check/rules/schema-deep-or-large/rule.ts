/** Input schemas beyond what models and hosts can handle. */
import { listParameters, measureJson, memberOf, pointerInto } from '../../tool-schema.ts';
import type { Draft, Rule } from '../../rule.ts';

/** A level of nested objects takes two of these: `properties` and the name in it. */
const DEEPEST = 16;
const LONGEST = 16_000;
const MOST = 60;

export const rule: Rule = {
  id: 'schema-deep-or-large',
  category: 'schema',
  severity: 'warning',
  summary: `An input schema goes more than ${DEEPEST} levels deep, has more than ${LONGEST} characters or more than ${MOST} parameters.`,
  cost: 'It fills the context of every conversation, and models make more mistakes in deep arguments; some model APIs refuse it.',
  codes: {
    'schema-deep-or-large/deep': `The schema goes more than ${DEEPEST} levels deep.`,
    'schema-deep-or-large/large': `The schema has more than ${LONGEST} characters.`,
    'schema-deep-or-large/many': `The tool takes more than ${MOST} parameters.`,
  },
  checkTool: ({ raw, pointer: base }) => {
    const schema = memberOf(raw, 'inputSchema');
    const pointer = pointerInto(base, 'inputSchema');
    const { characters, depth } = measureJson(schema);
    const count = listParameters(raw, base).length;
    const found = (detail: string, message: string): Draft => ({
      code: `schema-deep-or-large/${detail}`,
      pointer,
      message,
    });
    return [
      ...(depth > DEEPEST ? [found('deep', `The input schema goes ${depth} levels deep.`)] : []),
      ...(characters > LONGEST
        ? [
            found(
              'large',
              `The input schema has ${characters} characters, about ${Math.round(characters / 4)} tokens.`,
            ),
          ]
        : []),
      ...(count > MOST ? [found('many', `The tool takes ${count} parameters.`)] : []),
    ];
  },
};
