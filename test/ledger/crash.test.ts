/** A small crash run; `npm run crash` is the long one. */
import { expect, it } from 'vitest';
import { crashRun } from '../../scripts/crash/crash-run.ts';
import { openPostgres } from '../support/postgres.ts';

it.each(['SQLite', 'PostgreSQL'])(
  '15 kills while spending on %s: nothing twice, nothing lost',
  async (name) => {
    await using postgres = name === 'PostgreSQL' ? await openPostgres() : undefined;
    const result = await crashRun({
      kills: 15,
      ...(postgres !== undefined && { postgres: postgres.url }),
    });
    expect(result).toMatchObject({ kills: 15, double: 0, lost: 0 });
    expect(result.spends).toBeGreaterThan(15);
  },
  180_000,
);
