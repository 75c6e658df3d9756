/** Tests of cells: what a client sees through the gate is what it sees without, but for what is listed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCEPTED } from './accepted.ts';
import type { Cell } from './cells.ts';
import { nameOf } from './cells.ts';
import { judge } from './compare.ts';
import { Places } from './places.ts';
import { runCell } from './run-cell.ts';

export function describeCells(cells: readonly Cell[]): void {
  describe('a client sees through the gate what it sees without, and every call has one receipt', () => {
    let places: Places;
    beforeAll(() => {
      places = new Places();
    });
    afterAll(() => places[Symbol.asyncDispose]());

    it.each(cells.map((cell) => [nameOf(cell), cell] as const))(
      '%s',
      { timeout: 120_000 },
      async (_, cell) => {
        const result = await runCell(cell, places);
        expect(judge(cell, result, ACCEPTED)).toEqual({ unlisted: [], unused: [] });
      },
    );
  });
}
