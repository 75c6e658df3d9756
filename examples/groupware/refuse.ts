/** The refusals that backends and tools share, as problems. */
import { ProblemError } from 'plimsoll/server';

export function found<T>(value: T | undefined, kind: string, id: number | string): T {
  if (value === undefined) throw new ProblemError('not-found', `There is no ${kind} ${id}.`);
  return value;
}

export function stale(kind: string, id: number | string, current: string): ProblemError {
  const detail = `The etag is not the current one of ${kind} ${id}. Nothing was changed.`;
  return new ProblemError('stale-version', detail, { current });
}

export function invalid(pointer: string, reason: string): ProblemError {
  return new ProblemError('invalid-input', reason, { errors: [{ pointer, detail: reason }] });
}

export function conflict(detail: string): ProblemError {
  return new ProblemError('conflict', detail);
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined | null> };

/** Only the given fields, so that omitted ones keep their values. */
export function given<T extends object>(fields: T): Given<T> {
  const entries = Object.entries(fields).filter(
    ([, value]) => value !== undefined && value !== null,
  );
  return Object.fromEntries(entries) as Given<T>;
}
