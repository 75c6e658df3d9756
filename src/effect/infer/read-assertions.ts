/**
 * What a description asserts that the tool itself does, anywhere in it: "Destroys existing data",
 * "and then removes the old files". What others do, what is denied and what is only mentioned does not count.
 */
import type { Act } from '../act.ts';
import { ASSERTION_PATTERNS, TRIFLES } from './assertion-patterns.ts';
import { DENIALS } from './phrases.ts';
import { quoteWords } from './quote-words.ts';
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

const OF_TRIFLES = new RegExp(`^\\W*${TRIFLES}`, 'i');

export function readAssertions(description: string, ofRead: boolean): readonly Signal[] {
  const found: Signal[] = [];
  const sentences = description
    .trim()
    .slice(0, LONGEST)
    .split(/[.!?;\n]+(?=\s|$)/);
  for (const [at, sentence] of sentences.entries()) {
    const text = sentence.trim().replace(/^[^\p{L}\p{N}]+/u, '');
    found.push(...readPatterns(text, ofRead));
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
      if (stem !== undefined && !isOfOthers(text.slice(0, match.index)))
        add(found, stem, text.slice(match.index + match[0].length), text);
    }
  }
  return found;
}

function readPatterns(sentence: string, ofRead: boolean): readonly Signal[] {
  return ASSERTION_PATTERNS.flatMap(({ act, pattern, evenOfReads }): readonly Signal[] => {
    const match = ofRead && !evenOfReads ? null : pattern.exec(sentence);
    if (match === null || isOfOthers(sentence.slice(0, match.index))) return [];
    return [toSignal(act, sentence)];
  });
}

/** `a hook that creates and deletes`: somebody else is the subject, or it is denied. */
function isOfOthers(before: string): boolean {
  return OTHER_SUBJECT.test(before) || DENIALS.test(before);
}
const OTHER_SUBJECT =
  /\b(?:that|which|who|when|if|where|whether|how|what|because|while|unless|once)\b/i;

function add(found: Signal[], stem: string, rest: string, sentence: string): void {
  const act = VERBS.get(stem);
  if (act === undefined || OF_TRIFLES.test(rest)) return;
  found.push(toSignal(act, sentence));
}

function toSignal(act: Act, sentence: string): Signal {
  const text = `the description says ${quoteWords(sentence)}`;
  const tier = act === 'put' ? 'destructive' : undefined;
  return signal(act, 0.6, { code: 'phrase', source: 'description', text }, tier);
}
