/** Reads names and descriptions in other languages, as far as our table of verbs goes. */
import { TIERS } from '../tier.ts';
import type { ForeignVerb } from './foreign-verbs.ts';
import { foreignVerbOf, foreignVerbsIn } from './foreign-verbs.ts';
import type { Signal } from './reason.ts';
import { graverSignal, signal, usualTier } from './reason.ts';
import { hasForeignLetters, toWords } from './to-words.ts';

/** How much of a description is searched for verbs, in characters and in words. */
const START = 120;
const FIRST_WORDS = 8;

/** The gravest verb of a name that has none in English. */
export function readForeignName(name: string): Signal | undefined {
  if (hasForeignLetters(name))
    return mixesScripts(name) ? undefined : gravest(foreignVerbsIn(name), 'name');
  const words = toWords(name);
  const found = words.flatMap((word, at) => {
    const verb = foreignVerbOf(word);
    // In the middle it is as likely a noun.
    return verb === undefined || (isRead(verb) && at > 0 && at < words.length - 1) ? [] : [verb];
  });
  return gravest(found, 'name');
}

/** The gravest verb at the beginning of a description that is not in English. */
export function readForeignOpening(description: string): Signal | undefined {
  // `[SALES] Busca …`: a mark before the sentence.
  const start = description.replace(/^\s*\[[^\]]{1,40}\]\s*/, '').slice(0, START);
  if (hasForeignLetters(start)) return gravest(foreignVerbsIn(start), 'description');
  if (isEnglish(description)) return undefined;
  const words = toWords(start).slice(0, FIRST_WORDS);
  const found = words.flatMap((word) => foreignVerbOf(word) ?? []);
  return words.slice(0, 3).some((word) => foreignVerbOf(word))
    ? gravest(found, 'description')
    : undefined;
}

/** Few descriptions in English go without one of these. */
export function isEnglish(text: string): boolean {
  return /\b(?:the|of|and|for|with|from|to|by|is|are|this|that)\b/i.test(text);
}

/** `dеlete` with a Cyrillic letter: a word in letters of two scripts is meant to look like another. */
function mixesScripts(name: string): boolean {
  return /\p{Script=Latin}[\p{Script=Cyrillic}\p{Script=Greek}]|[\p{Script=Cyrillic}\p{Script=Greek}]\p{Script=Latin}/u.test(
    name.normalize('NFKD').replaceAll(/[\p{M}\p{Cf}]/gu, ''),
  );
}

function gravest(
  verbs: readonly ForeignVerb[],
  source: 'name' | 'description',
): Signal | undefined {
  const found = verbs.map((verb) => {
    const text = `"${verb.word}" in the ${source} means ${verb.act}`;
    // What is started may be anything, and in a sentence it may be nothing.
    const starts = verb.act === 'compute' && source === 'description';
    const weight = source === 'name' && !isRead(verb) ? 0.8 : starts ? 0.4 : 0.6;
    const act = verb.act === 'compute' ? 'delete' : verb.act;
    return signal(act, weight, { code: 'verb', source, text });
  });
  return found.length === 0 ? undefined : found.reduce(graverSignal);
}

function isRead({ act }: ForeignVerb): boolean {
  return TIERS[usualTier(act)].readsOnly;
}
