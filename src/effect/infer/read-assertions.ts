/**
 * What a description asserts that the tool itself does, anywhere in it: "Destroys existing data",
 * "and then removes the old files". What others do, what is denied and what is only mentioned does not count.
 */
import type { Act } from '../act.ts';
import { DEEDS, DEEDS_OF_WRITES } from './deeds.ts';
import { DENIALS } from './phrases.ts';
import type { Signal } from './reason.ts';
import { signal } from './reason.ts';
import { toStems } from './to-words.ts';

const LONGEST = 4000;

const VERBS: ReadonlyMap<string, Act> = new Map(
  (
    [
      [
        'delete',
        'delete remove destroy erase wipe drop truncate purge overwrite discard uninstall trash',
      ],
      ['cancel', 'terminate kill cancel abort'],
      ['revoke', 'revoke deactivate suspend ban'],
      ['deliver', 'send notify email broadcast'],
      ['share', 'publish'],
      ['spend', 'charge purchase pay reimburse'],
    ] as const
  ).flatMap(([act, verbs]) => verbs.split(' ').map((verb): [string, Act] => [verb, act])),
);

/** The sentence begins with its verb, or with the tool as its subject. */
const OWN =
  /^(?:(?:warning|caution|danger|important|note|destructive|irreversible|side effects?)\W+)*(?:(?:this|the)(?: (?:tool|operation|command|action|function|call|method|endpoint))?(?: (?:will|also|permanently|then|first|may|can))* |it (?:(?:will|also|then|permanently|first) )*|will |also |then |permanently |immediately |automatically )?([a-z]+)\b(.*)/i;
/** A second verb of the same subject. */
const JOINED =
  /(?:,|\band\b|\bthen\b|\balso\b)\s+(?:(?:then|also|permanently|automatically|immediately|completely) ){0,4}([a-z]+s)\s+(?=(?:the|all|any|every|an?|its|their|your|this|these|existing|old|previous|it|them|associated|related)\b)/gi;

/** Taken away from texts, views and answers, where nothing is lost. */
const TRIFLES =
  /^\W*(?:(?:the|all|any|an?|its|every|extra|leading|trailing|unnecessary|unused|empty) )*(?:whitespaces?|spaces?|duplicates?|formatting|html|markup|markdown|noise|caches?|filters?|placeholders?|nulls?|boilerplate|ads|background|stop ?words|selections?|highlights?|prefix\w*|suffix\w*|accents?|quotes?|newlines?|columns? from the (?:result|output)|labels?|tags?|reactions?|stars?|likes?)\b/i;

export function readAssertions(description: string, ofRead: boolean): readonly Signal[] {
  const found: Signal[] = [];
  const sentences = description
    .trim()
    .slice(0, LONGEST)
    .split(/[.!?;\n]+(?=\s|$)/);
  for (const [at, sentence] of sentences.entries()) {
    const text = sentence.trim().replace(/^[^\p{L}\p{N}]+/u, '');
    found.push(...readDeeds(text, ofRead));
    const own = OWN.exec(text);
    if (own === null) continue;
    const [, first = '', rest = ''] = own;
    const lead = toStems(first.toLowerCase()).find((stem) => VERBS.has(stem));
    // How the first sentence begins is read elsewhere. Later ones that begin with a bare verb tell the
    // reader what to do.
    const asserts = at > 0 && (first.endsWith('s') || !text.startsWith(first));
    if (lead !== undefined && asserts) add(found, lead, rest, text);
    if (ofRead) continue;
    for (const match of text.matchAll(JOINED)) {
      const stem = toStems((match[1] ?? '').toLowerCase()).find((one) => VERBS.has(one));
      const before = text.slice(0, match.index);
      if (stem !== undefined && !OF_OTHERS.test(before) && !DENIALS.test(before))
        add(found, stem, text.slice(match.index + match[0].length), text);
    }
  }
  return found;
}

function readDeeds(sentence: string, ofRead: boolean): readonly Signal[] {
  const deeds = ofRead ? DEEDS : [...DEEDS, ...DEEDS_OF_WRITES];
  return deeds.flatMap(([act, pattern]): readonly Signal[] => {
    const match = pattern.exec(sentence);
    const before = sentence.slice(0, match?.index ?? 0);
    if (match === null || BY_OTHERS.test(before) || DENIALS.test(before)) return [];
    return [toSignal(act, sentence)];
  });
}
const BY_OTHERS = /\b(?:that|which|who|when|if|where|whether|how|because|while|unless|once)\b/i;

/** `a hook that creates and deletes`: somebody else is the subject. */
const OF_OTHERS =
  /\b(?:that|which|who|when|if|where|whether|how|what|because|while|unless|once|for)\b/i;

function add(found: Signal[], stem: string, rest: string, sentence: string): void {
  const act = VERBS.get(stem);
  if (act === undefined || TRIFLES.test(rest)) return;
  found.push(toSignal(act, sentence));
}

function toSignal(act: Act, sentence: string): Signal {
  const text = `the description says "${sentence.slice(0, 60)}"`;
  const tier = act === 'put' ? 'destructive' : undefined;
  return signal(act, 0.6, { code: 'phrase', source: 'description', text }, tier);
}
