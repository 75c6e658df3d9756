/** The description of a tool, or nothing to read. */
import type { ToolSubject } from '../subject.ts';
import { memberOf } from './member-of.ts';

export function descriptionOf({ raw }: ToolSubject): string {
  const description = memberOf(raw, 'description');
  return typeof description === 'string' ? description : '';
}
