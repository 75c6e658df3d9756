/** The available reports: each turns the results of a check into one text. Pure. */
import type { CheckReport } from '../check-report.ts';
import { countFindings } from '../check-report.ts';
import { toGithub } from './to-github.ts';
import { toJunit } from './to-junit.ts';
import { toMarkdown } from './to-markdown.ts';
import { toSarif } from './to-sarif.ts';
import { toText } from './to-text.ts';

export interface Look {
  readonly colours: boolean;
}

export type Format = 'text' | 'json' | 'sarif' | 'junit' | 'markdown' | 'github';

export const REPORTS: Readonly<Record<Format, (report: CheckReport, look: Look) => string>> =
  Object.freeze({
    text: toText,
    json: toJson,
    sarif: toSarif,
    junit: toJunit,
    markdown: toMarkdown,
    github: toGithub,
  });

export const FORMATS: readonly Format[] = Object.freeze(
  Object.keys(REPORTS) as Format[], // the record's keys are exactly the union
);

/** The report as JSON, for programs: the raw findings, with the score and its reasons. */
function toJson(report: CheckReport): string {
  const { version, profiles, failOn, failures } = report;
  const servers = report.servers.map(({ file, ...server }) => ({
    ...server,
    ...(file !== undefined && { file: file.path }),
  }));
  const counts = countFindings(report);
  return `${JSON.stringify({ version, profiles, failOn, counts, servers, failures }, null, 2)}\n`;
}
