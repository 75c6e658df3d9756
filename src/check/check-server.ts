/**
 * Checks one server: every rule over every tool, severities and ignores applied. Pure. A rule that
 * throws is a finding; nothing that a server says can stop the others.
 */
import type { Glob } from '../gate/policy/compile-policy.ts';
import { toGlob } from '../gate/policy/compile-policy.ts';
import type { Priority } from './priority.ts';
import type { Ignore, Settings } from './read-check-config.ts';
import { severityIn, isGraver } from './read-check-config.ts';
import type { Draft, Finding, Rule, Severity, Profile } from './rule.ts';
import { RULES } from './rules/index.ts';
import type { Score } from './score.ts';
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

/** Every rule that can report a finding, including the engine's own. */
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
    // The cause is omitted: the error may contain text of the server.
    return [{ code: RULE_FAILED.id, pointer, message: `The rule ${id} failed here.` }];
  }
}

function toFinding(
  rule: Rule,
  { tool, severity: atMost, ...draft }: Draft,
  server: ServerSubject,
  { profiles, severities }: Settings,
): Finding | undefined {
  const severity =
    severities.get(draft.code) ??
    severities.get(rule.id) ??
    milderOf(severityIn(rule, profiles), atMost);
  if (severity === 'off') return undefined;
  const about = tool === undefined ? {} : { tool };
  return { rule: rule.id, severity, server: server.name, ...about, ...draft };
}

function milderOf(said: Severity | 'off', atMost: Severity | undefined): Severity | 'off' {
  if (said === 'off' || atMost === undefined) return said;
  return isGraver(said, atMost) ? atMost : said;
}

/** A rule must run if any of its codes is on. */
function isOff(rule: Rule, { profiles, severities }: Settings): boolean {
  const said = severities.get(rule.id) ?? severityIn(rule, profiles);
  if (said !== 'off') return false;
  return !Object.keys(rule.codes).some((code) => (severities.get(code) ?? 'off') !== 'off');
}

/** The engine's own rules, about the check and not about a server: they have no check function. */
const RULE_FAILED: Rule = {
  id: 'rule-failed',
  category: 'security',
  severity: 'error',
  summary: 'A rule failed on this server.',
  cost: 'What the rule would have found is not known.',
  codes: { 'rule-failed': 'a rule threw; this is a bug in Plimsoll, please report it' },
};

const IGNORE_EXPIRED: Rule = {
  id: 'ignore-expired',
  category: 'security',
  severity: 'warning',
  summary: 'An ignore in the configuration has expired.',
  cost: 'What was ignored for a while is reported again.',
  codes: { 'ignore-expired': 'extend the date with a reason, or fix what was ignored' },
};

export const ENGINE_RULES: readonly Rule[] = Object.freeze([RULE_FAILED, IGNORE_EXPIRED]);

/** Applies ignores: which findings they cover on a given day, and which of them have expired. Pure. */
interface Ignoring {
  covers(finding: Finding): boolean;
  expiredFor(server: ServerSubject): readonly Draft[];
}

interface Compiled {
  readonly ignore: Ignore;
  readonly server: Glob;
  readonly tool: Glob | undefined;
}

function toIgnoring({ ignores, now }: Pick<Settings, 'ignores' | 'now'>): Ignoring {
  const today = now.toISOString().slice(0, 10);
  const compiled = ignores.map((ignore): Compiled => ({
    ignore,
    server: toGlob(ignore.server ?? '*'),
    tool: ignore.tool === undefined ? undefined : toGlob(ignore.tool),
  }));
  // Days have one format, so string order is date order.
  const live = compiled.filter(({ ignore }) => ignore.until >= today);
  const expired = compiled.filter(({ ignore }) => ignore.until < today);
  return {
    covers: (finding) => live.some((one) => covers(one, finding)),
    expiredFor: (server) => expired.filter((one) => concerns(one, server)).map(toDraft),
  };
}

function covers({ ignore, server, tool }: Compiled, finding: Finding): boolean {
  if (ignore.rule !== finding.rule && ignore.rule !== finding.code) return false;
  if (!server(finding.server)) return false;
  return tool === undefined || (finding.tool !== undefined && tool(finding.tool));
}

function concerns({ server, tool }: Compiled, subject: ServerSubject): boolean {
  if (!server(subject.name)) return false;
  return tool === undefined || subject.tools.some(({ name }) => tool(name));
}

function toDraft({ ignore: { rule, tool, until } }: Compiled): Draft {
  const what = tool === undefined ? rule : `${rule} on ${tool}`;
  const message = `The ignore of ${what} expired on ${until}.`;
  return { code: 'ignore-expired', pointer: '', message };
}

/**
 * The results of a check, for every report: servers with their findings and scores, and those that
 * failed.
 */
export interface CheckReport {
  readonly version: string;
  readonly profiles: readonly Profile[];
  /** The least severity that makes the check fail. */
  readonly failOn: Severity;
  readonly servers: readonly CheckedServer[];
  /** Servers that could not be checked. */
  readonly failures: readonly SourceFailure[];
  readonly rules: readonly Rule[];
  /** Orders the tools; without it those with the gravest findings come first. */
  readonly priorities?: readonly Priority[];
}

export interface CheckedServer {
  readonly name: string;
  readonly tools: number;
  readonly findings: readonly Finding[];
  readonly score: Score;
  /** The file that contains the list, if any. */
  readonly file?: SourceFile;
}

/** A file that contains the list; the path is as given. */
export interface SourceFile {
  readonly path: string;
  /** By pointer into the tools/list result, from 1; a part without its own line has its parent's. */
  readonly lineOf?: (pointer: string) => number | undefined;
}

export interface SourceFailure {
  readonly name: string;
  readonly detail: string;
}

export function countFindings(report: CheckReport): Readonly<Record<Severity, number>> {
  const counts = { error: 0, warning: 0, info: 0 };
  for (const { findings } of report.servers)
    for (const { severity } of findings) counts[severity] += 1;
  return counts;
}

/** 2 when a server could not be checked, 1 for a finding at or above the threshold, else 0. */
export function toExitCode(report: CheckReport): 0 | 1 | 2 {
  if (report.failures.length > 0) return 2;
  const isFailed = report.servers.some(({ findings }) =>
    findings.some((finding) => fails(finding, report)),
  );
  return isFailed ? 1 : 0;
}

export function fails({ severity }: Finding, { failOn }: Pick<CheckReport, 'failOn'>): boolean {
  return !isGraver(failOn, severity);
}
