/** Findings by tool, the tool with the gravest first, and the gravest first within each. Pure. */
import type { Finding } from '../finding.ts';
import { SEVERITIES } from '../profiles.ts';

export interface ToolFindings {
  /** Absent for what is about the server as a whole. */
  readonly tool?: string;
  readonly findings: readonly Finding[];
}

export function groupByTool(findings: readonly Finding[]): readonly ToolFindings[] {
  const groups = Map.groupBy(findings, keyOf);
  return [...groups.values()]
    .map((some) => {
      const sorted = some.toSorted((a, b) => graveness(b) - graveness(a));
      const tool = sorted[0]?.tool;
      return { ...(tool !== undefined && { tool }), findings: sorted };
    })
    .toSorted((a, b) => gravest(b) - gravest(a));
}

/** Two tools can have one name, or none; the place tells them apart. */
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
