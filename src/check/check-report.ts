/**
 * The results of a check, for every report: servers with their findings and scores, and those that
 * failed.
 */
import type { Finding, Severity, Profile, Rule } from './rule.ts';
import type { Priority } from './priority.ts';
import { isGraver } from './read-check-config.ts';
import type { Score } from './score.ts';

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
