/**
 * The report as SARIF 2.1.0. A finding is located at its tool in the list (a logical location with the
 * pointer) and, when the list or the server is in a file, in that file, too.
 */
import { createHash } from 'node:crypto';
import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { showText } from '../../gate/approvals/show-text.ts';
import type { CheckedServer, CheckReport, SourceFile } from '../check-server.ts';
import type { Finding, Severity, Rule } from '../rule.ts';
import { showMessage } from './to-text.ts';

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';
const LEVELS: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  info: 'note',
};

export function toSarif(report: CheckReport): string {
  const indexes = new Map(report.rules.map(({ id }, index) => [id, index]));
  const run = {
    tool: {
      driver: {
        name: 'Plimsoll',
        semanticVersion: report.version,
        rules: report.rules.map(toDescriptor),
      },
    },
    invocations: [
      {
        executionSuccessful: report.failures.length === 0,
        toolExecutionNotifications: report.failures.map(({ name, detail }) => ({
          level: 'error',
          message: { text: `${showText(name)} could not be checked: ${showText(detail)}` },
        })),
      },
    ],
    properties: {
      scores: report.servers.map(({ name, score }) => ({ server: name, points: score.points })),
    },
    results: report.servers.flatMap((server) =>
      server.findings.map((finding) => toResult(finding, server, indexes)),
    ),
  };
  return `${JSON.stringify({ $schema: SCHEMA, version: '2.1.0', runs: [run] }, null, 2)}\n`;
}

function toDescriptor({ id, summary, cost, severity, category, codes }: Rule): object {
  const lines = Object.entries(codes).map(([code, meaning]) => `- ${code}: ${meaning}`);
  const text = `${summary} ${cost}`;
  return {
    id,
    name: id,
    shortDescription: { text: summary },
    fullDescription: { text },
    help: { text: `${text}\n${lines.join('\n')}`, markdown: `${text}\n\n${lines.join('\n')}` },
    defaultConfiguration: { level: LEVELS[severity] },
    properties: { tags: ['mcp', category] },
  };
}

function toResult(
  finding: Finding,
  { file }: CheckedServer,
  indexes: ReadonlyMap<string, number>,
): object {
  const { rule, code, severity, server, tool, pointer, message, fix } = finding;
  const ruleIndex = indexes.get(rule);
  const logical = {
    name: showText(tool ?? server),
    fullyQualifiedName: `${showText(server)}#${showText(pointer)}`,
    kind: 'object',
  };
  return {
    ruleId: rule,
    ...(ruleIndex !== undefined && { ruleIndex }),
    level: LEVELS[severity],
    message: { text: toMessage(finding, message) },
    locations: [
      {
        ...(file !== undefined && { physicalLocation: toPhysical(file, pointer) }),
        logicalLocations: [logical],
      },
    ],
    partialFingerprints: { 'plimsoll/v1': toFingerprint(finding) },
    properties: { code, server, pointer, ...(tool !== undefined && { tool }), ...(fix && { fix }) },
  };
}

function toMessage({ tool }: Finding, message: string): string {
  const shown = showMessage(message);
  return tool === undefined || tool === '' ? shown : `${showText(tool)}: ${shown}`;
}

function toPhysical({ path, lineOf }: SourceFile, pointer: string): object {
  const artifactLocation = isAbsolute(path)
    ? { uri: pathToFileURL(path).href }
    : { uri: toRelativeUri(path), uriBaseId: '%SRCROOT%' };
  return { artifactLocation, region: { startLine: lineOf?.(pointer) ?? 1 } };
}

function toRelativeUri(path: string): string {
  const parts = path
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/, '')
    .split('/');
  return parts.map((part) => encodeURIComponent(part.toWellFormed())).join('/');
}

/** The same for the same fault of the same tool, wherever the tool is in the list. */
function toFingerprint({ code, server, tool = '', pointer }: Finding): string {
  const place = tool === '' ? pointer : pointer.replace(/^\/tools\/\d+/, '');
  const text = JSON.stringify([server, code, tool, place]);
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
