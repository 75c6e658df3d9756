/**
 * Checks one server: every rule over every tool, severities and ignores applied. Pure. A rule that
 * throws is a finding; nothing that a server says can stop the others.
 */
import { ENGINE_RULES, IGNORE_EXPIRED, RULE_FAILED } from './engine-rules.ts';
import type { Finding } from './finding.ts';
import { toIgnoring } from './ignoring.ts';
import { severityIn } from './profiles.ts';
import type { Draft, Rule } from './rule.ts';
import { RULES } from './rules/index.ts';
import type { Settings } from './settings.ts';
import type { ServerSubject } from './subject.ts';

export function checkServer(
  subject: ServerSubject,
  settings: Settings,
  rules: readonly Rule[] = RULES,
): readonly Finding[] {
  const ignoring = toIgnoring(settings);
  const found: Finding[] = [];
  const add = (rule: Rule, draft: Draft): void => {
    const finding = toFinding(rule, draft, subject, settings);
    if (finding !== undefined && !ignoring.covers(finding)) found.push(finding);
  };
  for (const rule of rules) {
    if (isOff(rule, settings)) continue;
    for (const draft of draftsOf(rule, subject))
      add(draft.code === RULE_FAILED.id ? RULE_FAILED : rule, draft);
  }
  for (const draft of ignoring.expiredFor(subject)) add(IGNORE_EXPIRED, draft);
  return Object.freeze(found);
}

/** Every rule that can give a finding, the engine's own among them. */
export function allRules(): readonly Rule[] {
  return [...RULES, ...ENGINE_RULES];
}

function* draftsOf(rule: Rule, server: ServerSubject): Generator<Draft> {
  if (rule.checkServer !== undefined) yield* guarded(rule, '', () => rule.checkServer?.(server));
  if (rule.checkTool === undefined) return;
  for (const tool of server.tools) {
    const { pointer, name } = tool;
    for (const draft of guarded(rule, pointer, () => rule.checkTool?.(tool, server)))
      yield { tool: name, ...draft };
  }
}

function guarded(
  { id }: Rule,
  pointer: string,
  check: () => readonly Draft[] | undefined,
): readonly Draft[] {
  try {
    return check() ?? [];
  } catch {
    // The cause is left out: what was thrown may hold words of the server.
    return [{ code: RULE_FAILED.id, pointer, message: `The rule ${id} failed here.` }];
  }
}

function toFinding(
  rule: Rule,
  { tool, ...draft }: Draft,
  server: ServerSubject,
  { profiles, severities }: Settings,
): Finding | undefined {
  const severity =
    severities.get(draft.code) ?? severities.get(rule.id) ?? severityIn(rule, profiles);
  if (severity === 'off') return undefined;
  const about = tool === undefined ? {} : { tool };
  return { rule: rule.id, severity, server: server.name, ...about, ...draft };
}

/** Whatever its codes: a rule with one code that is on must run. */
function isOff(rule: Rule, { profiles, severities }: Settings): boolean {
  const said = severities.get(rule.id) ?? severityIn(rule, profiles);
  if (said !== 'off') return false;
  return !Object.keys(rule.codes).some((code) => (severities.get(code) ?? 'off') !== 'off');
}
