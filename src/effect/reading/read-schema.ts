/** Reads the parameters of a tool: what their names and choices say about the effect. */
import type { Act } from '../act.ts';
import { TIERS } from '../tier.ts';
import { VERBS } from './lexicon.ts';
import type { Signal } from './signal.ts';
import { signal, usualTier } from './signal.ts';
import { toSingular, toWords } from './to-words.ts';

export interface Parameters {
  /** Every parameter's name as one lower-case word per part, joined with `_`. */
  readonly names: ReadonlySet<string>;
  readonly choices: readonly { readonly name: string; readonly values: readonly string[] }[];
}

type Json = Readonly<Record<string, unknown>>;

export function readParameters(inputSchema: unknown): Parameters {
  const properties = toObject(toObject(inputSchema)?.['properties']) ?? {};
  const choices = Object.entries(properties).map(([name, schema]) => ({
    name: toName(name),
    values: valuesOf(toObject(schema)),
  }));
  return {
    names: new Set(choices.map(({ name }) => name)),
    choices: choices.filter(({ values }) => values.length > 0),
  };
}

/** Parameters that are run as they stand. */
const CODE = /(?:^|_)(?:sql|commands?|cmd|script|bash|shell|statements?)$/;
const SOFT_CODE = /(?:^|_)(?:code|javascript|expression|function|query|cypher|args)$/;
const TARGETS = [
  'path',
  'file_path',
  'filepath',
  'filename',
  'file_name',
  'file',
  'uri',
  'target_file',
];
const CONTENTS = [
  'patch',
  'diff',
  'replace',
  'replacement',
  'new_content',
  'content',
  'contents',
  'text',
  'edits',
  'new_string',
  'new_str',
  'data',
  'new_text',
];
const KEPT = ['branch', 'commit_message', 'sha', 'message', 'repo'];
const BILLS = [
  'confirm_cost_id',
  'hardware',
  'instance_type',
  'max_instances',
  'machine_type',
  'max_price',
  'payment_method',
  'payment_method_id',
  'card_number',
  'amount_usd',
  'gas_limit',
  'gas_price',
  'slippage',
  'instance_size',
  'droplet_size',
  'node_size',
  'vm_size',
  'daily_budget',
  'max_credits',
];
const REACHES = [
  'recipients',
  'recipient',
  'to_email',
  'to_emails',
  'bcc',
  'phone_number',
  'share_with',
];
const CHATS = ['channel', 'channel_id', 'chat_id', 'conversation_id', 'thread_id', 'to', 'jid'];
const SAID = ['text', 'message', 'body', 'subject', 'file_path', 'media_path', 'photo', 'document'];
const SWITCHES = ['action', 'operation', 'op', 'method', 'mode', 'verb', 'http_method', 'state'];

export function runsCode({ names }: Parameters, softly: boolean): boolean {
  return [...names].some((name) => CODE.test(name) || (softly && SOFT_CODE.test(name)));
}

/** A place and its whole content, without a version that keeps what was there. */
export function replacesContent({ names }: Parameters, isFile: boolean): boolean {
  if (KEPT.some((name) => names.has(name))) return false;
  if (isFile) return true;
  return TARGETS.some((name) => names.has(name)) && CONTENTS.some((name) => names.has(name));
}

/** What parameters tell of a tool that is no read. */
export function readSchema({ names, choices }: Parameters): readonly Signal[] {
  const signals = choices.flatMap(({ name, values }) => readChoice(name, values));
  const bills = BILLS.find((name) => names.has(name));
  if (bills !== undefined) signals.push(parameter('spend', bills));
  const reaches = REACHES.find((name) => names.has(name));
  if (reaches !== undefined) signals.push(parameter('deliver', reaches));
  if (names.has('amount') && (names.has('to') || names.has('currency') || names.has('recipient')))
    signals.push(parameter('spend', 'amount'));
  if (names.has('method') && (names.has('url') || names.has('endpoint') || names.has('path')))
    signals.push(parameter('delete', 'method'));
  if (CHATS.some((name) => names.has(name)) && SAID.some((name) => names.has(name)))
    signals.push(parameter('deliver', 'a chat and something to say'));
  for (const name of [
    'manifest',
    'yaml',
    'migration',
    'overwrite',
    'force',
    'permanent',
    'overwrite_existing',
    'hard_delete',
  ])
    if (names.has(name)) signals.push(parameter('delete', name));
  return signals;
}

/** The gravest of the acts that a switching parameter offers. */
function readChoice(name: string, values: readonly string[]): Signal[] {
  if (!SWITCHES.includes(name)) return [];
  return values.flatMap((value): Signal[] => {
    const [first = ''] = toWords(value);
    const act = VERBS.get(first)?.act;
    if (act === undefined || !TIERS[usualTier(act)].asks) return [];
    if (name === 'state' && usualTier(act) !== 'destructive') return [];
    const text = `"${name}" can be "${value.slice(0, 40)}", which means ${act}`;
    return [signal(act, 0.8, { code: 'choice', source: 'schema', text })];
  });
}

function parameter(act: Act, name: string): Signal {
  const text = `it takes "${name}", which goes with ${act}`;
  return signal(act, 0.6, { code: 'parameter', source: 'schema', text });
}

function valuesOf(schema: Json | undefined): readonly string[] {
  const direct = schema?.['enum'];
  if (Array.isArray(direct)) return direct.filter((value) => typeof value === 'string');
  const options = schema?.['anyOf'] ?? schema?.['oneOf'];
  if (!Array.isArray(options)) return [];
  return options.flatMap((option: unknown) => {
    const { const: value, enum: values } = toObject(option) ?? {};
    const all: readonly unknown[] = Array.isArray(values) ? values : [value];
    return all.filter((entry) => typeof entry === 'string');
  });
}

function toName(name: string): string {
  return toWords(name)
    .map((word, at, all) => (at === all.length - 1 ? word : toSingular(word)))
    .join('_');
}

function toObject(value: unknown): Json | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return value as Json; // an object out of JSON has string keys only
}
