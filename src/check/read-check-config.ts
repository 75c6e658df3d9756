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
import { suggest } from '../gate/policy/suggest.ts';
import type { Profile, Rule, Severity } from './rule.ts';

export interface CheckConfig {
  readonly profiles?: readonly Profile[];
  readonly failOn?: Severity;
  readonly severities: ReadonlyMap<string, Severity | 'off'>;
  readonly ignores: readonly Ignore[];
}

type ReadCheckConfig =
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

/** How a check is to be made: whose expectations, what counts how much, and what is let pass until when. */
export interface Settings {
  readonly profiles: readonly Profile[];
  /** By code or by rule, the code first; they win over profiles. */
  readonly severities: ReadonlyMap<string, Severity | 'off'>;
  readonly ignores: readonly Ignore[];
  /** The day that ignores are held against. */
  readonly now: Date;
}

export interface Ignore {
  /** A rule, or one of its codes. */
  readonly rule: string;
  /** Names, in which `*` stands for anything. Absent: every one. */
  readonly server?: string;
  readonly tool?: string;
  readonly reason: string;
  /** The last day that it holds on, as `2027-03-01`. */
  readonly until: string;
}

export const DEFAULT_PROFILES: readonly Profile[] = Object.freeze(['spec']);

export function defaultSettings(now: Date): Settings {
  return { profiles: DEFAULT_PROFILES, severities: new Map(), ignores: [], now };
}

/**
 * Profiles: whose expectations are checked, in one sentence each, and how grave a rule is under those
 * that were chosen. What a rule says of a profile stands in the rule.
 */
const PROFILES: Readonly<Record<Profile, string>> = Object.freeze({
  spec: 'what MCP itself says; the default',
  'anthropic-directory': "what Anthropic's connector directory asks of a submission",
  'openai-apps': "what OpenAI's app directory asks, with its own meaning of the open world",
  closient: 'hints that promise nothing are left out',
  geopera: 'tiers beside the hints, estimates before spends',
  nextcloud: 'the hints that matter for a kind of tool, and a title on each',
  epd: 'all four hints said, always',
  strict: 'everything, more gravely',
});

export const PROFILE_NAMES: readonly Profile[] = Object.freeze(
  Object.keys(PROFILES) as Profile[], // the record's keys are exactly the union
);

/** From the mildest to the gravest. */
export const SEVERITIES: readonly Severity[] = Object.freeze(['info', 'warning', 'error']);

export function isGraver(a: Severity, b: Severity): boolean {
  return SEVERITIES.indexOf(a) > SEVERITIES.indexOf(b);
}

/**
 * The gravest that any of the profiles says. `off` wins over all: it means that to follow the rule is to
 * break what the profile asks for.
 */
export function severityIn(
  rule: Pick<Rule, 'severity' | 'profiles'>,
  profiles: readonly Profile[],
): Severity | 'off' {
  const said = profiles.map((profile) => rule.profiles?.[profile] ?? rule.severity);
  if (said.includes('off')) return 'off';
  const [first = rule.severity, ...rest] = said.filter((severity) => severity !== 'off');
  return rest.reduce((worst, severity) => (isGraver(severity, worst) ? severity : worst), first);
}
