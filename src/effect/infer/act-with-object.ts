/** Which act a verb means with its object, by the rules in `object-rules.ts`. */
import type { Act } from '../act.ts';
import { deedOf } from './deed-of.ts';
import * as n from './nouns.ts';
import type { ObjectRule } from './object-rule.ts';
import { NAME_RULES, OBJECT_RULES } from './object-rules.ts';

const OF_TEXT = byVerb(OBJECT_RULES);
const OF_NAMES = byVerb(NAME_RULES);

function byVerb(rules: readonly ObjectRule[]): ReadonlyMap<string, readonly ObjectRule[]> {
  const found = new Map<string, ObjectRule[]>();
  for (const one of rules) {
    for (const verb of one.verbs) {
      const known = found.get(verb);
      if (known === undefined) found.set(verb, [one]);
      else known.push(one);
    }
  }
  return found;
}

/** What a verb is done to, in the words of a name or of a sentence. */
export interface VerbObject {
  /** Every word beside the verb. */
  readonly nouns: readonly string[];
  /** The word that the others only describe: `template` in `message_template`. */
  readonly head: string;
  /** Words further on; they only keep the object from being taken for something graver. */
  readonly around?: readonly string[];
}

/** The last word of the first phrase after the verb or, where nothing follows it, before it. */
export function headOf(after: readonly string[], before: readonly string[] = []): string {
  const start = after.findIndex((word) => !PREPOSITIONS.has(word));
  const rest = start < 0 ? [] : after.slice(start);
  const end = rest.findIndex((word) => PREPOSITIONS.has(word));
  const phrase = end < 0 ? rest : rest.slice(0, end);
  return phrase.findLast(isObject) ?? before.findLast(isObject) ?? '';
}

function isObject(word: string): boolean {
  return !FILLERS.has(word) && !/^v?\d+$/.test(word);
}
const FILLERS = new Set(
  'tool api bulk batch multiple new all one single async sync now simple advanced quick my id'.split(
    ' ',
  ),
);
const PREPOSITIONS = new Set(
  `to from for by in on of with as via using at into onto and or then per about between under against through
  within inside over without before after that which where when if so based , / & |`.split(/\s+/),
);

/**
 * The act that this verb means with its object, if it differs from its own. What is missing from a
 * name is more telling than what is missing from a sentence.
 */
export function actWithObject(
  verb: string,
  { nouns, head, around = [] }: VerbObject,
  inName: boolean,
): Act | undefined {
  const has = (set: n.Words): boolean => nouns.some((noun) => set.has(noun));
  const near = (set: n.Words): boolean => has(set) || around.some((noun) => set.has(noun));
  const isOf = (set: n.Words): boolean =>
    set.has(head) ||
    nouns.some((noun) => set.has(noun) && (n.OPENLY.has(noun) || n.CARRIERS.has(head)));
  const found = (inName ? OF_NAMES : OF_TEXT)
    .get(verb)
    ?.find(
      (one) =>
        (one.nouns === undefined || (one.isHead ? isOf : one.isMild ? near : has)(one.nouns)) &&
        (one.also === undefined || near(one.also)) &&
        (one.without === undefined || !near(one.without)) &&
        (one.last === undefined || one.last.has(nouns.at(-1) ?? '')),
    );
  if (found !== undefined) return found.act;
  return DOES.has(verb) && !has(n.KEPT) ? deedOf(head) : undefined;
}

/** `create_cancellation`: with these, a deed is done and not described. */
const DOES = n.words(
  'create add make new submit start begin initiate issue request perform process schedule execute place file',
);
