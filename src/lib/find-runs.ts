/** Finds the runs of characters from one alphabet in a text that are of some length at least. */
import type { Span } from './span.ts';

/** A flag for each ASCII code. */
export type Alphabet = Uint8Array;

export function toAlphabet(characters: string): Alphabet {
  const alphabet = new Uint8Array(128);
  for (const character of characters) alphabet[character.charCodeAt(0)] = 1;
  return alphabet;
}

/**
 * Looks at each place where a run could end, backwards from there, so that most characters of a
 * text with short words are never looked at and none more than twice.
 */
export function findRuns(text: string, alphabet: Alphabet, least: number): readonly Span[] {
  const runs: Span[] = [];
  let start = 0;
  while (start + least <= text.length) {
    let at = start + least - 1;
    while (at >= start && alphabet[text.charCodeAt(at)] === 1) at--;
    if (at < start) {
      at = start + least;
      while (at < text.length && alphabet[text.charCodeAt(at)] === 1) at++;
      runs.push({ start, end: at });
    }
    start = at + 1;
  }
  return runs;
}
