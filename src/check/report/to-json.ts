/** The report as JSON, for programs: what was found, as it is, with the score and its reasons. */
import type { CheckReport } from '../check-report.ts';
import { countFindings } from '../check-report.ts';

export function toJson(report: CheckReport): string {
  const { version, profiles, failOn, failures } = report;
  const servers = report.servers.map(({ file, ...server }) => ({
    ...server,
    ...(file !== undefined && { file: file.path }),
  }));
  const counts = countFindings(report);
  return `${JSON.stringify({ version, profiles, failOn, counts, servers, failures }, null, 2)}\n`;
}
