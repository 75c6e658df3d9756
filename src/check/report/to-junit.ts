/**
 * The report as JUnit XML: a suite per server, a case per finding, which fails if it makes the check
 * fail.
 */
import type { CheckedServer, CheckReport, SourceFailure } from '../check-report.ts';
import { fails } from '../check-report.ts';
import type { Finding } from '../rule.ts';
import { showMessage, describeFix, describeTool } from './to-text.ts';

export function toJunit(report: CheckReport): string {
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
