/** Reads the parameters that choose what a tool does: `action: get | delete`, `overwrite`, `dry_run`. */
import { TIERS } from '../tier.ts';
import { PLAIN } from './find-lead.ts';
import { VERBS } from './lexicon.ts';
import { readName } from './read-name.ts';
import type { Parameter, Parameters } from './read-parameters.ts';
import type { Signal } from './reason.ts';
import { signal } from './reason.ts';
import { toWords } from './to-words.ts';

export interface Choice {
  readonly parameter: Parameter;
  readonly value: string | boolean;
  /** Absent when the value reveals nothing. */
  readonly signal: Signal | undefined;
}

const CHOOSES =
  /^(?:\w+_)?(?:actions?|operations?|op|ops|methods?|commands?|verb|mode|subcommand|state)(?:_(?:type|name|kind))?$/;
/** In nested parameters, only what names an act: the method of a reminder is `email`. */
const CHOOSES_WITHIN = /^(?:action|operation|op)(?:_type)?$/;
/** A target state counts as an act only when it is an end state. */
const STATE = /(?:^|_)state$/;
export const GRAVER_WHEN_TRUE: RegExp =
  /^(?:force|overwrite|permanent(?:ly)?|hard|hard_delete|overwrite_existing|replace_existing|force_\w+|allow_overwrite|skip_trash|purge|prune|cascade|delete|drop|truncate|wipe|recursive_delete|delete_\w+|clear_existing|send_(?:email|notification|invite|invitation|update)s?|notify\w*)$/;
/** `truncate_first: true`: what is there goes, before or after the rest is done. */
export const EMPTIES: RegExp =
  /^(?:truncate|drop|wipe|purge|erase|empty|flush|clear|reset|remove|discard|replace|overwrite)_(?:first|before\w*|target|dest(?:ination)?|source|original|existing|old|previous|everything|data|tables?|database|db)$/;
export const DRY_RUN: RegExp =
  /^(?:dry_?run|preview_only|validate_only|simulate|test_mode|what_if)$/;

/**
 * What can be chosen under a reading name: the method of a request, and an act where looking is only one
 * of those offered. Where none of them looks, they say which entries are wanted.
 */
export function readChoicesOfRead({ all }: Parameters, name: string): readonly Choice[] {
  const things = thingsIn(name);
  const read = openValues();
  return all.flatMap((parameter) => {
    const { key, values } = parameter;
    if (METHOD.test(key) && values.some((value) => METHODS.has(value))) return read(parameter, '');
    if (!CHOOSES_WITHIN.test(key) || isPatch(parameter, all)) return [];
    const choices = read(parameter, things).filter(
      ({ value }) => !TEXTUAL.has(String(value).toLowerCase()),
    );
    return choices.some((one) => one.signal?.act === 'read') ? choices : [];
  });
}
const METHOD = /^(?:http_|request_)?method$/;
/** Grave for data, harmless for the text that a read returns. */
export const TEXTUAL: ReadonlySet<string> = new Set(
  'strip clean empty rotate wrap sign dedupe deduplicate squash'.split(' '),
);

/** What each offered value means for the objects in the name; values that reveal nothing included. */
export function readChoices({ all }: Parameters, name: string): readonly Choice[] {
  const things = thingsIn(name);
  const isStored = storesRequest(name);
  const read = openValues();
  return all.flatMap((parameter) => {
    const { key, values, top, isSwitch } = parameter;
    if (isStored && METHOD.test(key)) return [];
    if (isPatch(parameter, all))
      return values.map((value) => ({ parameter, value, signal: undefined }));
    if ((top ? CHOOSES : CHOOSES_WITHIN).test(key)) return read(parameter, things);
    const isGrave = GRAVER_WHEN_TRUE.test(key) || (isSwitch && EMPTIES.test(key));
    return top && isGrave && values.length === 0 && !isMereHurry(parameter)
      ? readSwitch(parameter)
      : [];
  });
}

/** Values that are read of one tool, each taking some microseconds. */
const MOST_READ = 300;

/** Reads the values of one parameter after another; those that are left over count as grave. */
function openValues(): (parameter: Parameter, things: string) => readonly Choice[] {
  let left = MOST_READ;
  return (parameter, things) => {
    const { values, hasMore } = parameter;
    const read = values.slice(0, left).map((value) => readValue(parameter, value, things));
    left -= read.length;
    const unread = values[read.length];
    if (unread === undefined && !hasMore) return read;
    const text = `"${parameter.name.slice(0, 40)}" has more values than are read`;
    const reason = { code: 'choice', source: 'schema', text } as const;
    return [...read, { parameter, value: unread ?? '', signal: signal('delete', 0.4, reason) }];
  };
}

/** `create_request {method, url}`: kept in a collection, and sent by nobody yet. */
export function storesRequest(name: string): boolean {
  const words = toWords(name);
  if (!PLAIN.has(words[0] ?? '')) return false;
  if (SAMPLES.has(words.at(-1) ?? '')) return true;
  if (words.length < 3) return false;
  return STORED.has(words.at(-1) ?? '') && !words.some((word) => SENT.has(word));
}
const SAMPLES = new Set(['sampler', 'mock', 'stub']);
const SENT = new Set('api http https rest web graphql'.split(' '));
const STORED = new Set('request response example mock'.split(' '));

/** `force` that is said to skip a check or a cache, with no word of what would be lost. */
function isMereHurry({ key, description }: Parameter): boolean {
  return key === 'force' && description !== '' && !LOSES.test(description);
}
const LOSES =
  /\b(?:overwr|delet|remov|replac|discard|lose|lost|destr|eras|wip|kill|terminat|exist|uncommitted|unsaved|conflict|confirm|protect|push|reset|recreat)/i;

function thingsIn(name: string): string {
  return toWords(name)
    .filter((word) => !VERBS.has(word))
    .join('_');
}

/** The operations of a patch say which part of an entry is changed. */
const PATCHES = new Set('add remove replace move copy test increment'.split(' '));
/** These do so beside a path. */
const PATH_PATCHES = new Set('set unset append prepend insert inc dec'.split(' '));

/** Each alternative of an operation may have a value of its own. */
function isPatch({ key, top, within }: Parameter, all: readonly Parameter[]): boolean {
  if (key !== 'op') return false;
  const beside = all.filter((one) => one.top === top && (top || one.within === within));
  const values = beside.flatMap((one) => (one.key === key ? one.values : []));
  const hasPath = beside.some((one) => one.key === 'path');
  return (
    values.length > 1 &&
    values
      .map((one) => one.toLowerCase())
      .every((one) => PATCHES.has(one) || (hasPath && PATH_PATCHES.has(one)))
  );
}

function readValue(parameter: Parameter, value: string, things: string): Choice {
  const act = METHODS.get(value.toUpperCase()) ?? value;
  const alone = isWay(parameter) && act === value ? undefined : readName(act);
  const meant = alone === undefined ? undefined : readName(`${act}_${things}`);
  const state = STATE.test(parameter.key);
  if (MODE.test(parameter.key) && !isMode(value, alone))
    return { parameter, value, signal: undefined };
  if (meant === undefined || (state && !isEnding(meant)))
    return { parameter, value, signal: state ? MILD : undefined };
  const text = `"${parameter.name.slice(0, 40)}" can be "${value.slice(0, 40)}", which means ${meant.act}`;
  const reason = { code: 'choice', source: 'schema', text } as const;
  return { parameter, value, signal: signal(meant.act, 0.8, reason, meant.tier) };
}

/** `blend_mode: color_burn`; and what is merged with what is there keeps it. */
function isMode(value: string, alone: Signal | undefined): boolean {
  const [first] = toWords(value);
  return first === alone?.verb && first !== 'merge';
}
const MODE = /(?:^|_)mode$/;

/** `delivery_method: email`: a way in which something else is done. */
function isWay({ key }: Parameter): boolean {
  return WAYS.test(key);
}
const WAYS =
  /(?:^|_)(?:delivery|contact|communication|notification|payment|shipping|accounting|auth\w*|verification)_methods?$/;

function isEnding({ act, reason }: Signal): boolean {
  if (reason.code === 'open-ended') return false;
  return act === 'delete' || act === 'cancel' || act === 'revoke';
}

/** An HTTP request other than a GET changes state. */
export const METHODS: ReadonlyMap<string, string> = new Map([
  ['GET', 'get'],
  ['HEAD', 'get'],
  ['OPTIONS', 'get'],
  ['POST', 'submit'],
  ['PATCH', 'submit'],
  ['PUT', 'overwrite'],
  ['DELETE', 'delete'],
  ['PURGE', 'purge'],
]);

const MILD: Signal = signal('read', 0.3, {
  code: 'choice',
  source: 'schema',
  text: 'a mild choice',
});

function readSwitch(parameter: Parameter): readonly Choice[] {
  const sends = /^(?:send|notify)/.test(parameter.key);
  const act = sends ? 'deliver' : 'delete';
  const text = `it takes "${parameter.name.slice(0, 40)}", which indicates ${act}`;
  const reason = { code: 'parameter', source: 'schema', text } as const;
  return [
    { parameter, value: true, signal: signal(act, 0.6, reason) },
    { parameter, value: false, signal: MILD },
  ];
}

/** Choices that require asking a person. What can be switched off and on again in the same place does not. */
export function asksOf(choices: readonly Choice[]): readonly Signal[] {
  const offered = new Map<Parameter, Set<Choice['value']>>();
  for (const { parameter, value } of choices)
    offered.set(parameter, (offered.get(parameter) ?? new Set()).add(value));
  return choices.flatMap((choice) => {
    const { signal: one } = choice;
    if (one === undefined || !TIERS[one.tier].asks) return [];
    return hasWayBack(choice, offered) ? [] : [one];
  });
}

function hasWayBack(
  { parameter, value }: Choice,
  offered: ReadonlyMap<Parameter, ReadonlySet<Choice['value']>>,
): boolean {
  const back = BACK.get(String(value).toLowerCase());
  return back !== undefined && offered.get(parameter)?.has(back) === true;
}
const BACK: ReadonlyMap<string, string> = new Map([
  ['disable', 'enable'],
  ['deactivate', 'activate'],
  ['detach', 'attach'],
  ['disconnect', 'connect'],
]);
