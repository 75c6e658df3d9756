/** Reads a tool's name: which verb leads, which nouns follow, in any naming style. */
import { TIERS } from '../tier.ts';
import { OPEN_ENDED, verbOf } from './lexicon.ts';
import { actWithObject, headOf } from './act-with-object.ts';
import type { Found } from './find-lead.ts';
import { findLead, isMailed, NOUNY, PLAIN, RESULTS, saysHow, THINGS } from './find-lead.ts';
import { MESSAGES } from './nouns.ts';
import type { Reason, ReasonSource, Signal } from './reason.ts';
import { signal, usualTier } from './reason.ts';
import { toSingular, toWords } from './to-words.ts';

/** Nouns of two words, one of which would pass for a verb. */
const COMPOUNDS =
  /(pull|merge|check|test|workflow|fine|top|drag|port|foreign)[_\-. ]?(requests?|runs?|suites?|tun(?:e|ing)|up|forward(?:ing|s)?|and[_\-. ]drop)(?![a-z])/gi;
const LISTS = /(?<![a-z])(access|check)[_\-. ]?(?=lists?(?![a-z]))/gi;
/** Of a user, and no user. */
export const OF_USERS: RegExp =
  /(?<![a-z])user[_\-. ]?(defined|agent|generated|provided|specified|supplied)(?![a-z])/gi;
/** Directions in a browser or an editor. */
const STORES = /(?<![a-z])(app|play|data|vector|key|object|blob)[_\-. ]?store(?![a-z])/gi;
/** A book of these is looked into; a hotel is booked. */
const BOOKS = /(?<![a-z])(order|play|run|hand|address)[_\-. ]?book(?=s?(?![a-z]))/gi;
/** `post_process`: what is done afterwards, and not posted. */
const STAGES = /(?<![a-z])(?:post|pre)[_\-. ]?process/gi;
/** Verbs of two words, each of which means something else alone. */
const PHRASAL =
  /(?<![a-z])(check|cash|pay|roll|tear|take|shut|wipe|lock|power|hang|clean)[_\-. ]?(out|back|down|off|up)(?![a-z])/gi;
const DIRECTIONS = /(?<![a-z])go[_\-. ]?(?:back|forward)(?![a-z])/gi;

const JOINS = new Set(['and', 'or', 'then']);

/** What the name says, or nothing when no word of it is a known verb. */
export function readName(name: string, source: ReasonSource = 'name'): Signal | undefined {
  const words = toWords(
    name
      .replaceAll(
        COMPOUNDS,
        (_, first: string, second: string) => `${first}${second.toLowerCase()}`,
      )
      .replaceAll(LISTS, '$1')
      .replaceAll(PHRASAL, toOneVerb)
      .replaceAll(DIRECTIONS, 'navigate')
      .replaceAll(STAGES, 'process')
      .replaceAll(BOOKS, '$1book')
      .replaceAll(OF_USERS, 'user$1')
      .replaceAll(STORES, '$1shop'),
  );
  const verbs = words.flatMap((word, at): Found[] => {
    const verb = verbOf(word);
    return verb === undefined ? [] : [{ word, at, ...verb }];
  });
  // `recipe_crud_get_one`: the kind of tool, before what it does.
  const others = verbs.filter(({ word }) => word !== 'crud');
  const found = others.some(({ firm }) => firm) ? others : verbs;
  const lead = findLead(name, words, found);
  if (lead === undefined) return undefined;
  // `search_and_run`: what leads is nothing that is run.
  const joined = joinedTo(lead, found, words).map((verb) => {
    const meant = read(verb, words, source, (at) => at !== lead.at && !JOINS.has(words[at] ?? ''));
    // `find_and_book`: right after another verb, it is one too.
    const isVerb = verb.at === lead.at + 2 && JOINS.has(words[verb.at - 1] ?? '');
    return isVerb ? { ...meant, weight: Math.max(meant.weight, 0.6) } : meant;
  });
  const meant = [read(lead, words, source), ...joined];
  return meant.reduce((a, b) => (TIERS[b.tier].severity > TIERS[a.tier].severity ? b : a));
}

/** `roll_back` is `rollback`; `look_up` and others that are no verb of ours stay as they are. */
function toOneVerb(given: string, first: string, second: string): string {
  const joined = `${first}${second}`.toLowerCase();
  return verbOf(joined) === undefined ? given : joined;
}

/**
 * What other verbs add to the leading one: after a joining word (`get_or_create`) any, and after a
 * write (`schedule_send`, `set_auto_reply`) those that would ask on their own.
 */
function joinedTo(
  lead: Found,
  found: readonly Found[],
  words: readonly string[],
): readonly Found[] {
  const writes = !TIERS[usualTier(lead.act)].readsOnly;
  return found.filter((verb) => {
    if (verb.at <= lead.at) return false;
    if (JOINS.has(words[verb.at - 1] ?? '')) return true;
    // `find_replace`: what is found is replaced.
    if (FINDS.has(lead.word) && verb.at === lead.at + 1 && TAKES.has(verb.word)) return true;
    if (saysHow(lead, verb, words)) return false;
    const isLast = verb.at === words.length - 1;
    // `update_reply`: it was sent before.
    if (isLast && ALTERS.has(lead.word) && verb.act === 'deliver') return false;
    // `create_exercise_template`: it describes what is made.
    if (PLAIN.has(lead.word) && (isLast ? MESSAGES.has(verb.word) : isNounBefore(verb.at, words)))
      return false;
    return writes && verb.firm && TIERS[usualTier(verb.act)].asks && !THINGS.has(verb.word);
  });
}

const FINDS = new Set(['find', 'search', 'grep', 'match']);
const TAKES = new Set(['replace', 'delete', 'remove', 'overwrite', 'destroy', 'purge']);
const ALTERS = new Set('update edit modify patch rename'.split(' '));

function isNounBefore(at: number, words: readonly string[]): boolean {
  return (
    verbOf(words[at + 1] ?? '') === undefined &&
    !['to', 'and', 'or', 'by'].includes(words[at + 1] ?? '')
  );
}

function read(
  verb: Found,
  words: readonly string[],
  source: ReasonSource,
  isObject: (at: number) => boolean = () => true,
): Signal {
  // `batch_create`: how it is done; `create_batch` makes one.
  const nouns = words
    .filter((word, at) => isObject(at) && (at > verb.at || (at < verb.at && word !== 'batch')))
    .map(toSingular);
  const after = words.slice(verb.at + 1).map(toSingular);
  const head = headOf(after, words.slice(0, verb.at).map(toSingular));
  const other = actWithObject(verb.word, { nouns, head }, true);
  const act = other ?? (REPLACES.has(verb.word) ? 'put' : verb.act);
  if (OPEN_ENDED.has(verb.word)) return openEnded(verb.word, source);
  const reason: Reason = {
    code: other === undefined ? 'verb' : 'object',
    source,
    text:
      other === undefined || nouns.length === 0
        ? `"${verb.word}" in the ${source} means ${act}`
        : `"${verb.word}" with "${nouns.join(' ').slice(0, 60)}" in the ${source} means ${other}`,
  };
  // To put is to replace the whole; the other verbs of the act may only add.
  const tier = REPLACES.has(verb.word) && act === 'put' ? 'destructive' : usualTier(act);
  const weight = other === undefined ? weightOf(verb, words) : verb.firm ? 0.9 : 0.6;
  return { ...signal(act, weight, reason, tier), verb: verb.word };
}

export const REPLACES: ReadonlySet<string> = new Set(['put', 'overwrite', 'replace', 'clobber']);

function weightOf(verb: Found, words: readonly string[]): number {
  const { word, at, act, firm } = verb;
  // `alter_view`: after a word that is not known, this is what it is done to.
  const stands = at > 0 || words.length === 1;
  if (act === 'read' && stands && at === words.length - 1 && NOUNY.has(word)) return 0.4;
  if (firm) return 0.9;
  if (at === 0) return isMailed(verb, words) ? 0.4 : 0.6;
  const isSecond = at === 1 && words.length > 2;
  if (act === 'read')
    return namesResult(verb, words) || (isSecond && ONLY_LOOKS.has(word)) ? 0.5 : 0.4;
  // `crm_tag_contact`: after the server's name and before an object it is a verb.
  return isSecond && !TIERS[usualTier(act)].asks ? 0.5 : 0.4;
}
const ONLY_LOOKS = new Set('list query filter audit review'.split(' '));

/** `im.v1.chat_list`, `spending_report`: the name ends with what is returned. */
function namesResult({ word, at }: Found, words: readonly string[]): boolean {
  const last = words.at(-1) ?? '';
  if (word === 'list' || RESULTS.has(toSingular(last))) return true;
  return at === words.length - 1 && RETURNED.has(last);
}
const RETURNED = new Set(
  'stats metadata health diagnostics doctor review snapshot filter trace audit map help'.split(' '),
);

function openEnded(verb: string, source: ReasonSource): Signal {
  const text = `"${verb}" in the ${source} may mean anything`;
  return { ...signal('delete', 0.5, { code: 'open-ended', source, text }), verb };
}
