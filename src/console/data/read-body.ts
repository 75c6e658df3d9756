/** What a receipt says beyond its columns. A body that is no receipt says nothing; the audit tells of it. */
import type { ReceiptRow } from '../../ledger/tables.ts';

export interface BodyWords {
  readonly rule?: string;
  readonly via?: string;
  readonly milliseconds?: number;
  readonly attempts?: number;
}

export function readBody({ body }: ReceiptRow): BodyWords {
  const { rule, via, milliseconds, attempts } = readObject(body);
  return {
    ...(typeof rule === 'string' && { rule }),
    ...(typeof via === 'string' && { via }),
    ...(typeof milliseconds === 'number' && { milliseconds }),
    ...(typeof attempts === 'number' && { attempts }),
  };
}

function readObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
