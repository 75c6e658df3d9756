/**
 * Grave verbs that a name hides from a plain reading: in another language, without their vowels, with digits for
 * letters, glued to another word or cut apart by capitals. Unknown words in front of a read are mostly names of
 * servers and things, so only these are looked for.
 */
import { TIERS } from '../tier.ts';
import { CORE, isUnmistakable, UNMISTAKABLE } from './find-lead.ts';
import { foreignVerbOf } from './foreign-verbs.ts';
import { VERBS } from './lexicon.ts';
import type { Signal } from './reason.ts';
import { signal, usualTier } from './reason.ts';
import { hasForeignLetters, toPlainLetters, toWords } from './to-words.ts';

/** Letters that are none of ours, or signs inside of a word that stand for letters or show nothing. */
export function hidesLetters(name: string): boolean {
  return hasForeignLetters(name) || SIGNS.test(toPlainLetters(name));
}
const SIGNS = /[a-z0-9][@$!*]+[a-z0-9]|[a-z0-9][^ -~\p{L}\s]|[^ -~\p{L}\s][a-z0-9]/iu;

/** The grave act that a word of the name stands for, unless a plain verb with its own object follows it. */
export function readDisguised(name: string): Signal | undefined {
  const words = toWords(name);
  const found =
    cutApart(name) ??
    spacedOut(words) ??
    words.map((word, at) => (isServer(words, at) ? undefined : verbIn(word, at))).find(Boolean);
  if (found === undefined) return undefined;
  const { word, verb, act } = found;
  const text = `"${word.slice(0, 40)}" in the name ${verb === undefined ? '' : `may be "${verb}" and `}means ${act}`;
  // A word of a table is known, a spelling is guessed.
  return verb === undefined
    ? signal(act, 0.8, { code: 'verb', source: 'name', text })
    : signal(act, 0.4, { code: 'unreadable', source: 'name', text });
}

interface Hidden {
  readonly word: string;
  /** The verb that it is a spelling of; none of a word of another language. */
  readonly verb?: string;
  readonly act: Signal['act'];
}

/** `cobra_get_commands`: what stands before a plain verb that has an object is the name of a server. */
function isServer(words: readonly string[], at: number): boolean {
  return at === 0 && words.length > 2 && CORE.has(words[1] ?? '');
}

function verbIn(word: string, at: number): Hidden | undefined {
  if (VERBS.has(word)) return undefined;
  const bare =
    unvowelled(word) ?? doubled(word) ?? GLUED.exec(word)?.slice(1).find(Boolean) ?? spelled(word);
  if (bare !== undefined) return toHidden(word, bare);
  const foreign = foreignVerbOf(word);
  // Further on, what is no infinitive is as likely a noun: `ordenes_de_compra`.
  if (foreign === undefined || (at > 0 && !/(?:ar|er|ir|re|en)$/.test(word))) return undefined;
  const act = foreign.act === 'compute' ? 'delete' : foreign.act;
  return TIERS[usualTier(act)].asks ? { word, act } : undefined;
}

function toHidden(word: string, verb: string): Hidden | undefined {
  const act = VERBS.get(verb)?.act;
  return act === undefined ? undefined : { word, verb, act };
}

/** `wthdrw`, `delet`: some of the vowels are missing; not where the letters are those of something else. */
function unvowelled(word: string): string | undefined {
  const bare = word.replaceAll(VOWELS, '');
  const verb = OTHERS.has(bare) ? undefined : BARE.get(bare);
  return verb !== undefined && word.length < verb.length && isWithin(word, verb) ? verb : undefined;
}
const VOWELS = /[aeiou]/g;
const BARE: ReadonlyMap<string, string> = new Map(
  [...UNMISTAKABLE, 'drop', 'transfer'].flatMap((verb): [string, string][] => {
    const bare = verb.replaceAll(VOWELS, '');
    return bare.length < 3 ? [] : [[bare, verb]];
  }),
);
/** Sound, a program, a kind of bus, a service for notes and the like. */
const OTHERS = new Set('snd prg shr grnt sll brt ntfy dnt'.split(' '));

/** Whether its letters are those of the other word, in their order. */
function isWithin(word: string, whole: string): boolean {
  let at = 0;
  for (const letter of whole) if (letter === word[at]) at += 1;
  return at === word.length;
}

/** `deletee` */
function doubled(word: string): string | undefined {
  return word.length < 6 || !/(.)\1/.test(word) ? undefined : SINGLE.get(toSingle(word));
}
function toSingle(word: string): string {
  return word.replaceAll(/(.)\1+/g, '$1');
}
const SINGLE: ReadonlyMap<string, string> = new Map(
  [...UNMISTAKABLE].map((verb) => [toSingle(verb), verb]),
);

/** `d_e_l_e_t_e`, `d_elete` */
function spacedOut(words: readonly string[]): Hidden | undefined {
  for (const [start, first] of words.entries()) {
    let joined = first;
    for (const next of words.slice(start + 1, start + LONGEST)) {
      const isCut = joined.length === 1 || next.length === 1;
      joined += next;
      if (isCut && UNMISTAKABLE.has(joined)) return toHidden(joined, joined);
    }
  }
  return undefined;
}
const LONGEST = 10;

/** `massdelete`, `deleteuser`; not a participle or another noun. */
const GLUED =
  /^(?!un)[a-z]+(delete|destroy|purge|erase|revoke|withdraw|terminate|truncate|overwrite)$|^(delete|destroy|purge|erase|revoke|withdraw|terminate|truncate|overwrite|uninstall)(?!(?:d|s|r|rs|n|er|ers|al|als|ed|ing)$)[a-z]{2,}$/;

/** `de1ete`, `k1ll`, `delete2` */
function spelled(word: string): string | undefined {
  if (!/\d/.test(word) || !/[a-z]/.test(word)) return undefined;
  const bare = word.replaceAll(/^\d+|\d+$/g, '');
  if (isUnmistakable(bare)) return bare;
  const letters = word.replaceAll(/[03457]/g, (digit) => DIGITS[digit] ?? digit);
  return ['l', 'i'].map((one) => letters.replaceAll('1', one)).find(isUnmistakable);
}
const DIGITS: Readonly<Record<string, string>> = { 0: 'o', 3: 'e', 4: 'a', 5: 's', 7: 't' };

/** `DeLeTe_user`: capitals that end a word inside of the verb. */
function cutApart(name: string): Hidden | undefined {
  for (const [run] of toPlainLetters(name.slice(0, 256)).matchAll(
    /[A-Za-z]*[a-z][A-Z][A-Za-z]*/g,
  )) {
    const [first = ''] = toWords(run);
    const whole = run.toLowerCase();
    const verb = [...UNMISTAKABLE].find(
      (one) => one.length > first.length && whole.startsWith(one),
    );
    const pieces = verb === undefined ? [] : toWords(run.slice(0, verb.length));
    if (verb !== undefined && pieces.length > 1) return toHidden(run, verb);
  }
  return undefined;
}
