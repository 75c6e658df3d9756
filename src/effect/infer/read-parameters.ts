/** Reads an input schema of any shape into a flat list of parameters, nested ones included. What they mean is elsewhere. */
import { TIERS } from '../tier.ts';
import { PLAIN } from './find-lead.ts';
import { VERBS } from './lexicon.ts';
import { readName } from './read-name.ts';
import type { Signal } from './reason.ts';
import { signal } from './reason.ts';
import { toSingular, toWords } from './to-words.ts';

export interface Parameter {
  /** As the schema spells it. */
  readonly name: string;
  /** Its words in lower case, joined with `_`. */
  readonly key: string;
  readonly values: readonly string[];
  readonly description: string;
  readonly required: boolean;
  readonly isSwitch: boolean;
  /** Arguments of a call hold it directly, not inside another. */
  readonly top: boolean;
  /** The argument that it is inside of; itself where it is not inside another. */
  readonly within: string;
}

export interface Parameters {
  readonly all: readonly Parameter[];
  /** Every parameter's key. */
  readonly names: ReadonlySet<string>;
}

type Json = Readonly<Record<string, unknown>>;

/** Limits on the depth and number of parameters that are read. */
const DEEPEST = 4;
const MOST = 200;

export function readParameters(inputSchema: unknown): Parameters {
  const all: Parameter[] = [];
  collect(toObject(inputSchema), 0, undefined, all);
  return { all, names: new Set(all.map(({ key }) => key)) };
}

function collect(
  schema: Json | undefined,
  depth: number,
  within: string | undefined,
  into: Parameter[],
): void {
  if (schema === undefined || depth > DEEPEST) return;
  const required = listOf(schema['required']);
  for (const [name, value] of Object.entries(toObject(schema['properties']) ?? {})) {
    if (into.length >= MOST) return;
    const inner = toObject(value);
    into.push(toParameter(name, inner, within, required.includes(name)));
    for (const part of partsOf(inner)) collect(part, depth + 1, within ?? name, into);
  }
  for (const part of alternativesOf(schema)) collect(part, depth + 1, within, into);
}

function toParameter(
  name: string,
  schema: Json | undefined,
  within: string | undefined,
  required: boolean,
): Parameter {
  const description = schema?.['description'];
  return {
    name,
    key: toKey(name),
    values: valuesOf(schema),
    description: typeof description === 'string' ? description.slice(0, 400) : '',
    required,
    isSwitch: [schema, ...alternativesOf(schema ?? {})].some((one) => one?.['type'] === 'boolean'),
    top: within === undefined,
    within: within ?? name,
  };
}

/** The schemas inside one: of its properties, its items and its alternatives. */
function partsOf(schema: Json | undefined): readonly Json[] {
  if (schema === undefined) return [];
  const items = toObject(schema['items']);
  return [schema, ...(items === undefined ? [] : [items])].filter(
    (part) => part['properties'] !== undefined || alternativesOf(part).length > 0,
  );
}

function alternativesOf(schema: Json): readonly Json[] {
  return ['anyOf', 'oneOf', 'allOf'].flatMap((key) =>
    listOf(schema[key]).flatMap((part): readonly Json[] => {
      const object = toObject(part);
      return object === undefined ? [] : [object];
    }),
  );
}

function valuesOf(schema: Json | undefined): readonly string[] {
  if (schema === undefined) return [];
  const own = schema['enum'] ?? schema['const'];
  const direct = Array.isArray(own) ? listOf(own) : [own];
  const inner = [...alternativesOf(schema), ...alternativesOf(toObject(schema['items']) ?? {})];
  const others = [...inner, toObject(schema['items']) ?? {}].flatMap((option) => [
    ...listOf(option['enum']),
    option['const'],
  ]);
  return [...direct, ...others].filter((value) => typeof value === 'string');
}

/** The words of a name in lower case, joined with `_`. */
export function toKey(name: string): string {
  return toWords(name)
    .map((word, at, all) => (at === all.length - 1 ? word : toSingular(word)))
    .join('_');
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function toObject(value: unknown): Json | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return value as Json; // a JSON object has string keys only
}

/** Reads the parameters that choose what a tool does: `action: get | delete`, `overwrite`, `dry_run`. */
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
const GRAVER_WHEN_TRUE =
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
  return all.flatMap((parameter) => {
    const { key, values } = parameter;
    if (METHOD.test(key) && values.some((value) => METHODS.has(value)))
      return values.map((value) => readValue(parameter, value, ''));
    if (!CHOOSES_WITHIN.test(key)) return [];
    const choices = values
      .filter((value) => !TEXTUAL.has(value.toLowerCase()))
      .map((value) => readValue(parameter, value, things));
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
  return all.flatMap((parameter) => {
    const { key, values, top, isSwitch } = parameter;
    if (isStored && METHOD.test(key)) return [];
    if ((top ? CHOOSES : CHOOSES_WITHIN).test(key))
      return values.map((value) => readValue(parameter, value, things));
    const isGrave = GRAVER_WHEN_TRUE.test(key) || (isSwitch && EMPTIES.test(key));
    return top && isGrave && values.length === 0 && !isMereHurry(parameter)
      ? readSwitch(parameter)
      : [];
  });
}

/** `create_request {method, url}`: kept in a collection, and sent by nobody yet. */
export function storesRequest(name: string): boolean {
  const words = toWords(name);
  if (!PLAIN.has(words[0] ?? '') || words.length < 3) return false;
  return STORED.has(words.at(-1) ?? '') && !words.some((word) => SENT.has(word));
}
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

/** The operations of a JSON Patch say which part of an entry is changed. */
const PATCHES = new Set('add remove replace move copy test increment'.split(' '));

function isPatch({ key, values }: Parameter): boolean {
  return key === 'op' && values.length > 1 && values.every((one) => PATCHES.has(one.toLowerCase()));
}

function readValue(parameter: Parameter, value: string, things: string): Choice {
  if (isPatch(parameter)) return { parameter, value, signal: undefined };
  const act = METHODS.get(value.toUpperCase()) ?? value;
  const alone = isWay(parameter) && act === value ? undefined : readName(act);
  const meant = alone === undefined ? undefined : readName(`${act}_${things}`);
  const state = STATE.test(parameter.key);
  if (meant === undefined || (state && !isEnding(meant)))
    return { parameter, value, signal: state ? MILD : undefined };
  const text = `"${parameter.name.slice(0, 40)}" can be "${value.slice(0, 40)}", which means ${meant.act}`;
  const reason = { code: 'choice', source: 'schema', text } as const;
  return { parameter, value, signal: signal(meant.act, 0.8, reason, meant.tier) };
}

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
  return choices.flatMap((choice) => {
    const { signal: one } = choice;
    if (one === undefined || !TIERS[one.tier].asks) return [];
    return hasWayBack(choice, choices) ? [] : [one];
  });
}

function hasWayBack({ parameter, value }: Choice, choices: readonly Choice[]): boolean {
  const back = BACK.get(String(value).toLowerCase());
  return choices.some((other) => other.parameter === parameter && other.value === back);
}
const BACK: ReadonlyMap<string, string> = new Map([
  ['disable', 'enable'],
  ['deactivate', 'activate'],
  ['detach', 'attach'],
  ['disconnect', 'connect'],
]);
