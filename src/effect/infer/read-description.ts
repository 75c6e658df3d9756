/** Reads a description: the verbs it begins with, and phrases that indicate an effect. */
import type { Act } from '../act.ts';
import { TIERS } from '../tier.ts';
import { OPEN_ENDED, VERBS } from './lexicon.ts';
import type { VerbObject } from './act-with-object.ts';
import { actWithObject, headOf } from './act-with-object.ts';
import { isEnglish } from './read-foreign.ts';
import { FOREIGN_DENIALS, FOREIGN_PHRASES } from './foreign-phrases.ts';
import { DENIALS, INSTRUCTIONS, PHRASES } from './phrases.ts';
import { quoteWords } from './quote-words.ts';
import { OF_USERS, readName, REPLACES } from './read-name.ts';
import type { Signal } from './reason.ts';
import { graverSignal, signal, usualTier } from './reason.ts';
import { toSingular, toStems, toWords } from './to-words.ts';

const LONGEST = 4000;
const START = 300;
const LEAD_INS = new Set(
  `a an the this tool tools function endpoint operation method command api use used uses using to for
  allows allow lets let you user users agent can will enables enable helps help that which it bulk batch
  quickly safely simply just securely permanently immediately easily programmatically atomically
  deprecated beta experimental warning important note`.split(/\s+/),
);
const JOINS = new Set([',', '/', '&', 'and', 'or', 'then', '|']);

/** What the first verbs of the description mean, if they are in the position of a sentence's verb. */
export function readOpening(told: string, name = ''): Signal | undefined {
  const description = told.replace(QUESTION, '');
  const [, labelled] = BRACKETS.exec(description.slice(0, 400)) ?? [];
  const own = labelled === undefined ? undefined : readOpening(labelled, name);
  if (own !== undefined) return own;
  const [sentence = ''] = description
    .slice(0, 400)
    .trim()
    .replace(REQUEST_LINE, '')
    .replace(SYNONYM, '$1 / $2')
    .split(/[.\n;:](?:\s|$)/);
  if (REQUEST.test(sentence)) return undefined;
  const [, called] = CALLS.exec(sentence) ?? [];
  const meant = called === undefined ? undefined : readName(called, 'description');
  if (meant !== undefined) return { ...meant, weight: Math.min(meant.weight, 0.7) };
  const words =
    sentence
      .replaceAll(OF_USERS, 'user$1')
      .toLowerCase()
      .match(/[a-z0-9]+|[,/&|]/g) ?? [];
  const first = words.findIndex((word) => !LEAD_INS.has(word) && !JOINS.has(word));
  const start = goesOn(words, first) ? first + 1 : first;
  const lead = stemOf(words[start]);
  if (lead === undefined) return readAfterLabel(description, name);
  if (lead === 'replace' && supersedes(words.slice(start + 1))) return undefined;
  const purpose = lead === 'perform' ? readPurpose(description, name) : undefined;
  if (purpose !== undefined) return purpose;
  if (isNoun(lead, words[start + 1]) || isNamed(lead, words[start + 1], name)) return undefined;
  const verbs = [lead];
  let next = start + 1;
  while (JOINS.has(words[next] ?? '')) {
    while (JOINS.has(words[next] ?? '')) next += 1;
    const joined = stemOf(words[next]);
    if (joined === undefined || VERBS.get(joined)?.firm !== true) break;
    verbs.push(joined);
    next += 1;
  }
  const rest = words.slice(next, next + 5);
  const end = rest.findIndex((word) => ENDS_OBJECT.has(word));
  const nouns = rest.slice(0, end < 0 ? 4 : end).map(toSingular);
  // `Set or clear`, `Add or remove`: both directions of one change.
  if ((verbs.length === 2 ? GIVES.has(lead) : lead === 'set') && TAKES.has(verbs.at(-1) ?? ''))
    verbs.pop();
  // "Buying power" and "Leaks" open noun phrases; a participle counts only after "a tool for".
  const doubtful = words[start]?.endsWith('ing') === true && start === 0;
  const around = [...words.slice(next, next + 12), ...toWords(name)].map(toSingular);
  const head = headOf(words.slice(next, next + 8).map(toSingular));
  const object = { nouns, head, around };
  return verbs.map((verb) => meaningOf(verb, object, doubtful)).reduce(graverSignal);
}

/** `Continue editing the image`: it is edited. */
function goesOn(words: readonly string[], at: number): boolean {
  const next = words[at + 1] ?? '';
  return (
    /^(?:continue|keep|resume)s?$/.test(words[at] ?? '') &&
    next.endsWith('ing') &&
    stemOf(next) !== undefined
  );
}

/** `Acme CRM - Create a page`, `Page tool to create, read and update pages`: the verb follows what it belongs to. */
function readAfterLabel(description: string, name: string): Signal | undefined {
  const [, labelled] = LABEL.exec(description.slice(0, 400)) ?? [];
  return labelled === undefined ? readPurpose(description, name) : readOpening(labelled, name);
}

function readPurpose(description: string, name: string): Signal | undefined {
  const [, purpose] = PURPOSE.exec(description.slice(0, 400)) ?? [];
  if (purpose === undefined) return undefined;
  const found = purpose.split(/,|\band\b|\bor\b/).flatMap((part) => {
    const [first = ''] = /[a-z]+/i.exec(part) ?? [];
    return VERBS.has(first.toLowerCase()) ? (readOpening(part, name) ?? []) : [];
  });
  return found.length === 0 ? undefined : found.reduce(graverSignal);
}
/** `[Code Management] Create a branch` */
const BRACKETS = /^\s*\[[^\]\n]{1,80}\]\s*(\w.*)/s;
const LABEL = /^\W*\w[\w ./+&-]{0,39}?\]?(?:\s+[-–—|]\s+|\*{0,2}:\*{0,2}\s+)(\S.*)/s;
const PURPOSE =
  /^[^.\n]{0,60}\b(?:tool|builder|utility|helper)s? (?:to|that|for) (?:performs? (?:\w+ )?(?:actions|operations|tasks) (?:like|such as|including) )?([^.\n]+)/i;

/** "What is new? Shows the latest posts": the answer says what is done. */
const QUESTION = /^\s*(?:what|which|who|where|when|how|why)\b[^.?!\n]{1,80}\?\s+(?=[A-Z])/i;

/** `Archive (delete) a call`: another word for the verb. */
const SYNONYM = /^(\W*[a-z]+) \(([a-z]+)\)/i;
/** How it is done, not what. */
const REQUEST_LINE = /^\W*(?:GET|POST|PUT|PATCH)\s+\W?\/\S*[\s—–:.-]*/;
const REQUEST =
  /^(?:makes?|sends?|performs?|issues?) an? (?:get|post|put|patch|delete) request to \//i;

/** `Runs update_item for every item`: it does what that tool does. */
const CALLS = /^\W*(?:runs?|calls?|invokes?|executes?) `?([a-z]+(?:_[a-z]+)+)/i;

/** What follows is not what the verb is done to. */
const ENDS_OBJECT = new Set(
  'for in on to from by using via that which so when if where as at based inside within'.split(' '),
);
const GIVES = new Set('set add assign enable attach pin show lock mute update'.split(' '));
const TAKES = new Set(
  'clear remove unset unassign disable detach unpin hide unlock unmute reset'.split(' '),
);

function meaningOf(stem: string, object: VerbObject, doubtful: boolean): Signal {
  const { act: own, firm } = VERBS.get(stem) ?? { act: 'read', firm: false };
  const looks = firm && TIERS[usualTier(own)].readsOnly;
  const replaces = REPLACES.has(stem) && stem !== 'put';
  const act = (looks ? undefined : actWithObject(stem, object, false)) ?? (replaces ? 'put' : own);
  const tier = replaces && act === 'put' ? 'destructive' : undefined;
  const open = OPEN_ENDED.has(stem);
  const text = `the description begins with "${stem}", which means ${open ? 'anything' : act}`;
  const code = open ? 'open-ended' : 'verb';
  const weight = firm && !doubtful ? 0.7 : 0.5;
  return { ...signal(act, weight, { code, source: 'description', text }, tier), verb: stem };
}

/** `Messages of a chat`: before these, a word that may be a noun is one. */
function isNoun(stem: string, next: string | undefined): boolean {
  if (ADJECTIVES.has(stem) || (next === 'of' && stem !== 'dispose')) return true;
  return VERBS.get(stem)?.firm !== true && (next === undefined || AFTER_NOUNS.has(next));
}
/** `Replaces 3 specialized tools`, `Replaces: search.ts`: what this tool is used instead of. */
function supersedes(after: readonly string[]): boolean {
  return after.length === 0 || after.slice(0, 6).some((word) => SUPERSEDED.has(word));
}
const SUPERSEDED = new Set('tool tools deprecated legacy'.split(' '));

/** `create_message_template`: "Message template". The words of the name, where they are no verb either. */
function isNamed(stem: string, next: string | undefined, name: string): boolean {
  if (VERBS.get(stem)?.firm !== false || next === undefined) return false;
  const words = toWords(name);
  const at = words.indexOf(stem, 1);
  return at > 0 && toSingular(words[at + 1] ?? '') === toSingular(next);
}
const ADJECTIVES = new Set(['next', 'previous']);
const AFTER_NOUNS = new Set('of in on for from since with by that which'.split(' '));

function stemOf(word: string | undefined): string | undefined {
  return toStems(word ?? '').find((candidate) => VERBS.has(candidate));
}

/** Acts that a description lists, for a name without a verb: `Operations: create, delete`. */
export function readListed(description: string): readonly Signal[] {
  const found = description.slice(0, LONGEST).matchAll(LISTED);
  return [...found].flatMap(([, word = '']): Signal[] => {
    const verb = VERBS.get(word.toLowerCase());
    if (verb?.firm !== true || !TIERS[usualTier(verb.act)].asks) return [];
    const text = `the description lists "${word.slice(0, 40).toLowerCase()}", which means ${verb.act}`;
    return [signal(verb.act, 0.5, { code: 'phrase', source: 'description', text })];
  });
}
const LISTED =
  /(?:[,:/|•*"'`(\n-]|\bor|\band)\s{0,20}([a-z]{3,15})(?=[,.;:/|"'`)\s]|$)(?!\s{0,20}=)/gi;

/** Phrases that indicate an effect and are not negated right there. */
export function readPhrases(description: string, ofRead: boolean): readonly Signal[] {
  const text = description.slice(0, LONGEST);
  const found = PHRASES.flatMap(
    ({ act, pattern, evenOfReads, onlyAtStart, warns }): readonly Signal[] => {
      if (ofRead && !evenOfReads) return [];
      const said = readPhrase(onlyAtStart ? text.slice(0, START) : text, act, pattern, DENIALS);
      return warns === undefined ? said : said.map((one) => ({ ...one, warns }));
    },
  );
  if (ofRead || (isEnglish(text) && /^[ -~\s]*$/.test(text))) return found;
  const others = FOREIGN_PHRASES.flatMap(([act, pattern]) =>
    readPhrase(text, act, pattern, FOREIGN_DENIALS),
  );
  return [...found, ...others];
}

function readPhrase(text: string, act: Act, pattern: RegExp, denials: RegExp): readonly Signal[] {
  const match = pattern.exec(text);
  if (match === null || denials.test(text.slice(Math.max(0, match.index - 60), match.index)))
    return [];
  const words = `the description says ${quoteWords(text, match.index, match.index + match[0].length)}`;
  const reason = { code: 'phrase', source: 'description', text: words } as const;
  return [signal(act, 0.6, reason, act === 'put' ? 'destructive' : undefined)];
}

/** Text that instructs the model what to do or to hide is not a description, and is a risk in itself. */
export function readInstructions(description: string): Signal | undefined {
  const found = INSTRUCTIONS.some((pattern) => pattern.test(description.slice(0, LONGEST)));
  if (!found) return undefined;
  const text = 'the description gives the model instructions that are not about the tool';
  return signal('share', 0.5, { code: 'instructs-the-model', source: 'description', text });
}
