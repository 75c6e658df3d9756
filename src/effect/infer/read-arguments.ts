/**
 * What the arguments of one call say about its effect, whatever the tool is called: methods, actions,
 * flags and statements, at any depth. They only ever raise.
 */
import type { Act } from '../act.ts';
import type { Actions } from './read-actions.ts';
import { ACTION_KEYS, openActions } from './read-actions.ts';
import { readParameters, toKey } from './read-parameters.ts';
import { BODY, isBody, isSent, makesRequests, REQUEST_BODY, SENDS } from './read-request.ts';
import { CODE, SPENDS } from './read-schema.ts';
import { isMutation } from './is-mutation.ts';
import { toLookalike } from './lookalikes.ts';
import { isReadingStatement } from './read-statement.ts';
import { isSet, readSwitch, SWITCH_KEYS } from './read-switches.ts';
import type { Signal } from './reason.ts';
import { signal } from './reason.ts';
import { toSingular, toWords } from './to-words.ts';

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
  // Few calls have an argument that tells anything.
  let actions: Actions | undefined;
  for (const part of objectsIn(args))
    for (const name of Object.keys(part)) {
      // A stage of a pipeline that stores what it found.
      if (name === '$out' || name === '$merge') found.push(raise('delete', name, part[name]));
      const key = tellingKey(name);
      if (key === '') continue;
      actions ??= openActions(tool);
      const act = readArgument(tool, actions, key, part[name], part);
      if (act !== undefined) found.push(raise(act, key, part[name]));
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
  const key = toKey(toLookalike(name));
  const telling = TELLING.some((pattern) => pattern.test(key)) ? key : '';
  if (KEYS.size >= MOST_KEYS) KEYS.clear();
  if (name.length <= LONGEST_KEY) KEYS.set(name, telling);
  return telling;
}

/** Every object in the arguments, also in lists, in pairs and in texts that hold JSON or headers. */
function objectsIn(args: Json): readonly Json[] {
  const found: Json[] = [];
  const rest: unknown[] = [args];
  while (rest.length > 0) {
    const value = rest.pop();
    if (typeof value === 'string') rest.push(inText(value));
    else if (Array.isArray(value)) {
      const [name, one] = value as readonly unknown[];
      if (value.length === 2 && typeof name === 'string') found.push({ [name]: one });
      for (const each of value as readonly unknown[]) rest.push(each);
    } else if (typeof value === 'object' && value !== null) {
      const part = value as Json; // JSON: its keys are strings
      found.push(part);
      const name = part['name'] ?? part['key'] ?? part['header'];
      if (typeof name === 'string' && 'value' in part) found.push({ [name]: part['value'] });
      for (const one of Object.values(part)) rest.push(one);
    }
  }
  return found;
}

const MOST_HEADERS = 100;
const HEADER_LINE = /^([\w-]{1,64}):[ \t]*([\w-]{1,64})[ \t]*\r?$/gm;

/** What a text holds that is data again. */
function inText(text: string): unknown {
  if (/^\s*[[{"]/.test(text)) return parse(text);
  if (!text.includes(':')) return undefined;
  const lines = text.slice(0, MOST_HEADERS * LONGEST_KEY).matchAll(HEADER_LINE);
  return Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, value]));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return LITERAL.test(text) ? { method: 'DELETE' } : undefined;
  }
}
/** `{method: "DELETE"}` in the notation of a script. */
const LITERAL = /[{,]\s{0,20}["'`]?method["'`]?\s{0,20}:\s{0,20}["'`]?(?:delete|put|patch|post)\b/i;

function readArgument(
  tool: CalledTool,
  actions: Actions,
  key: string,
  value: unknown,
  beside: Json,
): Act | undefined {
  const flagged = readSwitch(tool, key, value);
  if (flagged !== undefined) return flagged;
  if (tool.looks && isBody(tool, key) && isSent(value, beside)) return 'deliver';
  if (WORDS.test(key)) return tool.looks ? readWords(tool, actions, value) : undefined;
  // What the definition speaks of was read with it.
  if (SPENDS.test(key) && !tool.looks && isSet(value) && !speaksOf(tool, key)) return 'spend';
  for (const text of textsIn(value)) {
    const act = actions.read(key, text, beside);
    if (act !== undefined) return act;
    if (AUDIENCE.test(key) && !tool.looks && EVERYBODY.test(text)) return 'share';
    if (runsStatement(tool, key, text)) return 'delete';
  }
  return undefined;
}

/** Of a value that says what it is in a member, that one. */
const SAID = ['name', 'type', 'value', 'text', 'query', 'sql'];

function textsIn(value: unknown): readonly string[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  return all.flatMap((one) => {
    if (typeof one === 'string') return [one];
    if (typeof one !== 'object' || one === null) return [];
    return SAID.flatMap((name) => {
      const said = (one as Json)[name]; // JSON: its keys are strings
      return typeof said === 'string' ? [said] : [];
    });
  });
}

/** Who may see it. */
const AUDIENCE =
  /^(?:\w+_)?(?:visibility|privacy|privacy_status|audience|access|access_level|access_type|acl|sharing|share_type)$/;
const EVERYBODY =
  /^\s*(?:public(?:[-_ ](?:read|write|read[-_ ]write))?|world(?:[-_ ]\w{1,20})?|any(?:one|body)(?:[-_ ]\w{1,20}){0,4}|every(?:one|body)|internet|unlisted|authenticated[-_]read)\s*$/i;

function speaksOf({ inputSchema }: CalledTool, key: string): boolean {
  return readParameters(inputSchema).names.has(key);
}

/** `args: ["-X", "DELETE"]`: words of a command line, each of which may be the act. */
const WORDS = /^(?:(?:extra|cli|command_line)_)?(?:args|argv|arguments|flags|options)$/;
const WORD = /^-{0,2}([a-z]+)(?:=.*)?$/is;
const MOST_LINE = 4000;

function readWords(tool: CalledTool, actions: Actions, value: unknown): Act | undefined {
  const texts = typeof value === 'string' ? value.slice(0, MOST_LINE).split(/\s+/) : textsIn(value);
  const isRequest = makesRequests(tool);
  for (const text of texts) {
    if (isRequest && SENDS.test(text)) return 'deliver';
    const [, word] = WORD.exec(text.slice(0, LONGEST_KEY)) ?? [];
    const act = word === undefined ? undefined : actions.read('action', word, {});
    if (act !== undefined) return act;
  }
  return undefined;
}

/** Names of arguments that hold SQL or Cypher. */
export const STATEMENT: RegExp =
  /(?:^|_)(?:sqls?|sql_\w+|stmts?|statements?|ddl|dml|cypher)(?:_(?:text|string))?$/;
const QUERY = /(?:^|_)(?:query|queries|q|graphql|document)(?:_(?:text|string))?$/;
const OF_DATABASE = /\b(?:sql|cypher|postgres\w*|sqlite|mysql|mariadb|duckdb|bigquery|snowflake)/i;
const QUERIED = new Set('query explain sql db database warehouse table'.split(' '));
/** Run as given, where a tool takes it. */
const SCRIPT = /^(?:exec|eval|js|javascript|python|powershell|sh)$/;
/** Tools that take a command as a subject: they say something about it. */
const ABOUT_COMMANDS = new Set(
  'explain validate format lint parse analyze help man doc command cmd script syntax shellcheck'.split(
    ' ',
  ),
);
const LONGEST_DESCRIPTION = 4000;

function runsStatement(tool: CalledTool, key: string, text: string): boolean {
  if (STATEMENT.test(key)) return !isReadingStatement(text);
  if (QUERY.test(key)) {
    if (isMutation(text)) return true;
    return (
      (STARTS_CHANGE.test(text) || STARTS_SQL.test(text)) &&
      takesSql(tool) &&
      !isReadingStatement(text)
    );
  }
  if (!(CODE.test(key) || SCRIPT.test(key)) || !tool.looks || text.trim() === '') return false;
  return !toWords(tool.name).some((word) => ABOUT_COMMANDS.has(toSingular(word)));
}

function takesSql({ name, description }: CalledTool): boolean {
  const words = toWords(name);
  if (words.some((word) => QUERIED.has(toSingular(word)))) return true;
  return OF_DATABASE.test(`${words.join(' ')} ${description.slice(0, LONGEST_DESCRIPTION)}`);
}

/** Somewhere in a query that may also be a question in words. */
const STARTS_CHANGE =
  /\b(?:insert\s+into|update\s+\S+\s+set|delete\s+from|(?:drop|alter|create|truncate)\s+\w+|grant\s|revoke\s|merge\s|call\s|copy\s|exec\w*\s|detach\s+delete|set\s)/i;

/** At the beginning, where few questions in words have them. */
const STARTS_SQL =
  /^(?:\s|\(|--[^\n]*\n|\/\*[^*]*\*\/)*(?:select|delete|replace|drop|truncate|upsert|insert|merge|exec|execute|with\s+\w+\s+as)\b/i;

const TELLING: readonly RegExp[] = [
  AUDIENCE,
  REQUEST_BODY,
  SPENDS,
  ...SWITCH_KEYS,
  ...ACTION_KEYS,
  BODY,
  WORDS,
  STATEMENT,
  QUERY,
  CODE,
  SCRIPT,
];

function raise(act: Act, key: string, value: unknown): Signal {
  const shown = typeof value === 'string' ? value : JSON.stringify(value);
  const text = `this call has "${key.slice(0, 40)}": ${JSON.stringify(shown.slice(0, 40))}, which means ${act}`;
  return signal(act, 0.8, { code: 'argument', source: 'arguments', text });
}
