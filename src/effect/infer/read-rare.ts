/** Reads names and descriptions whose verb is a less common one, or a word that is a noun elsewhere. */
import type { Act } from '../act.ts';
import { actWithObject, headOf } from './act-with-object.ts';
import { RARE_VERBS } from './rare-verbs.ts';
import type { ReasonSource, Signal } from './reason.ts';
import { signal } from './reason.ts';
import { RESULTS } from './find-lead.ts';
import { toSingular, toStems, toWords } from './to-words.ts';

/** A name that has no common verb: a rare one at its start, after the server's name, or at its end. */
export function readRareName(name: string, description = ''): Signal | undefined {
  const words = toWords(name);
  // `page_count`: the name is that of a result.
  if (RESULTS.has(toSingular(words.at(-1) ?? ''))) return undefined;
  const at = [0, 1, words.length - 1].find(
    (one) => RARE_VERBS.has(words[one] ?? '') && (one === 0 || !THINGS.has(words[one] ?? '')),
  );
  if (at === undefined) return undefined;
  // Alone it may be the name of a thing.
  const alone = isUsed(words[at] ?? '', description) ? 0.5 : 0.4;
  const weight = words.length === 1 ? alone : at === 0 ? 0.6 : 0.5;
  const others = words.filter((_, one) => one !== at).map(toSingular);
  return read(words[at] ?? '', others, weight, 'name');
}

/** `continue`: "Continue playback". The one word of the name is used as a verb. */
function isUsed(word: string, description: string): boolean {
  const [, first = '', next = ''] = /^\s*([a-z]+) ([a-z]+)/i.exec(description.slice(0, 200)) ?? [];
  if (THINGS.has(word) || !toStems(first.toLowerCase()).includes(word)) return false;
  return !AFTER_NOUNS.has(next.toLowerCase());
}
const AFTER_NOUNS = new Set('of in on for from since with by that which is are and or'.split(' '));

/** After another word these are things. */
const THINGS = new Set(
  `position point level form frame style template color colour texture layer light route space journal cluster chart
  chat host clip draw film memo mirror mold mould pair pen plant rig tile cut cycle grade mask mix orbit pad pan
  parent park pitch pose shade shift slice slide snap spin spread stack toast twist cache design screen surface study
  spot mine bundle cast author dock loop mount offset`.split(/\s+/),
);

/** `Sculpts a mesh`: what follows shows that the word is used as a verb. */
export function readRareOpening(description: string): Signal | undefined {
  const [, first = '', rest = ''] = VERB_AND_OBJECT.exec(description.slice(0, 200)) ?? [];
  const stem = toStems(first.toLowerCase()).find((one) => RARE_VERBS.has(one));
  if (stem === undefined) return undefined;
  return read(stem, toWords(rest).slice(0, 6).map(toSingular), 0.6, 'description');
}
const VERB_AND_OBJECT =
  /^\s*(?:(?:this )?tool (?:to|that|for) )?([a-z]+) ((?:an?|the|all|your|this|these|one|multiple|each|every|its|selected|existing|specified|given)\s.*)/i;

/** What is done to the same object by a common verb of that act: `revise_subscription`, `construct_invitation`. */
const COMMON: ReadonlyMap<Act, string> = new Map([
  ['create', 'add'],
  ['update', 'update'],
]);

function read(
  verb: string,
  others: readonly string[],
  weight: number,
  source: ReasonSource,
): Signal | undefined {
  const own = RARE_VERBS.get(verb);
  if (own === undefined) return undefined;
  const object = { nouns: others, head: headOf(others) };
  const act =
    actWithObject(verb, object, false) ??
    actWithObject(COMMON.get(own) ?? '', object, false) ??
    own;
  const text = `"${verb}" in the ${source} means ${act}`;
  return { ...signal(act, weight, { code: 'verb', source, text }), verb };
}
