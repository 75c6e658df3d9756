/** The report as Markdown, for a pull request or a job's summary. Untrusted text is inert in it. */
import type { CheckedServer, CheckReport } from '../check-report.ts';
import {
  groupByTool,
  showMessage,
  count,
  describeCounts,
  describeFix,
  describeScore,
  describeTool,
} from './to-text.ts';

export function toMarkdown(report: CheckReport): string {
  const blocks = [
    '# Plimsoll check',
    `${describeCounts(report)} (profile ${report.profiles.join(', ')}).`,
    ...report.failures.map(
      ({ name, detail }) => `**Could not be checked:** ${inert(name)}: ${inert(detail)}`,
    ),
    ...report.servers.flatMap((server) => toBlocks(server, report)),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function toBlocks(
  { name, tools, findings, score }: CheckedServer,
  { priorities }: CheckReport,
): readonly string[] {
  const rows = groupByTool(findings, priorities).flatMap((group) =>
    group.findings.map(({ severity, code, message, fix }) => {
      const change = fix === undefined ? '' : inert(describeFix(fix));
      const tool = inert(describeTool(group));
      return `| ${severity} | ${tool} | ${inert(message)} | ${change} | ${inert(code)} |`;
    }),
  );
  const table = ['| | Tool | Finding | Fix | Code |', '| --- | --- | --- | --- | --- |', ...rows];
  return [
    `## ${inert(name)}: ${count(tools, 'tool')}`,
    describeScore(score),
    ...(rows.length === 0 ? [] : [table.join('\n')]),
  ];
}

/** As numeric entities, so that no renderer sees markup, a mention or a link. */
function inert(text: string): string {
  return showMessage(text).replaceAll(
    /[&<>"'`*_[\]|~#@\\!$]|:(?=\/\/)|(?<=www)\./gi,
    (character) => `&#${character.codePointAt(0)};`,
  );
}
