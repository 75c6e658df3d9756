/** The available reports: each turns the results of a check into one text. Pure. */
import { showText } from '../../gate/approvals/show-text.ts';
import type { CheckReport, CheckedServer, SourceFailure } from '../check-server.ts';
import { countFindings, fails } from '../check-server.ts';
import type { Finding, Severity } from '../rule.ts';
import { toSarif } from './to-sarif.ts';
import {
  toText,
  groupByTool,
  showMessage,
  describeCounts,
  describeFix,
  describeScore,
  describeTool,
} from './to-text.ts';
import { countOf } from '../../lib/count-of.ts';

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

const COMMANDS: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  info: 'notice',
};

/** The report as workflow commands of GitHub Actions: one annotation per finding, the gravest first. */
function toGithub(report: CheckReport): string {
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

/**
 * The report as JUnit XML: a suite per server, a case per finding, which fails if it makes the check
 * fail.
 */
function toJunit(report: CheckReport): string {
  const { servers, failures } = report;
  const all = servers.flatMap(({ findings }) => findings);
  const failed = all.filter((finding) => fails(finding, report)).length;
  const empty = servers.filter(({ findings }) => findings.length === 0).length;
  const tests = all.length + empty + failures.length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="plimsoll check" tests="${tests}" failures="${failed}" errors="${failures.length}">`,
    ...servers.map((server) => toSuite(server, report)),
    ...failures.map(toErrorSuite),
    '</testsuites>',
    '',
  ].join('\n');
}

function toSuite({ name, findings, score }: CheckedServer, report: CheckReport): string {
  const failed = findings.filter((finding) => fails(finding, report)).length;
  const cases =
    findings.length === 0
      ? [`    <testcase classname="${xml(name)}" name="no finding"/>`]
      : findings.map((finding) => toCase(finding, report));
  return [
    `  <testsuite name="${xml(name)}" tests="${cases.length}" failures="${failed}" errors="0">`,
    '    <properties>',
    `      <property name="score" value="${score.points}"/>`,
    '    </properties>',
    ...cases,
    '  </testsuite>',
  ].join('\n');
}

function toCase(finding: Finding, report: CheckReport): string {
  const { server, code, message, pointer, severity, fix } = finding;
  const opening = `    <testcase classname="${xml(server)}" name="${xml(`${describeTool(finding)}: ${code}`)}">`;
  const body = xml(`${severity} at ${pointer || '/'}${fix ? `; fix: ${describeFix(fix)}` : ''}`);
  const inner = fails(finding, report)
    ? `      <failure type="${xml(code)}" message="${xml(message)}">${body}</failure>`
    : `      <system-out>${xml(message)} ${body}</system-out>`;
  return [opening, inner, '    </testcase>'].join('\n');
}

function toErrorSuite({ name, detail }: SourceFailure): string {
  return [
    `  <testsuite name="${xml(name)}" tests="1" failures="0" errors="1">`,
    `    <testcase classname="${xml(name)}" name="could be checked">`,
    `      <error type="not-checked" message="${xml(detail)}"/>`,
    '    </testcase>',
    '  </testsuite>',
  ].join('\n');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Made visible first: most control characters are not allowed in XML. */
function xml(text: string): string {
  return showMessage(text).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/** The report as Markdown, for a pull request or a job's summary. Untrusted text is inert in it. */
function toMarkdown(report: CheckReport): string {
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
    `## ${inert(name)}: ${countOf(tools, 'tool')}`,
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
