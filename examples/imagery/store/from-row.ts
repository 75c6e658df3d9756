/** Rows of the store as frozen data, and the ids that they have. */
import { randomUUID } from 'node:crypto';
import type { Row } from '../../shared/database.ts';

export function newId(prefix: string): string {
  return `${prefix}_${randomUUID().replaceAll('-', '')}`;
}

interface RowShape {
  /** Columns that contain JSON. */
  readonly json?: readonly string[];
  /** Columns that contain 0 or 1. */
  readonly flags?: readonly string[];
}

/** A row as frozen data. Callers state its type, which the schema and the selected columns guarantee. */
export function fromRow(row: Row, { json = [], flags = [] }: RowShape = {}): object {
  const entries = Object.entries(row).map(([name, value]) => {
    if (json.includes(name) && typeof value === 'string') {
      return [name, frozen(JSON.parse(value))] as const;
    }
    return [name, flags.includes(name) ? value === 1 : value] as const;
  });
  return Object.freeze(Object.fromEntries(entries));
}

function frozen(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) frozen(inner);
    Object.freeze(value);
  }
  return value;
}
