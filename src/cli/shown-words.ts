/** The words of a command line, ready for a shell; nothing where one of them may be a secret. */
import { hideArgument } from '../gate/hosts/hide-argument.ts';
import { quoteWord } from '../lib/quote-word.ts';

export function toShownWords(words: readonly string[]): string | undefined {
  const isPlain = words.every((word, at) => hideArgument(word, words[at - 1]) === word);
  return isPlain ? words.map(quoteWord).join(' ') : undefined;
}
