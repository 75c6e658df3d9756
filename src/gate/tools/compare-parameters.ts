/** Compares the parameters of two input schemas: each difference, and whether it adds or removes risk. */
import { inferEffect } from '../../effect/infer/infer-effect.ts';
import { TIERS } from '../../effect/tier.ts';
import { toCanonicalJson } from '../../lib/canonical-json.ts';
import type { JsonValue } from '../../lib/json-value.ts';
import type { JsonRecord } from './tool-definition.ts';
import { own, toRecord } from './tool-definition.ts';
import { toWords } from '../../effect/infer/to-words.ts';
import type { Direction, DriftChange, DriftCode } from './drift-change.ts';
import { quote, toPointer } from './drift-change.ts';

export function compareParameters(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): readonly DriftChange[] {
  const old = listParameters(before);
  const now = listParameters(after);
  return [
    ...[...now.values()].filter(({ chain }) => !old.has(chain)).map(added),
    ...[...old.values()].filter(({ chain }) => !now.has(chain)).map(removed),
    ...[...now.values()].flatMap((parameter) => {
      const known = old.get(parameter.chain);
      return known === undefined ? [] : compare(known, parameter);
    }),
  ];
}

function added(parameter: Parameter): DriftChange {
  const { required, risky } = parameter;
  const kind = risky ? 'a sensitive' : required ? 'a required' : 'an optional';
  const direction = risky || required ? 'riskier' : 'neutral';
  return change('parameter-added', direction, parameter, `was added as ${kind} parameter`);
}

function removed(parameter: Parameter): DriftChange {
  const { guards, risky } = parameter;
  if (guards)
    return change('parameter-removed', 'riskier', parameter, 'was removed; it was a safeguard');
  const direction = risky ? 'safer' : 'neutral';
  return change('parameter-removed', direction, parameter, 'was removed');
}

function compare(before: Parameter, after: Parameter): readonly DriftChange[] {
  const changes: DriftChange[] = [];
  if (after.required && !before.required) {
    const direction = after.guards ? 'safer' : 'riskier';
    changes.push(change('parameter-required', direction, after, 'is now required'));
  }
  if (before.required && !after.required) {
    const direction = after.guards ? 'riskier' : 'neutral';
    changes.push(change('parameter-optional', direction, after, 'is no longer required'));
  }
  return [
    ...changes,
    ...compareChoices(before, after),
    ...compareLimits(before, after),
    ...compareDefaults(before, after),
  ];
}

function compareChoices(before: Parameter, after: Parameter): readonly DriftChange[] {
  const old = choicesOf(before);
  const now = choicesOf(after);
  if (old === undefined && now === undefined) return [];
  if (old === undefined) return [change('choices', 'safer', after, 'now has fixed choices')];
  if (now === undefined) {
    const direction = after.risky || [...old].some(isGrave) ? 'riskier' : 'neutral';
    return [change('choices', direction, after, 'no longer has fixed choices')];
  }
  const gained = [...now].filter((value) => !old.has(value));
  const lost = [...old].filter((value) => !now.has(value));
  const grave = gained.find(isGrave);
  if (grave !== undefined)
    return [change('choices', 'riskier', after, `can now be ${quote(grave)}`)];
  if (gained.length === 0 && lost.length === 0) return [];
  const direction = gained.length === 0 && lost.some(isGrave) ? 'safer' : 'neutral';
  return [change('choices', direction, after, 'has other choices')];
}

function choicesOf({ schema }: Parameter): ReadonlySet<string> | undefined {
  const values = own(schema, 'enum');
  if (!Array.isArray(values)) return undefined;
  return new Set((values as readonly JsonValue[]).map(toChoice));
}

function toChoice(value: JsonValue): string {
  return typeof value === 'string' ? value : toCanonicalJson(value);
}

/** A choice that would ask if it were a tool, for what it says and not for saying nothing. */
function isGrave(choice: string): boolean {
  const { asks, confidence } = inferEffect({ name: choice });
  return asks && confidence >= SURE;
}

const SURE = 0.7;
const CEILINGS = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems'];
const FORMS = ['pattern', 'const', 'format'];

/** Limits matter where the parameter is one that can do harm. */
function compareLimits(before: Parameter, after: Parameter): readonly DriftChange[] {
  const changes: DriftChange[] = [];
  const harmful = before.risky || after.risky;
  const add = (direction: Direction, text: string): void => {
    changes.push(change('limit', harmful ? direction : 'neutral', after, text));
  };
  for (const key of [...CEILINGS, ...FORMS]) {
    const old = own(before.schema, key);
    const now = own(after.schema, key);
    if (textOf(old) === textOf(now)) continue;
    if (old === undefined) add('safer', `is now limited by ${key}`);
    else if (now === undefined) add('riskier', `is no longer limited by ${key}`);
    else if (typeof old === 'number' && typeof now === 'number')
      add(now > old ? 'riskier' : 'safer', `has ${key} ${now} instead of ${old}`);
    else add('riskier', `has another ${key}`);
  }
  return changes;
}

/** What happens when the caller says nothing: a guard that is off, a danger that is on. */
function compareDefaults(before: Parameter, after: Parameter): readonly DriftChange[] {
  const old = own(before.schema, 'default');
  const now = own(after.schema, 'default');
  if (textOf(old) === textOf(now)) return [];
  const wasOn = old === true;
  const isOn = now === true;
  let direction: Direction = 'neutral';
  if (after.guards) direction = wasOn ? 'riskier' : isOn ? 'safer' : 'neutral';
  else if (after.risky && wasOn !== isOn) direction = isOn ? 'riskier' : 'safer';
  else if (after.risky && now !== undefined && typeof now !== 'boolean') direction = 'riskier';
  return [change('default', direction, after, 'has another default')];
}

function textOf(value: JsonValue | undefined): string {
  return value === undefined ? '' : toCanonicalJson(value);
}

function change(
  code: DriftCode,
  direction: Direction,
  { chain }: Parameter,
  text: string,
): DriftChange {
  const pointer = toPointer('inputSchema', 'properties', ...chain.split('.'));
  return { code, direction, pointer, text: `${quote(chain)} ${text}` };
}

/**
 * Lists the parameters of an input schema by their chain of names, whatever notation the schema has:
 * arrays, alternatives and local references are looked through, so that rewriting them changes nothing.
 */
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
/** Worked out at the first comparison, which most processes never make. */
let plainSeverity: number | undefined;

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
    addParameter(found, toParameter(chain, needs.has(name), part));
    walk(part, { ...place, chain }, found);
  }
  for (const part of alternatives(schema)) walk(part, place, found);
  const reference = own(schema, '$ref');
  if (typeof reference !== 'string' || place.open.has(reference)) return;
  const target = resolve(place.root, reference);
  if (target) walk(target, { ...place, open: new Set([...place.open, reference]) }, found);
}

/** A name that several alternatives have is required if one of them needs it. */
function addParameter(found: Map<string, Parameter>, parameter: Parameter): void {
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
  plainSeverity ??= TIERS[inferEffect(PLAIN).effect.tier].severity;
  return TIERS[inferEffect({ ...PLAIN, inputSchema }).effect.tier].severity > plainSeverity;
}
