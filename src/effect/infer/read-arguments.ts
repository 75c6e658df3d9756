/**
 * What the arguments of one call say about its effect, whatever the tool is called: methods, actions,
 * flags and statements, at any depth. They only ever raise.
 */
import type { Act } from '../act.ts';
import { TIERS } from '../tier.ts';
import { VERBS } from './lexicon.ts';
import { readForeignName } from './read-foreign.ts';
import { readName } from './read-name.ts';
import { METHODS, readParameters, toKey } from './read-parameters.ts';
import { CODE } from './read-schema.ts';
import { isMutation, isReadingStatement } from './read-statement.ts';
import type { Signal } from './reason.ts';
import { graverSignal, signal } from './reason.ts';
import { hasForeignLetters, toSingular, toWords } from './to-words.ts';

type Json = Readonly<Record<string, unknown>>;

export interface CalledTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: unknown;
  /** Whatever the arguments, it only looks, as far as its definition says. */
  readonly looks: boolean;
  /** With these arguments it does, as far as its definition says. */
  readonly looksNow: boolean;
}

/** Those that ask for a person, in the order found. */
export function readArguments(tool: CalledTool, args: Json): readonly Signal[] {
  const found: Signal[] = [];
  for (const part of objectsIn(args))
    for (const name of Object.keys(part)) {
      // A stage of a pipeline that stores what it found.
      if (name === '$out' || name === '$merge') found.push(raise('delete', name, part[name]));
      const key = tellingKey(name);
      if (key !== '') found.push(...readArgument(tool, key, part[name], part));
    }
  return found;
}

/** Calls use the same few names again and again, and most of them tell nothing. */
const KEYS = new Map<string, string>();
const MOST_KEYS = 2000;
const LONGEST_KEY = 64;

/** The key of a name, if it tells anything. */
function tellingKey(name: string): string {
  const known = KEYS.get(name);
  if (known !== undefined) return known;
  const key = toKey(name);
  const telling = key === 'private' || TELLING.some((pattern) => pattern.test(key)) ? key : '';
  if (KEYS.size >= MOST_KEYS) KEYS.clear();
  if (name.length <= LONGEST_KEY) KEYS.set(name, telling);
  return telling;
}

/** Every object in the arguments, also in lists and in texts that hold JSON. */
function objectsIn(args: Json): readonly Json[] {
  const found: Json[] = [];
  const rest: unknown[] = [args];
  while (rest.length > 0) {
    const value = rest.pop();
    if (typeof value === 'string') {
      if (/^\s*[[{]/.test(value)) rest.push(parse(value));
    } else if (Array.isArray(value)) {
      for (const one of value as readonly unknown[]) rest.push(one);
    } else if (typeof value === 'object' && value !== null) {
      found.push(value as Json); // JSON: its keys are strings
      for (const one of Object.values(value)) rest.push(one);
    }
  }
  return found;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function readArgument(
  tool: CalledTool,
  key: string,
  value: unknown,
  beside: Json,
): readonly Signal[] {
  const act = flagged(tool, key, value);
  if (act !== undefined) return [raise(act, key, value)];
  return textsIn(value).flatMap((text) => {
    if (METHOD.test(key)) return readMethod(key, text);
    if (ACTION.test(key)) return readAction(tool, key, text, beside);
    if (OBJECT.test(key)) return readRequestLine(key, text);
    if (AUDIENCE.test(key))
      return !tool.looks && EVERYBODY.test(text) ? [raise('share', key, text)] : [];
    return runsStatement(tool, key, text) ? [raise('delete', key, text)] : [];
  });
}

function textsIn(value: unknown): readonly string[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  return all.filter((one) => typeof one === 'string');
}

/** Who may see it. */
const AUDIENCE = /^(?:\w+_)?(?:visibility|privacy|privacy_status|audience)$/;
const EVERYBODY = /^\s*(?:public|world|anyone|everyone|internet|unlisted)\s*$/i;

const METHOD = /(?:^|_)method(?:_override)?$/;

/** Only a whole word counts: a method may also be the name of a function that is looked up. */
function readMethod(key: string, text: string): readonly Signal[] {
  const verb = METHODS.get(text.trim().toUpperCase());
  const meant = verb === undefined ? undefined : readName(verb);
  return meant !== undefined && TIERS[meant.tier].asks ? [raise(meant.act, key, text)] : [];
}

const ACTION = /^(?:actions?|operations?|op|ops|verb|subcommand|mode)(?:_(?:type|name|kind))?$/;
/** What an action is done to. */
const OBJECT =
  /^(?:resource|object|entity|endpoint|path|kind|collection|target|model)(?:_(?:type|name))?$/;
/** Of what happened, or of what would: there an action says which entries are wanted. */
const RECORDED = new Set('audit log event history activity trail trace'.split(' '));
/** Grave for data, harmless for text. */
const TEXTUAL = new Set('strip clean empty rotate wrap sign dedupe deduplicate squash'.split(' '));

function readAction(tool: CalledTool, key: string, text: string, beside: Json): readonly Signal[] {
  const word = text.trim();
  const verb = METHODS.get(word.toUpperCase()) ?? word;
  if (readName(verb) === undefined) {
    const foreign = readForeignName(word);
    if (foreign !== undefined)
      return TIERS[foreign.tier].asks ? [raise(foreign.act, key, text)] : [];
    return hasForeignLetters(word) ? [raise('delete', key, text)] : [];
  }
  const own = toWords(tool.name).filter((one) => !VERBS.has(one));
  const meant = ['', ...thingsIn(beside)]
    .flatMap((thing) => readName([verb, thing, ...own].join('_')) ?? [])
    .reduce(graverSignal);
  if (!TIERS[meant.tier].asks) return [];
  if (tool.looks && (TEXTUAL.has(toWords(verb)[0] ?? '') || isFilter(tool, key))) return [];
  return [raise(meant.act, key, text)];
}

/** What the action beside it is done to. Of a long path both ends count. */
function thingsIn(beside: Json): readonly string[] {
  return Object.entries(beside).flatMap(([name, value]) =>
    OBJECT.test(toKey(name))
      ? textsIn(value).flatMap((text) => [text.slice(0, 100), text.slice(-100)])
      : [],
  );
}

/** `list_events {action: "delete"}`: entries are asked for, and none of the values offered looks. */
function isFilter({ name, inputSchema }: CalledTool, key: string): boolean {
  if (toWords(name).some((word) => RECORDED.has(toSingular(word)))) return true;
  const values = readParameters(inputSchema).all.flatMap((one) =>
    one.key === key ? one.values : [],
  );
  return values.length > 0 && !values.some((value) => readName(value)?.act === 'read');
}

/** `endpoint: "DELETE /users/1"` */
function readRequestLine(key: string, text: string): readonly Signal[] {
  const [, method = ''] = /^\s*([a-z]{3,7})\s+\S*\//i.exec(text) ?? [];
  return readMethod(key, method);
}

/** Whatever is set: these name nothing but an act. */
const GRAVE =
  /^(?:(?:force|hard|bulk|mass|auto|permanent|permanently|and|then|do|should)_)?(?:delete|purge|destroy|erase|wipe|prune|nuke|drop|overwrite|expunge|obliterate)$/;
/** If it is switched on. */
const SWITCHES: readonly (readonly [pattern: RegExp, act: Act, when: boolean | 'unless-looks'])[] =
  [
    [/^(?:\w+_)?(?:delete|purge|destroy|erase|wipe|overwrite)(?:_\w+)?$/, 'delete', true],
    [/^(?:clear|reset|remove)(?:_(?:all|existing|everything|data))?$/, 'delete', true],
    [/^(?:replace_existing|skip_trash|hard)$/, 'delete', true],
    // Of a tool that looks, these turn a preview into the real thing.
    [/^(?:apply|commit|execute|run|confirm|write|save_changes)$/, 'delete', false],
    [/^(?:revoke|disable|suspend|ban)$/, 'revoke', true],
    [/^(?:cancel|terminate|kill|shutdown|stop|restart)$/, 'cancel', true],
    [/^(?:pay|buy|purchase|charge|checkout|place_order|auto_pay)$/, 'spend', true],
    [/^refund$/, 'refund', true],
    [/^(?:publish|share|make_public|expose|deploy)$/, 'share', true],
    [
      /^(?:send|notify\w*|send_(?:email|notification|invite|invitation|update|message)s?)$/,
      'deliver',
      true,
    ],
  ];
const PUBLIC = /^(?:is_)?public$|^anyone_can_\w+$/;
/** These take a danger away, or speak of what was removed. */
const NEGATES =
  /^(?:no|not|never|skip|without|exclude|include|show|with|is|was|can|dont|prevent|allow)_/;

function flagged({ looks, looksNow }: CalledTool, key: string, value: unknown): Act | undefined {
  if (key === 'private' && !looks && isOff(value)) return 'share';
  if (PUBLIC.test(key) && !looks && isOn(value)) return 'share';
  if (NEGATES.test(key)) return undefined;
  if (GRAVE.test(key) && isSet(value)) return 'delete';
  if (!isOn(value)) return undefined;
  return SWITCHES.find(([pattern, , always]) => (always || looksNow) && pattern.test(key))?.[1];
}

function isOn(value: unknown): boolean {
  if (typeof value === 'string') return /^\s*(?:true|yes|on|1|y|t|all)\s*$/i.test(value);
  return value === true || value === 1;
}

function isOff(value: unknown): boolean {
  if (typeof value === 'string') return /^\s*(?:false|no|off|0|n|f)\s*$/i.test(value);
  return value === false || value === 0;
}

function isSet(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== '' && !isOff(value);
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return value === true || (typeof value === 'number' && value !== 0);
}

/** Names of arguments that hold SQL or Cypher. */
export const STATEMENT: RegExp = /(?:^|_)(?:sql|sql_\w+|statements?|ddl|dml|cypher)$/;
const QUERY = /(?:^|_)(?:query|queries|q|graphql|document)$/;
const OF_DATABASE = /\b(?:sql|cypher|postgres\w*|sqlite|mysql|mariadb|duckdb|bigquery|snowflake)/i;
/** Tools that take a command as a subject: they say something about it. */
const ABOUT_COMMANDS = new Set(
  'explain validate format lint parse analyze check help man doc command cmd script'.split(' '),
);

function runsStatement(tool: CalledTool, key: string, text: string): boolean {
  if (STATEMENT.test(key)) return !isReadingStatement(text);
  if (QUERY.test(key)) {
    if (isMutation(text)) return true;
    const takesSql = OF_DATABASE.test(`${toWords(tool.name).join(' ')} ${tool.description}`);
    return takesSql && STARTS_CHANGE.test(text) && !isReadingStatement(text);
  }
  if (!CODE.test(key) || !tool.looks || text.trim() === '') return false;
  return !toWords(tool.name).some((word) => ABOUT_COMMANDS.has(toSingular(word)));
}
/** Somewhere in a query that may also be a question in words. */
const STARTS_CHANGE =
  /\b(?:insert\s+into|update\s+\S+\s+set|delete\s+from|(?:drop|alter|create|truncate)\s+\w+|grant\s|revoke\s|merge\s|call\s|copy\s|exec\w*\s|detach\s+delete|set\s)/i;

const TELLING: readonly RegExp[] = [
  METHOD,
  AUDIENCE,
  PUBLIC,
  ACTION,
  OBJECT,
  GRAVE,
  ...SWITCHES.map(([pattern]) => pattern),
  STATEMENT,
  QUERY,
  CODE,
];

function raise(act: Act, key: string, value: unknown): Signal {
  const shown = typeof value === 'string' ? value : JSON.stringify(value);
  const text = `this call has "${key.slice(0, 40)}": ${JSON.stringify(shown.slice(0, 40))}, which means ${act}`;
  return signal(act, 0.8, { code: 'argument', source: 'arguments', text });
}
