/**
 * Reads `plimsoll.check.yaml` (YAML, and so JSON). All errors are reported at once, each with its line
 * and column; a configuration with an error is not used.
 */
import { z } from 'zod';
import { always, checkShape, only, text as nonEmpty, suggest } from '../lib/check-shape.ts';
import type { FileFault } from '../lib/read-yaml.ts';
import { readYaml, toFileFault } from '../lib/read-yaml.ts';
import type { Priority } from './priority.ts';
import type { Profile, Rule, Severity } from './rule.ts';

export interface CheckConfig {
  readonly profiles?: readonly Profile[];
  readonly failOn?: Severity;
  readonly severities: ReadonlyMap<string, Severity | 'off'>;
  readonly ignores: readonly Ignore[];
  /** The order of the report. */
  readonly priorities?: readonly Priority[];
}

type ReadCheckConfig =
  | { readonly kind: 'config'; readonly config: CheckConfig }
  | { readonly kind: 'faults'; readonly faults: readonly FileFault[] };

const INSTEAD = {
  profile: 'is called `profiles` here, a list',
  ignores: 'is `ignore` here',
  rules: 'is `severities` here',
};

/** Valid names come from the rules. */
export function readCheckConfig(
  text: string,
  file: string,
  rules: readonly Rule[],
): ReadCheckConfig {
  const names = rules.flatMap(({ id, codes }) => [id, ...Object.keys(codes)]);
  const schema = toSchema(names);
  // An empty file is allowed.
  const reading = readYaml(text, (value = {}) => checkShape(schema, value));
  if (reading.kind === 'faults')
    return { kind: 'faults', faults: reading.faults.map((fault) => toFileFault(fault, file)) };
  const { severities, ignore, ...rest } = reading.value;
  const config = { ...rest, severities: new Map(Object.entries(severities)), ignores: ignore };
  return { kind: 'config', config: Object.freeze(config) };
}

function toSchema(names: readonly string[]) {
  const unknownRule = (name: string): string => {
    const near = suggest(name, names);
    return `no such rule.${near === undefined ? '' : ` Did you mean ${near}?`}`;
  };
  const rule = nonEmpty.refine((name) => names.includes(name), {
    error: ({ input }) => unknownRule(String(input)),
  });
  const severities = z
    .record(z.string(), z.enum([...SEVERITIES, 'off']))
    .superRefine((given, context) => {
      for (const name of Object.keys(given)) {
        if (names.includes(name)) continue;
        const message = unknownRule(name);
        context.addIssue({ code: 'custom', path: [name], message, params: { onKey: true } });
      }
    }, always);
  const ignore = only({
    rule,
    server: nonEmpty.exactOptional(),
    tool: nonEmpty.exactOptional(),
    reason: nonEmpty,
    until: z.string().refine(isDay, 'must be a date, such as 2027-03-01'),
  });
  return only(
    {
      profiles: z.array(z.enum(PROFILE_NAMES)).exactOptional(),
      failOn: z.enum(SEVERITIES).exactOptional(),
      severities: severities.default({}),
      ignore: z.array(ignore).default([]),
      priorities: z
        .array(only({ name: nonEmpty, tools: z.array(nonEmpty).min(1) }))
        .exactOptional(),
    },
    INSTEAD,
  );
}

function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  const isOnCalendar = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
  return /^\d{4}-\d\d-\d\d$/.test(day) && isOnCalendar;
}

/** The settings of a check: profiles, severities, and what is ignored until when. */
export interface Settings {
  readonly profiles: readonly Profile[];
  /** By code or by rule, the code first; they win over profiles. */
  readonly severities: ReadonlyMap<string, Severity | 'off'>;
  readonly ignores: readonly Ignore[];
  /** The current date, for ignores. */
  readonly now: Date;
}

export interface Ignore {
  /** A rule, or one of its codes. */
  readonly rule: string;
  /** Names, where `*` matches anything. Absent: all of them. */
  readonly server?: string;
  readonly tool?: string;
  readonly reason: string;
  /** The last day that it applies, as `2027-03-01`. */
  readonly until: string;
}

export const DEFAULT_PROFILES: readonly Profile[] = Object.freeze(['spec']);

export function defaultSettings(now: Date): Settings {
  return { profiles: DEFAULT_PROFILES, severities: new Map(), ignores: [], now };
}

/**
 * Profiles: whose expectations are checked, in one sentence each, and the severity of a rule under the
 * chosen ones. Each rule states its severity per profile.
 */
const PROFILES: Readonly<Record<Profile, string>> = Object.freeze({
  spec: 'what MCP itself says; the default',
  'anthropic-directory': "what Anthropic's connector directory requires of a submission",
  'openai-apps': "what OpenAI's app directory requires, with its own meaning of open world",
  closient: 'hints that promise nothing are omitted',
  geopera: 'tiers in addition to the hints, estimates before spends',
  nextcloud: 'the hints that matter for a kind of tool, and a title on each',
  epd: 'all four hints, always',
  strict: 'everything, with higher severities',
});

export const PROFILE_NAMES: readonly Profile[] = Object.freeze(
  Object.keys(PROFILES) as Profile[], // the record's keys are exactly the union
);

/** From the least to the most severe. */
export const SEVERITIES: readonly Severity[] = Object.freeze(['info', 'warning', 'error']);

export function isGraver(a: Severity, b: Severity): boolean {
  return SEVERITIES.indexOf(a) > SEVERITIES.indexOf(b);
}

/**
 * The highest severity of any of the profiles. `off` wins over all: it means that following the rule
 * would break the profile.
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
