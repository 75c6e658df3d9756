/** Parameters whose description adds nothing to the name or the type. */
import { listParameters, pointerInto } from '../../tool-schema.ts';
import { quote } from '../../tool-texts.ts';
import type { Draft, Rule } from '../../rule.ts';

const SHORTEST = 3;
const EMPTY_WORDS = new Set(
  `a an the this that string text number integer int float boolean bool object array list value values
  parameter param argument arg input data field optional required todo tbd fixme description none null
  na n/a some any it of for to use`.split(/\s+/),
);

export const rule: Rule = {
  id: 'parameter-vague',
  category: 'description',
  severity: 'info',
  summary: "A parameter's description only repeats its name or its type.",
  cost: 'It takes up space in every prompt and tells the model nothing new.',
  profiles: { strict: 'warning' },
  codes: {
    'parameter-vague/repeats-name': 'The description repeats the name.',
    'parameter-vague/says-nothing': 'The description has only words like "the value" or "string".',
    'parameter-vague/too-short': 'The description has fewer than three characters.',
  },
  checkTool: ({ raw, pointer }) =>
    listParameters(raw, pointer).flatMap(({ name, pointer: at, description }): readonly Draft[] => {
      const detail = description === undefined ? undefined : faultOf(name, description);
      if (description === undefined || detail === undefined) return [];
      return [
        {
          code: `parameter-vague/${detail}`,
          pointer: pointerInto(at, 'description'),
          message: `The description ${quote(description)} of ${quote(name)} adds nothing to its name or type.`,
        },
      ];
    }),
};

function faultOf(name: string, description: string): string | undefined {
  if (description.length < SHORTEST) return 'too-short';
  if (description.length > 80) return undefined; // long texts are informative
  const words = toWords(description);
  const informative = words.filter((word) => !EMPTY_WORDS.has(word));
  if (isSame(words, toWords(name))) return 'repeats-name';
  if (informative.length === 0) return words.length === 0 ? undefined : 'says-nothing';
  const own = toWords(name).filter((word) => !EMPTY_WORDS.has(word));
  return own.length > 0 && isSame(informative, own) ? 'repeats-name' : undefined;
}

function toWords(text: string): readonly string[] {
  return text
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}/]+/u)
    .filter((word) => word !== '');
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.join(' ') === b.join(' ');
}
