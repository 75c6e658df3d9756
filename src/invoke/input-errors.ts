/** Turns a schema library's issues into problem entries with JSON pointers, a bounded number. */
import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { InputError } from '../lib/problem.ts';

const MOST = 20;

export function toInputErrors(issues: readonly StandardSchemaV1.Issue[]): readonly InputError[] {
  return issues.slice(0, MOST).map(({ message, path }) => ({
    pointer: (path ?? []).map(toSegment).join(''),
    detail: message.slice(0, 300),
  }));
}

function toSegment(part: PropertyKey | StandardSchemaV1.PathSegment): string {
  const key = typeof part === 'object' ? part.key : part;
  return `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
