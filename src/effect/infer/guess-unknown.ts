/** What is made of a tool that has no known verb anywhere. */
import { isEnglish } from './read-foreign.ts';
import { RESULTS } from './find-lead.ts';
import * as nouns from './nouns.ts';
import type { Parameters } from './read-parameters.ts';
import { takesCode } from './read-schema.ts';
import type { Signal } from './reason.ts';
import { ENOUGH_CONFIDENCE, signal } from './reason.ts';
import { hasForeignLetters, toSingular, toWords } from './to-words.ts';

interface ToolText {
  readonly name: string;
  readonly description: string;
  readonly parameters: Parameters;
}

/**
 * No known verb. What is called by the name of a result returns it; nothing else that is unknown is
 * taken for a read. Noun phrases may be reads, so they are asked about for want of confidence only.
 */
export function guessUnknown({ name, description, parameters }: ToolText): Signal {
  const words = toWords(name);
  const acts = IMPERATIVE.test(description) || saysWhatItDoes(words[0] ?? '', description);
  if (words.length === 0 || acts || takesCode(parameters) || !isLegible(description))
    return UNREADABLE;
  if (RESULTS.has(toSingular(words.at(-1) ?? ''))) {
    const text = 'the name is that of a result';
    return signal('read', ENOUGH_CONFIDENCE, { code: 'noun-only', source: 'name', text });
  }
  if (tellsOfOne(words, description)) {
    const text = 'the description names what is returned';
    return signal('read', ENOUGH_CONFIDENCE, { code: 'noun-only', source: 'description', text });
  }
  if (namesResults(words, description)) {
    const text = 'the name is that of several things, which the description describes';
    return signal('read', ENOUGH_CONFIDENCE, { code: 'noun-only', source: 'name', text });
  }
  const text = 'neither name nor description has a verb; both name a thing';
  return signal('update', 0.3, { code: 'noun-only', source: 'name', text });
}

export const UNREADABLE: Signal = signal('delete', 0.1, {
  code: 'unreadable',
  source: 'name',
  text: 'nothing says what it does',
});

/**
 * `campaign_notes`: "The player's campaign notes". The name of what is returned, whose words the description
 * uses, and does not begin with as with a verb.
 */
function namesResults(words: readonly string[], description: string): boolean {
  const last = words.at(-1) ?? '';
  if (!(SEVERAL.test(last) || RETURNED.has(last)) || DEEDS.test(words.join(' '))) return false;
  const [sentence = ''] = description.split(/[.\n;:](?:\s|$)/);
  const said = toWords(sentence);
  if (DEEDS.test(said.join(' ')) || TOOLS.test(said.join(' '))) return false;
  const known = new Set(said.map(toSingular));
  const own = words.filter((word) => !QUALIFIERS.has(word));
  const [first = ''] = own;
  return (
    own.every((word) => known.has(toSingular(word))) &&
    (own.length === 1 || first !== said[0] || isNounOrAdjective(first))
  );
}
/** `parcel`: "Details of one parcel". */
function tellsOfOne(words: readonly string[], description: string): boolean {
  const [, thing] = TOLD_OF.exec(description) ?? [];
  if (thing === undefined || DEEDS.test(words.join(' '))) return false;
  const said = toWords(thing);
  if (DEEDS.test(said.join(' ')) || TOOLS.test(said.join(' '))) return false;
  return words.every((word) => said.map(toSingular).includes(toSingular(word)));
}
const TOLD_OF =
  /^\s*(?:the |full |all |current |latest )*(?:details?|info|information|metadata|facts|statistics|stats|status|summary|overview) (?:of|for|about|on) ([^.;:\n]*)/i;
const SEVERAL = /[a-z]{3,}(?:[^s]s|sis)$/;
const RETURNED = new Set(
  `transcript content structure quality definition graph calendar performance temperature authority portfolio ticker
  timeline outline number`.split(/\s+/),
);
const QUALIFIERS = new Set(
  'auto prev previous next last current my all top ai human recent analysis'.split(' '),
);

/** `page_views`: "Page views". Of other words nobody knows whether they are verbs: `frob_views`. */
function isNounOrAdjective(word: string): boolean {
  return NOUNS.has(word) || /[a-z]{3}(?:ive|able|ing|ed|al|ic|ous|tion|ment|ity|ar)$/.test(word);
}
const NOUNS: ReadonlySet<string> = new Set(
  Object.values(nouns).flatMap((set) => (typeof set === 'function' ? [] : [...set])),
);

/** Nouns of acts that ask. */
const DEEDS =
  /\b(?:delet|remov|eras|purg|wip|revo[ck]|terminat|cancel|pay|transfer|purchas|refund|reset|shutdown|broadcast|publi|invit|destr|kill|execut|command|trade|order|withdraw|deposit|closure|liquidat|evict|offboard|expul|suspen|seizure|disburs|deploy)/;
const TOOLS =
  /\b(?:tools?|interface|wrapper|utility|helper|builder|manager|operations?|actions?)\b/;

function isLegible(description: string): boolean {
  if (description.trim() === '') return false;
  return !hasForeignLetters(description) || isEnglish(description);
}

/** `frobnicate`: "Frobnicates." The name is used as a verb. */
function saysWhatItDoes(word: string, description: string): boolean {
  const [first = ''] = /[a-z]+/i.exec(description) ?? [];
  return word !== '' && [`${word}s`, `${word}es`].includes(first.toLowerCase());
}

/** One word and an article: `Frobnicates the disk`. */
const IMPERATIVE =
  /^\s*(?!wh|how|all|each|every|both)[a-z]+ (?:an?|the|all|your|this|these|existing|multiple|it|them|off|out|up|down|back|away|over)\s/i;
