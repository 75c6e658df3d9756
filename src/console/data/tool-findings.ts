/** What `plimsoll check` finds about the tools of a server, by the name of the tool. Kept as long as the list is the same. */
import { checkServer } from '../../check/check-server.ts';
import { defaultSettings, isGraver } from '../../check/read-check-config.ts';
import type { Finding } from '../../check/rule.ts';
import { toSubject } from '../../check/subject.ts';
import type { ServerView } from '../console-services.ts';

export type ToolFindings = ReadonlyMap<string, readonly Finding[]>;

interface Checked {
  readonly text: string;
  readonly findings: ToolFindings;
}

/** Checking takes about a millisecond for each tool, and pages are loaded often. */
const checked = new Map<string, Checked>();
const MOST_SERVERS = 200;

/** The gravest first. Drift is not among them: it is compared with the pins. */
export function findingsOf({ name, tools }: ServerView, now: number): ToolFindings {
  const text = JSON.stringify(tools);
  const known = checked.get(name);
  if (known?.text === text) return known.findings;
  const found = checkServer(toSubject(name, tools), defaultSettings(new Date(now)));
  const graver = (a: Finding, b: Finding): number =>
    isGraver(a.severity, b.severity) ? -1 : isGraver(b.severity, a.severity) ? 1 : 0;
  const findings = Map.groupBy(found.toSorted(graver), ({ tool = '' }) => tool);
  if (checked.size >= MOST_SERVERS) checked.clear();
  checked.set(name, { text, findings });
  return findings;
}
