/** Reads a description: the verb it begins with, and phrases that tell of an effect. */
import { VERBS } from './lexicon.ts';
import { actWithObject } from './objects.ts';
import { DENIALS, INSTRUCTIONS, PHRASES } from './phrases.ts';
import type { Signal } from './signal.ts';
import { signal } from './signal.ts';
import { toSingular, toStems } from './to-words.ts';

const LONGEST = 4000;
const LEAD_INS = new Set(
  `a an the this tool tools function endpoint operation method command api use used uses using to for
  allows allow lets let you user users agent can will enables enable helps help that which it bulk batch
  quickly safely simply just securely permanently immediately easily programmatically atomically
  deprecated beta experimental warning important note`.split(/\s+/),
);

/** What the first verb of the description means, if it stands where a sentence has its verb. */
export function readOpening(description: string): Signal | undefined {
  const [sentence = ''] = description
    .slice(0, 400)
    .trim()
    .split(/[.\n;:](?:\s|$)/);
  const words = sentence.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const start = words.findIndex((word) => !LEAD_INS.has(word));
  const stem = toStems(words[start] ?? '').find((candidate) => VERBS.has(candidate));
  const verb = stem === undefined ? undefined : VERBS.get(stem);
  if (stem === undefined || verb === undefined) return undefined;
  const nouns = words.slice(start + 1, start + 5).map(toSingular);
  const looks = /\bread[- ]only\b/i.test(sentence);
  const act = (looks ? undefined : actWithObject(stem, nouns)) ?? verb.act;
  // "Buying power" and "Leaks" open noun phrases; a participle counts only after "a tool for".
  const doubtful = words[start]?.endsWith('ing') === true && start === 0;
  const text = `the description begins with "${stem}", which means ${act}`;
  return signal(act, verb.firm && !doubtful ? 0.7 : 0.5, {
    code: 'verb',
    source: 'description',
    text,
  });
}

/** Phrases that tell of an effect and are not denied in the same breath. */
export function readPhrases(description: string, ofRead: boolean): readonly Signal[] {
  const text = description.slice(0, LONGEST);
  return PHRASES.flatMap(({ act, pattern, evenOfReads }): Signal[] => {
    if (ofRead && !evenOfReads) return [];
    const match = pattern.exec(text);
    if (match === null || DENIALS.test(text.slice(Math.max(0, match.index - 60), match.index)))
      return [];
    const words = `the description says "${match[0].slice(0, 60)}"`;
    return [signal(act, 0.6, { code: 'phrase', source: 'description', text: words })];
  });
}

/** Text that tells the model what to do or to hide is no description, and a risk of its own. */
export function readInstructions(description: string): Signal | undefined {
  const found = INSTRUCTIONS.some((pattern) => pattern.test(description.slice(0, LONGEST)));
  if (!found) return undefined;
  const text = 'the description gives the model instructions that are not about the tool';
  return signal('share', 0.5, { code: 'instructs-the-model', source: 'description', text });
}

/** Says of a query that it only looks. */
export function saysReadOnly(description: string): boolean {
  return /\bread[- ]?only\b|\bSELECT (?:quer|statement|only)|\bonly SELECT\b/i.test(
    description.slice(0, LONGEST),
  );
}
