/** Whether a tool says any of the four hints, in whatever way. A tool that says none is one finding, not four. */
import type { ToolSubject } from '../subject.ts';

export function saysSomeHint(tool: ToolSubject): boolean {
  return Object.values(tool.stamp.hints).some(({ state }) => state !== 'absent');
}
