/** The report as workflow commands of GitHub Actions: one annotation per finding, the gravest first. */
import { showText } from '../../gate/approvals/show-text.ts';
import type { CheckedServer, CheckReport } from '../check-report.ts';
import type { Finding, Severity } from '../rule.ts';
import {
  groupByTool,
  showMessage,
  describeCounts,
  describeFix,
  describeScore,
  describeTool,
} from './to-text.ts';

const COMMANDS: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  info: 'notice',
};

export function toGithub(report: CheckReport): string {
  const lines = [
    ...report.failures.map(({ name, detail }) =>
      toCommand('error', { title: `${name} could not be checked` }, detail),
    ),
    ...report.servers.flatMap((server) =>
      groupByTool(server.findings, report.priorities).flatMap(({ findings }) =>
        findings.map((finding) => toLine(finding, server)),
      ),
    ),
    ...report.servers.map(({ name, score }) => `server ${showText(name)}: ${describeScore(score)}`),
    describeCounts(report),
  ];
  return `${lines.join('\n')}\n`;
}

function toLine(finding: Finding, { file }: CheckedServer): string {
  const { severity, code, message, pointer, fix } = finding;
  const line = file?.lineOf?.(pointer);
  const properties = {
    ...(file !== undefined && { file: file.path }),
    ...(line !== undefined && { line: String(line) }),
    title: `${describeTool(finding)}: ${code}`,
  };
  const more = fix === undefined ? '' : ` Fix: ${describeFix(fix)}.`;
  return toCommand(COMMANDS[severity], properties, `${message}${more} (${pointer || '/'})`);
}

function toCommand(
  command: string,
  properties: Readonly<Record<string, string>>,
  data: string,
): string {
  const said = Object.entries(properties).map(
    ([key, value]) => `${key}=${escape(value).replaceAll(':', '%3A').replaceAll(',', '%2C')}`,
  );
  return `::${command} ${said.join(',')}::${escape(data)}`;
}

function escape(text: string): string {
  return showMessage(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
