/**
 * Lists the parameters of an input schema by their chain of names, whatever notation the schema has:
 * arrays, alternatives and local references are looked through, so that rewriting them changes nothing.
 */
import { readTool } from '../../effect/reading/read-tool.ts';
import { toWords } from '../../effect/reading/to-words.ts';
import { TIERS } from '../../effect/tier.ts';
import type { JsonValue } from '../../lib/json-value.ts';
import type { JsonRecord } from './tool-definition.ts';
import { own, toRecord } from './tool-definition.ts';

export interface Parameter {
  /** `filter.path` */
  readonly chain: string;
  readonly required: boolean;
  readonly schema: JsonRecord;
  /** Where a call goes, what it runs, whom it reaches, what it costs, what it opens. */
  readonly risky: boolean;
  /** Holds a call back: a confirmation, a trial run, a version that must match. */
  readonly guards: boolean;
}

/** More than any schema that means well, and a bound on references that multiply. */
const MOST = 5000;
const DEEPEST = 24;

const RISKY = new Set(
  `url uri urls endpoint host hostname domain webhook callback proxy command commands cmd script sql
  shell code exec path paths file filepath filename dir directory folder recipient recipients email emails
  cc bcc phone amount price currency payment card wallet budget token password secret credential
  credentials headers force overwrite permanent recursive sudo`.split(/\s+/),
);
const GUARDS = new Set(
  'confirm confirmation confirmed dryrun preview etag idempotency approval'.split(' '),
);
const GUARD_PAIRS = new Set(['dry_run', 'if_match', 'expected_version', 'is_dry']);

const PLAIN = { name: 'add_item' };
const PLAIN_SEVERITY = TIERS[readTool(PLAIN).effect.tier].severity;

export function listParameters(inputSchema: JsonValue | undefined): ReadonlyMap<string, Parameter> {
  const root = toRecord(inputSchema) ?? {};
  const found = new Map<string, Parameter>();
  walk(root, { root, chain: [], open: new Set() }, found);
  return found;
}

interface Place {
  readonly root: JsonRecord;
  readonly chain: readonly string[];
  /** References that are being followed. */
  readonly open: ReadonlySet<string>;
}

function walk(schema: JsonRecord, place: Place, found: Map<string, Parameter>): void {
  if (found.size >= MOST || place.chain.length + place.open.size > DEEPEST) return;
  const required = own(schema, 'required');
  const needs = new Set(Array.isArray(required) ? (required as readonly JsonValue[]) : []);
  for (const [name, value] of Object.entries(toRecord(own(schema, 'properties')) ?? {})) {
    const part = toRecord(value) ?? {};
    const chain = [...place.chain, name];
    add(found, toParameter(chain, needs.has(name), part));
    walk(part, { ...place, chain }, found);
  }
  for (const part of alternatives(schema)) walk(part, place, found);
  const reference = own(schema, '$ref');
  if (typeof reference !== 'string' || place.open.has(reference)) return;
  const target = resolve(place.root, reference);
  if (target) walk(target, { ...place, open: new Set([...place.open, reference]) }, found);
}

/** A name that several alternatives have is required if one of them needs it. */
function add(found: Map<string, Parameter>, parameter: Parameter): void {
  const known = found.get(parameter.chain);
  const required = parameter.required || known?.required === true;
  found.set(parameter.chain, { ...(known ?? parameter), required });
}

function alternatives(schema: JsonRecord): readonly JsonRecord[] {
  const lists = ['anyOf', 'oneOf', 'allOf', 'prefixItems'].flatMap((key) => {
    const list = own(schema, key);
    return Array.isArray(list) ? (list as readonly JsonValue[]) : [];
  });
  const single = ['items', 'additionalProperties', 'then', 'else'].map((key) => own(schema, key));
  return [...lists, ...single].map(toRecord).filter((part) => part !== undefined);
}

function resolve(root: JsonRecord, reference: string): JsonRecord | undefined {
  if (!reference.startsWith('#/')) return undefined;
  let at: JsonRecord | undefined = root;
  for (const key of reference.slice(2).split('/')) {
    at = toRecord(own(at, key.replaceAll('~1', '/').replaceAll('~0', '~')));
    if (at === undefined) return undefined;
  }
  return at;
}

function toParameter(chain: readonly string[], required: boolean, schema: JsonRecord): Parameter {
  const name = chain.at(-1) ?? '';
  const words = toWords(name);
  const format = own(schema, 'format');
  return {
    chain: chain.join('.'),
    required,
    schema,
    risky:
      words.some((word) => RISKY.has(word)) ||
      format === 'uri' ||
      format === 'email' ||
      raises(name),
    guards: words.some((word) => GUARDS.has(word)) || GUARD_PAIRS.has(words.join('_')),
  };
}

/** Whether the parameter alone makes a graver tool of a plain one. */
function raises(name: string): boolean {
  const inputSchema = { type: 'object', properties: { [name]: {} } };
  return TIERS[readTool({ ...PLAIN, inputSchema }).effect.tier].severity > PLAIN_SEVERITY;
}
