/**
 * Reads `plimsoll.check.yaml` (YAML, and so JSON). Everything that is wrong is told at once, each with
 * its line and column; a configuration with a fault is none.
 */
import { LineCounter, parseDocument } from 'yaml';
import type { ConfigFault } from '../gate/config/config-fault.ts';
import type { Source, Spot } from '../gate/config/spot.ts';
import {
  fault,
  readChoice,
  readEntries,
  readFields,
  readItems,
  readText,
} from '../gate/config/spot.ts';
import { suggest } from '../gate/decide/suggest.ts';
import type { Severity } from './finding.ts';
import { PROFILE_NAMES, SEVERITIES } from './profiles.ts';
import type { Profile, Rule } from './rule.ts';
import type { Ignore } from './settings.ts';

export interface CheckConfig {
  readonly profiles?: readonly Profile[];
  readonly failOn?: Severity;
  readonly severities: ReadonlyMap<string, Severity | 'off'>;
  readonly ignores: readonly Ignore[];
}

export type ReadCheckConfig =
  | { readonly kind: 'config'; readonly config: CheckConfig }
  | { readonly kind: 'faults'; readonly faults: readonly ConfigFault[] };

const KNOWN = ['profiles', 'failOn', 'severities', 'ignore'];
const INSTEAD = {
  profile: 'is `profiles`, a list, here.',
  ignores: 'is `ignore` here.',
  rules: 'is `severities` here.',
};

/** The rules say which names there are. */
export function readCheckConfig(
  text: string,
  file: string,
  rules: readonly Rule[],
): ReadCheckConfig {
  const faults: ConfigFault[] = [];
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const source: Source = {
    document,
    fault: (offset, message) => {
      const { line, col } = lines.linePos(offset);
      faults.push({ file, line: Math.max(1, line), column: Math.max(1, col), message });
    },
  };
  for (const { pos, message } of [...document.errors, ...document.warnings])
    source.fault(pos[0], message);
  if (faults.length > 0) return { kind: 'faults', faults };
  const whole: Spot = { source, path: '', offset: 0, node: document.contents };
  // An empty file says nothing, and that is allowed.
  const fields = document.contents === null ? {} : readFields(whole, KNOWN, INSTEAD);
  const names = new Set(rules.flatMap(({ id, codes }) => [id, ...Object.keys(codes)]));
  const profiles = readItems(fields?.['profiles'])?.flatMap(
    (item) => readChoice(item, PROFILE_NAMES) ?? [],
  );
  const failOn = readChoice(fields?.['failOn'], SEVERITIES);
  const config: CheckConfig = {
    ...(profiles !== undefined && { profiles }),
    ...(failOn !== undefined && { failOn }),
    severities: readSeverities(fields?.['severities'], names),
    ignores: (readItems(fields?.['ignore']) ?? []).flatMap((item) => readIgnore(item, names) ?? []),
  };
  if (faults.length === 0) return { kind: 'config', config: Object.freeze(config) };
  return { kind: 'faults', faults: faults.toSorted((a, b) => a.line - b.line) };
}

function readSeverities(
  spot: Spot | undefined,
  names: ReadonlySet<string>,
): ReadonlyMap<string, Severity | 'off'> {
  const severities = new Map<string, Severity | 'off'>();
  for (const { key, keyOffset, value } of readEntries(spot) ?? []) {
    checkName(key, names, { ...value, offset: keyOffset });
    const severity = readChoice(value, [...SEVERITIES, 'off'] as const);
    if (severity !== undefined) severities.set(key, severity);
  }
  return severities;
}

function readIgnore(spot: Spot, names: ReadonlySet<string>): Ignore | undefined {
  const fields = readFields(spot, ['rule', 'server', 'tool', 'reason', 'until']);
  if (fields === undefined) return undefined;
  const rule = readText(fields['rule'] ?? missing(spot, 'rule'));
  const reason = readText(fields['reason'] ?? missing(spot, 'reason'));
  const until = readDay(fields['until'] ?? missing(spot, 'until'));
  const server = readText(fields['server']);
  const tool = readText(fields['tool']);
  if (rule !== undefined) checkName(rule, names, fields['rule'] ?? spot);
  if (rule === undefined || reason === undefined || until === undefined) return undefined;
  return {
    rule,
    reason,
    until,
    ...(server !== undefined && { server }),
    ...(tool !== undefined && { tool }),
  };
}

function readDay(spot: Spot | undefined): string | undefined {
  const text = readText(spot);
  if (spot === undefined || text === undefined) return undefined;
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text) && isOnCalendar(text);
  return isDay ? text : fault(spot, 'must be a day, such as 2027-03-01.');
}

function isOnCalendar(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

function missing(spot: Spot, key: string): undefined {
  return fault(spot, `${key} is missing.`);
}

function checkName(name: string, names: ReadonlySet<string>, spot: Spot): void {
  if (names.has(name)) return;
  const near = suggest(name, [...names]);
  fault(spot, `there is no such rule.${near === undefined ? '' : ` Did you mean ${near}?`}`);
}
