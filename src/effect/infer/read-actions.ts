/**
 * What methods and actions among the arguments of a call mean: `method: "DELETE"`, `action: "create"`
 * beside `resource: "charges"`, `tool: "delete_user"` beside `arguments`. Their words are the caller's, and
 * there may be any number of them, so reading is bounded: what is left unread counts as grave.
 */
import { TIERS } from '../tier.ts';
import { VERBS } from './lexicon.ts';
import { readForeignName } from './read-foreign.ts';
import { readName } from './read-name.ts';
import { METHODS, TEXTUAL } from './read-choices.ts';
import { readParameters, toKey } from './read-parameters.ts';
import type { Signal } from './reason.ts';
import { graverSignal, usualTier } from './reason.ts';
import { hasForeignLetters, toPlainLetters, toSingular, toWords } from './to-words.ts';

type Json = Readonly<Record<string, unknown>>;

interface Named {
  readonly name: string;
  readonly inputSchema: unknown;
  readonly looks: boolean;
}

/** The meaning of words in one call. */
export interface Actions {
  /** The act that the text of this argument means, if a person must be asked. */
  read(key: string, text: string, beside: Json): Signal['act'] | undefined;
}

const METHOD = /(?:^|_)(?:methods?|(?:http|request)_(?:verb|type))(?:_override)?$/;
const ACTION =
  /^(?:\w+_)?(?:actions?|operations?|op|ops|verbs?|subcommand|mode|crud|intent|mutations?|do)(?:_(?:type|name|kind|id|to_perform))?$/;
/** The name of what is called, where its arguments stand beside it. */
const CALLED = /^(?:tool|function|func|procedure|method|call|task|name)(?:_name)?$/;
const PASSED = /^(?:arg|args|arguments|params|parameters|input|inputs|payload)$/;
/** What an action is done to. */
const OBJECT =
  /^(?:resource|object|entity|endpoint|path|kind|collection|target|model|thing|item|noun|subject|module)(?:_(?:type|name|kind))?$/;
/** Of a step, an edit, or a request as some libraries write it; most types are those of things. */
const TYPE = /^(?:(?:edit|update|change|write|step|job)_)?type$|^command$/;
const GRAVE_TYPE = /^\s*(?:delete|remove|purge|destroy|erase|wipe|drop|put|patch)\s*$/i;
/** `type: "replace_content"`: an act and what it is done to, but not a part of that, nor a record of it. */
const GRAVE_EDIT =
  /^(?:delete|remove|purge|destroy|erase|wipe|truncate|overwrite)(?:_\w+)?$|^drop_(?:all|columns?|constraints?|databases?|index|indexes|schemas?|tables?|views?)$|^replace(?:_(?:all|entire|full|whole|existing))*(?:_(?:body|contents?|data|documents?|everything|files?|notes?|pages?))$/;
const NO_EDIT = /_(?:history|logs?|markers?|protection)$/;
const LONGEST_TYPE = 64;
const REQUEST = /^(?:(?:raw_|http_)?request(?:_line)?|raw|ur[il])$/;

/** What something is put into, where a word for it says that it ends, or that others see it. */
const STATE = /^(?:\w+_)?(?:status|state|lifecycle|stage|phase)$/;
const ENDED =
  /^(delet|trash|remov|purg|destroy|eras|wip|terminat|cancell?|revok|suspend|bann?|publish|refund)(?:e|ed)?$/;
const VERB_OF: Readonly<Record<string, string>> = {
  delet: 'delete',
  remov: 'remove',
  purg: 'purge',
  eras: 'erase',
  wip: 'wipe',
  terminat: 'terminate',
  cancell: 'cancel',
  revok: 'revoke',
  bann: 'ban',
};

/** Names of arguments that choose what is done. */
export const CHOOSING: readonly RegExp[] = [METHOD, ACTION];

export const ACTION_KEYS: readonly RegExp[] = [
  METHOD,
  ACTION,
  CALLED,
  TYPE,
  OBJECT,
  REQUEST,
  STATE,
];

/** Of what happened, or of what would: there an action says which entries are wanted. */
const RECORDED = new Set('audit log event history activity trail trace'.split(' '));
/** Methods of HTTP that change something, beside those that every API has. */
const RARE = new Set(
  'ACL BIND CHECKIN CHECKOUT CONNECT COPY LABEL LINK LOCK MERGE MKACTIVITY MKCALENDAR MKCOL MKWORKSPACE MOVE ORDERPATCH PROPPATCH REBIND UNBIND UNCHECKOUT UNLINK UNLOCK UPDATE UPDATEREDIRECTREF'.split(
    ' ',
  ),
);
/** Combinations of words that are read in one call, each taking some microseconds. */
const MOST_READ = 2000;
const MOST_THINGS = 20;
const MOST_WORDS = 20;
const LONGEST_PATH = 100;

export function openActions(tool: Named): Actions {
  const own = toWords(tool.name).filter((one) => !VERBS.has(one));
  const isRecorded = toWords(tool.name).some((word) => RECORDED.has(toSingular(word)));
  const known = new Map<string, Signal | undefined>();
  const filters = new Map<string, boolean>();
  /** What each object holds beside its actions; there may be many actions. */
  const things = new WeakMap<Json, readonly string[]>();
  let left = MOST_READ;

  const meaningOf = (name: string): Signal | undefined | 'unread' => {
    if (known.has(name)) return known.get(name);
    left -= 1;
    if (left < 0) return 'unread';
    const meant = readName(name) ?? readForeignName(name);
    known.set(name, meant);
    return meant;
  };

  const thingsBeside = (beside: Json): readonly string[] => {
    const found = things.get(beside) ?? thingsIn(beside);
    things.set(beside, found);
    return found;
  };

  const readWord = (word: string, beside: Json): Signal | undefined | 'unread' => {
    const verb = METHODS.get(word.toUpperCase()) ?? word;
    const alone = meaningOf(verb);
    if (alone === undefined || alone === 'unread') return alone;
    const among = thingsBeside(beside);
    if (among.length > MOST_THINGS) return 'unread';
    let gravest: Signal | undefined;
    for (const thing of ['', ...among]) {
      const meant = meaningOf([verb, ...own, thing].join('_'));
      if (meant === 'unread') return meant;
      if (meant !== undefined) gravest = gravest ? graverSignal(gravest, meant) : meant;
    }
    return gravest;
  };

  /** `list_events {action: "delete"}`: entries are asked for, and none of the values offered looks. */
  const isFilter = (key: string): boolean => {
    if (isRecorded) return true;
    const found = filters.get(key) ?? offersNoRead(tool.inputSchema, key);
    filters.set(key, found);
    return found;
  };

  const readAction = (key: string, text: string, beside: Json): Signal['act'] | undefined => {
    const whole = text.trim();
    const words = whole.split(/[^\p{L}\p{M}\p{N}\p{Cf}_./:-]+/u).filter(Boolean);
    if (words.length > MOST_WORDS) return 'delete';
    for (const word of new Set([whole, ...words])) {
      const meant = readWord(word, beside);
      if (meant === 'unread') return 'delete';
      if (meant === undefined) {
        if (hasForeignLetters(word)) return 'delete';
      } else if (TIERS[meant.tier].asks) {
        const verb = toWords(METHODS.get(word.toUpperCase()) ?? word)[0] ?? '';
        if (!(tool.looks && (TEXTUAL.has(verb) || isFilter(key)))) return gravestAct(meant);
      }
    }
    return undefined;
  };

  /** `status: "deleted"`: as if the tool were called by the verb of that. */
  const readState = (text: string): Signal['act'] | undefined => {
    const word = toPlainLetters(text.slice(0, LONGEST_TYPE)).trim().toLowerCase();
    const [, stem] = ENDED.exec(word) ?? [];
    if (stem === undefined) return undefined;
    const meant = meaningOf([VERB_OF[stem] ?? stem, ...own].join('_'));
    if (meant === 'unread') return 'delete';
    return meant !== undefined && TIERS[meant.tier].asks ? gravestAct(meant) : undefined;
  };

  return {
    read(key, text, beside) {
      if (STATE.test(key) && !tool.looks) return readState(text);
      if (CALLED.test(key) && Object.keys(beside).some((name) => PASSED.test(toKey(name)))) {
        const act = readAction(key, text.replace(/^tools\/call$/, 'get'), beside);
        if (act !== undefined) return act;
      }
      if (METHOD.test(key)) return readMethod(text);
      if (ACTION.test(key) || (TYPE.test(key) && isGraveType(text, tool.looks)))
        return readAction(key, text, beside);
      return OBJECT.test(key) || REQUEST.test(key) ? readRequestLine(text) : undefined;
    },
  };
}

/** Of a tool that looks, a type of several words says what is looked for. */
function isGraveType(text: string, looks: boolean): boolean {
  if (GRAVE_TYPE.test(text)) return true;
  if (looks || text.length > LONGEST_TYPE || !/^\s*[\w-]+\s*$/.test(text)) return false;
  const words = toWords(text).join('_');
  return GRAVE_EDIT.test(words) && !NO_EDIT.test(words);
}

/** The act, unless it is one that asks only by what it is done to. */
function gravestAct({ act }: Signal): Signal['act'] {
  return TIERS[usualTier(act)].asks ? act : 'delete';
}

/** Only a whole word counts: a method may also be the name of a function that is looked up. */
function readMethod(text: string): Signal['act'] | undefined {
  const word = toPlainLetters(text.slice(0, 256)).trim().toUpperCase();
  if (RARE.has(word)) return 'delete';
  const verb = METHODS.get(word);
  const meant = verb === undefined ? undefined : readName(verb);
  return meant !== undefined && TIERS[meant.tier].asks ? gravestAct(meant) : undefined;
}

/** `endpoint: "DELETE /users/1"`, `url: "https://a.example/?_method=DELETE"` */
function readRequestLine(text: string): Signal['act'] | undefined {
  const [, overriding] = /[?&]_method=([a-z]+)/i.exec(text) ?? [];
  const [, method = overriding ?? ''] = /^\s*([a-z]{3,7})\s+\S*\//i.exec(text) ?? [];
  return readMethod(method);
}

/** What the action beside it is done to. Of a long path both ends count. */
function thingsIn(beside: Json): readonly string[] {
  const found = new Set<string>();
  for (const [name, value] of Object.entries(beside)) {
    const key = toKey(name);
    if (!OBJECT.test(key) && key !== 'type') continue;
    const all: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const text of all) {
      if (typeof text !== 'string') continue;
      found.add(text.slice(0, LONGEST_PATH)).add(text.slice(-LONGEST_PATH));
      if (found.size > MOST_THINGS) return [...found];
    }
  }
  return [...found];
}

function offersNoRead(inputSchema: unknown, key: string): boolean {
  const found = readParameters(inputSchema).all.filter((one) => one.key === key);
  const values = found.flatMap((one) => one.values);
  return (
    values.length > 0 &&
    !found.some(({ hasMore }) => hasMore) &&
    !values.some((value) => readName(value)?.act === 'read')
  );
}
