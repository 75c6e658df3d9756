/**
 * The score: 100 for a server without findings, and the deduction for each rule. Pure.
 *
 * Each tool is worth an equal share of 100. A rule that finds something on it takes a part of that share,
 * once, by severity; a tool cannot lose more than its share. A finding about the server as a whole takes
 * points itself, once a rule. With any error the score is 79 at the most: a long list must not hide a lie.
 */
import type { Finding, Severity } from './rule.ts';
import { isGraver } from './read-check-config.ts';

export interface Score {
  /** A whole number from 0 to 100. */
  readonly points: number;
  /** The largest first; with `points` they add up to 100, except for rounding. */
  readonly deductions: readonly Deduction[];
}

interface Deduction {
  /** A rule, or `cap` for the limit on servers with errors. */
  readonly rule: string;
  readonly severity: Severity;
  readonly tools: number;
  /** To one decimal. */
  readonly points: number;
}

/** Of a tool's share. */
const SHARE: Readonly<Record<Severity, number>> = { error: 0.6, warning: 0.25, info: 0.05 };
/** Of 100. */
const WHOLE: Readonly<Record<Severity, number>> = { error: 15, warning: 5, info: 1 };
const MOST_WITH_ERRORS = 79;

interface Tally {
  severity: Severity;
  tools: number;
  points: number;
}

export function toScore(findings: readonly Finding[], tools: number): Score {
  const tallies = new Map<string, Tally>();
  const take = (rule: string, severity: Severity, points: number, of: number): void => {
    const tally = tallies.get(rule) ?? { severity, tools: 0, points: 0 };
    if (isGraver(severity, tally.severity)) tally.severity = severity;
    tallies.set(rule, tally);
    tally.tools += of;
    tally.points += points;
  };
  for (const [tool, rules] of groupRules(findings)) {
    if (tool === undefined) {
      for (const [rule, severity] of rules) take(rule, severity, WHOLE[severity], 0);
      continue;
    }
    const wanted = [...rules.values()].reduce((sum, severity) => sum + SHARE[severity], 0);
    const each = (100 / Math.max(1, tools)) * Math.min(1, 1 / wanted);
    for (const [rule, severity] of rules) take(rule, severity, each * SHARE[severity], 1);
  }
  return toTotal(tallies);
}

function toTotal(tallies: ReadonlyMap<string, Tally>): Score {
  const deductions = [...tallies].map(([rule, tally]): Deduction => ({ rule, ...tally }));
  const lost = deductions.reduce((sum, { points }) => sum + points, 0);
  const left = Math.max(0, Number((100 - lost).toFixed(6))); // without floating-point residue
  const isCapped = left > MOST_WITH_ERRORS && deductions.some((one) => one.severity === 'error');
  if (isCapped)
    deductions.push({ rule: 'cap', severity: 'error', tools: 0, points: left - MOST_WITH_ERRORS });
  return {
    // Rounded down, so that 100 means no findings.
    points: isCapped ? MOST_WITH_ERRORS : Math.floor(left),
    deductions: deductions
      .map((one) => ({ ...one, points: Math.round(one.points * 10) / 10 }))
      .toSorted((a, b) => b.points - a.points),
  };
}

/** The gravest severity of each rule, for each tool and for the server. */
function groupRules(
  findings: readonly Finding[],
): ReadonlyMap<string | undefined, ReadonlyMap<string, Severity>> {
  const groups = new Map<string | undefined, Map<string, Severity>>();
  for (const { tool, pointer, rule, severity } of findings) {
    // Two tools can have the same name, or none; the pointer distinguishes them.
    const key = tool === undefined ? undefined : (/^\/tools\/\d+/.exec(pointer)?.[0] ?? tool);
    const rules = groups.get(key) ?? new Map<string, Severity>();
    groups.set(key, rules);
    const before = rules.get(rule);
    if (before === undefined || isGraver(severity, before)) rules.set(rule, severity);
  }
  return groups;
}
