/** The report for people at a terminal: by tool, the gravest first. Colours are ours alone. */
import { showText } from '../../gate/approve/show-text.ts';
import type { CheckedServer, CheckReport } from '../check-report.ts';
import type { Finding, Severity } from '../finding.ts';
import { groupByTool } from './group-by-tool.ts';
import type { Look } from './report.ts';
import { showMessage } from './show-message.ts';
import { count, describeCounts, describeFix, describeScore, describeTool } from './words.ts';

type Paint = (style: keyof typeof STYLES, text: string) => string;

const STYLES = { error: 31, warning: 33, info: 36, bold: 1, dim: 2 } as const;
const WIDTH = 'warning'.length;

export function toText(report: CheckReport, { colours }: Look): string {
  const paint: Paint = (style, text) =>
    colours ? `\u001B[${STYLES[style]}m${text}\u001B[0m` : text;
  const lines = [
    ...report.servers.flatMap((server) => [...toServerLines(server, paint), '']),
    ...report.failures.map(
      ({ name, detail }) =>
        `${paint('error', 'could not be checked')}: ${showText(name)}: ${showText(detail)}`,
    ),
    `${describeCounts(report)} (profile ${report.profiles.join(', ')})`,
  ];
  return `${lines.join('\n')}\n`;
}

function toServerLines(server: CheckedServer, paint: Paint): readonly string[] {
  const { name, tools, findings, score } = server;
  const head = `server ${showText(name)}: ${count(tools, 'tool')}, ${count(findings.length, 'finding')}`;
  return [
    paint('bold', head),
    ...groupByTool(findings).flatMap((group) => [
      '',
      // A word before the name, since a line that begins with foreign text can be a command to CI.
      `  ${group.tool === undefined ? '' : 'tool '}${paint('bold', describeTool(group))}`,
      ...group.findings.flatMap((finding) => toLines(finding, paint)),
    ]),
    '',
    describeScore(score),
  ];
}

function toLines(finding: Finding, paint: Paint): readonly string[] {
  const { severity, code, message, pointer, fix } = finding;
  const indent = ' '.repeat(WIDTH + 6);
  return [
    `    ${paint(severity, toWord(severity))}  ${showMessage(message)}`,
    `${indent}${paint('dim', `${showText(code)} at ${showText(pointer) || '/'}`)}`,
    ...(fix === undefined ? [] : [`${indent}fix: ${describeFix(fix)}`]),
  ];
}

function toWord(severity: Severity): string {
  return severity.padEnd(WIDTH);
}
