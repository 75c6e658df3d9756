/**
 * Profiles: whose expectations are checked, in one sentence each, and how grave a rule is under those
 * that were chosen. What a rule says of a profile stands in the rule.
 */
import type { Severity } from './finding.ts';
import type { Profile, Rule } from './rule.ts';

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
