/** The report for people at a terminal: by tool, the gravest first. All colours are our own. */
import { showText } from '../../gate/approvals/show-text.ts';
import type { CheckReport, CheckedServer } from '../check-server.ts';
import { countFindings } from '../check-server.ts';
import type { Priority } from '../priority.ts';
import { toRanking } from '../priority.ts';
import { SEVERITIES } from '../read-check-config.ts';
import type { Finding, Fix, Severity } from '../rule.ts';
import type { Score } from '../score.ts';
import type { Look } from './report.ts';
import { countOf } from '../../lib/count-of.ts';

type Paint = (style: keyof typeof STYLES, text: string) => string;

const STYLES = { error: 31, warning: 33, info: 36, bold: 1, dim: 2 } as const;
const WIDTH = 'warning'.length;

export function toText(report: CheckReport, { colours }: Look): string {
  const paint: Paint = (style, text) =>
    colours ? `\u001B[${STYLES[style]}m${text}\u001B[0m` : text;
  const lines = [
    ...report.servers.flatMap((server) => [...toServerLines(server, report, paint), '']),
    ...report.failures.map(
      ({ name, detail }) =>
        `${paint('error', 'could not be checked')}: ${showText(name)}: ${showText(detail)}`,
    ),
    `${describeCounts(report)} (profile ${report.profiles.join(', ')})`,
  ];
  return `${lines.join('\n')}\n`;
}

function toServerLines(
  server: CheckedServer,
  { priorities }: CheckReport,
  paint: Paint,
): readonly string[] {
  const { name, tools, findings, score } = server;
  const head = `server ${showText(name)}: ${countOf(tools, 'tool')}, ${countOf(findings.length, 'finding')}`;
  // An order of work goes tool by tool.
  const isRanked = priorities !== undefined && priorities.length > 0;
  const { equal, single } = isRanked ? { equal: [], single: findings } : splitEqual(findings);
  return [
    paint('bold', head),
    ...equal.flatMap((group) => toEqualLines(group, paint)),
    ...groupByTool(single, priorities).flatMap((group, index, groups) => [
      '',
      ...(group.priority === groups[index - 1]?.priority ? [] : [toPriorityLine(group), '']),
      // A word before the name, since a line that begins with untrusted text can be a CI command.
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

/** From this many tools on, the same finding is told once. */
const SAME = 3;

/** Findings of several tools that say the same, the gravest first, and all others. */
function splitEqual(findings: readonly Finding[]): {
  readonly equal: readonly (readonly Finding[])[];
  readonly single: readonly Finding[];
} {
  const said = ({ code, severity, message, fix }: Finding): string =>
    JSON.stringify([code, severity, message, fix && describeSameFix(fix)]);
  const about = findings.filter(({ tool }) => tool !== undefined);
  const equal = [...Map.groupBy(about, said).values()].filter((some) => some.length >= SAME);
  const told = new Set(equal.flat());
  return {
    equal: equal.toSorted((a, b) => gravest({ findings: b }) - gravest({ findings: a })),
    single: findings.filter((finding) => !told.has(finding)),
  };
}

function toEqualLines(group: readonly Finding[], paint: Paint): readonly string[] {
  const [first] = group;
  if (first === undefined) return [];
  const { severity, code, message, fix } = first;
  const indent = ' '.repeat(WIDTH + 6);
  return [
    '',
    `  ${paint('bold', `on ${countOf(group.length, 'tool')}`)}: ${group.map(describeTool).join(', ')}`,
    `    ${paint(severity, toWord(severity))}  ${showMessage(message)}`,
    `${indent}${paint('dim', showText(code))}`,
    ...(fix === undefined ? [] : [`${indent}fix: ${describeSameFix(fix)}`]),
  ];
}

/** The same change in each tool. */
function describeSameFix(fix: Fix): string {
  return describeFix({ ...fix, pointer: fix.pointer.replace(/^\/tools\/\d+/, '') });
}

function toWord(severity: Severity): string {
  return severity.padEnd(WIDTH);
}

/** Findings by tool, the tool with the gravest first, and the gravest first within each. Pure. */
interface ToolFindings {
  /** Absent for findings about the server as a whole. */
  readonly tool?: string;
  /** The group of the reader's own order that the tool is in. */
  readonly priority?: string;
  readonly findings: readonly Finding[];
}

function toPriorityLine({ priority }: ToolFindings): string {
  return `  ${priority === undefined ? 'without a priority' : `priority: ${priority}`}`;
}

export function groupByTool(
  findings: readonly Finding[],
  priorities: readonly Priority[] = [],
): readonly ToolFindings[] {
  const ranking = toRanking(priorities);
  const groups = Map.groupBy(findings, keyOf);
  return [...groups.values()]
    .map((some) => {
      const sorted = some.toSorted((a, b) => graveness(b) - graveness(a));
      const tool = sorted[0]?.tool;
      const { rank, name } = tool === undefined ? { rank: priorities.length } : ranking(tool);
      const priority = name === undefined ? {} : { priority: name };
      return { rank, ...(tool !== undefined && { tool }), ...priority, findings: sorted };
    })
    .toSorted((a, b) => a.rank - b.rank || gravest(b) - gravest(a));
}

/** Two tools can have the same name, or none; the pointer distinguishes them. */
function keyOf({ tool, pointer }: Finding): string {
  if (tool === undefined) return '';
  return `${/^\/tools\/\d+/.exec(pointer)?.[0] ?? ''} ${tool}`;
}

function graveness({ severity }: Finding): number {
  return SEVERITIES.indexOf(severity);
}

function gravest({ findings: [first] }: ToolFindings): number {
  return first === undefined ? -1 : graveness(first);
}

/** Texts that several reports share: counts, fixes, names. Untrusted text is made visible here. */
export function describeFix(fix: Fix): string {
  const place = showText(fix.pointer);
  if (fix.kind === 'remove') return `remove ${place}`;
  return `set ${place} to ${showText(JSON.stringify(fix.value))}`;
}

export function describeTool({ tool }: Pick<Finding, 'tool'>): string {
  if (tool === undefined) return 'the server as a whole';
  return tool === '' ? '(a tool without a name)' : showText(tool);
}

export function describeCounts(report: CheckReport): string {
  const { error, warning, info } = countFindings(report);
  const tools = report.servers.reduce((sum, server) => sum + server.tools, 0);
  const parts = [
    countOf(report.servers.length, 'server'),
    `${countOf(tools, 'tool')}:`,
    `${countOf(error, 'error')},`,
    `${countOf(warning, 'warning')},`,
    `${info} for information`,
  ];
  return `${parts[0]}, ${parts.slice(1).join(' ')}`;
}

export function describeScore({ points, deductions }: Score): string {
  if (deductions.length === 0) return `Score ${points} of 100: no deductions.`;
  const taken = deductions.map(({ rule, points: off, tools }) => {
    if (rule === 'cap') return `${off} because there are errors`;
    return `${off} by ${rule}${tools === 0 ? '' : ` (${countOf(tools, 'tool')})`}`;
  });
  // The score is rounded down, and the points lost would seem not to add up.
  const left = 100 - deductions.reduce((sum, { points: off }) => sum + off, 0);
  const exact = left.toFixed(1);
  const rounded = Number(exact) > points ? ` (${exact}, rounded down)` : '';
  return `Score ${points} of 100${rounded}. Points lost: ${taken.join(', ')}.`;
}

/** Makes hidden characters in a sentence visible; what `showText` already marked stays as it is. */
const MARKER = /(\u{27E8}U\+[\dA-F]{4,6}\u{27E9})/u;

export function showMessage(message: string): string {
  return message
    .split(MARKER)
    .map((part, index) => (index % 2 === 1 ? part : showText(part)))
    .join('');
}
