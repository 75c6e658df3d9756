/** Compares the parameters of two input schemas and tells of each difference which way it points. */
import { readTool } from '../../effect/reading/read-tool.ts';
import { toCanonicalJson } from '../../lib/canonical-json.ts';
import type { JsonValue } from '../../lib/json-value.ts';
import type { Direction, DriftChange, DriftCode } from './drift.ts';
import { quote, toPointer } from './drift.ts';
import type { Parameter } from './list-parameters.ts';
import { listParameters } from './list-parameters.ts';
import { own } from './tool-definition.ts';

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
  const kind = risky ? 'a telling' : required ? 'a required' : 'an optional';
  const direction = risky || required ? 'riskier' : 'neutral';
  return change('parameter-added', direction, parameter, `it takes ${kind} parameter more`);
}

function removed(parameter: Parameter): DriftChange {
  const { guards, risky } = parameter;
  if (guards)
    return change('parameter-removed', 'riskier', parameter, 'what held a call back is gone');
  const direction = risky ? 'safer' : 'neutral';
  return change('parameter-removed', direction, parameter, 'it no longer takes the parameter');
}

function compare(before: Parameter, after: Parameter): readonly DriftChange[] {
  const changes: DriftChange[] = [];
  if (after.required && !before.required) {
    const direction = after.guards ? 'safer' : 'riskier';
    changes.push(change('parameter-required', direction, after, 'it now needs the parameter'));
  }
  if (before.required && !after.required) {
    const direction = after.guards ? 'riskier' : 'neutral';
    changes.push(
      change('parameter-optional', direction, after, 'it no longer needs the parameter'),
    );
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
  if (old === undefined) return [change('choices', 'safer', after, 'it now has fixed choices')];
  if (now === undefined) {
    const direction = after.risky || [...old].some(isGrave) ? 'riskier' : 'neutral';
    return [change('choices', direction, after, 'its choices are no longer fixed')];
  }
  const gained = [...now].filter((value) => !old.has(value));
  const lost = [...old].filter((value) => !now.has(value));
  const grave = gained.find(isGrave);
  if (grave !== undefined)
    return [change('choices', 'riskier', after, `it can now be ${quote(grave)}`)];
  if (gained.length === 0 && lost.length === 0) return [];
  const direction = gained.length === 0 && lost.some(isGrave) ? 'safer' : 'neutral';
  return [change('choices', direction, after, 'its choices are others')];
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
  const { asks, confidence } = readTool({ name: choice });
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
    if (old === undefined) add('safer', `${key} limits it now`);
    else if (now === undefined) add('riskier', `${key} no longer limits it`);
    else if (typeof old === 'number' && typeof now === 'number')
      add(now > old ? 'riskier' : 'safer', `${key} went from ${old} to ${now}`);
    else add('riskier', `${key} is another`);
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
  return [change('default', direction, after, 'its default is another')];
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
  return { code, direction, pointer, text: `${quote(chain)}: ${text}` };
}
