/** The word of a tool's name that says what is done: the first that is hardly ever a noun, else the first that may be a verb. */
import { verbOf } from '../../effect/reading/lexicon.ts';
import { toWords } from '../../effect/reading/to-words.ts';

export function leadVerb(name: string): string | undefined {
  const words = toWords(name);
  return (
    words.find((word) => verbOf(word)?.firm === true) ??
    words.find((word) => verbOf(word) !== undefined)
  );
}
