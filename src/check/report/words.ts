/** Words that several reports share: counts, fixes, names. What came from a server is made visible here. */
import { showText } from '../../gate/approve/show-text.ts';
import type { CheckReport } from '../check-report.ts';
import { countFindings } from '../check-report.ts';
import type { Finding, Fix } from '../finding.ts';
import type { Score } from '../score.ts';

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
    count(report.servers.length, 'server'),
    `${count(tools, 'tool')}:`,
    `${count(error, 'error')},`,
    `${count(warning, 'warning')},`,
    `${info} for information`,
  ];
  return `${parts[0]}, ${parts.slice(1).join(' ')}`;
}

export function describeScore({ points, deductions }: Score): string {
  if (deductions.length === 0) return `Score ${points} of 100: nothing was taken off.`;
  const taken = deductions.map(({ rule, points: off, tools }) => {
    if (rule === 'cap') return `${off} because there are errors`;
    return `${off} for ${rule}${tools === 0 ? '' : ` on ${count(tools, 'tool')}`}`;
  });
  return `Score ${points} of 100; taken off: ${taken.join(', ')}.`;
}

export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
