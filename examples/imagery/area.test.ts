import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Bbox } from './area.ts';
import { areaKm2, readBbox, sharedAreaKm2, sharedBbox, splitBbox, toGeometry } from './area.ts';

const WORLD: Bbox = [-180, -90, 180, 90];

const anyBbox = fc
  .tuple(
    fc.double({ min: -180, max: 180, noNaN: true }),
    fc.double({ min: -90, max: 89, noNaN: true }),
    fc.double({ min: -180, max: 180, noNaN: true }),
    fc.double({ min: 0.001, max: 1, noNaN: true }),
  )
  .filter(([west, , east]) => west !== east)
  .map(([west, south, east, height]): Bbox => [west, south, east, south + height]);

describe('readBbox', () => {
  it.each([
    ['three numbers', [1, 2, 3]],
    ['no number', [1, 2, 3, Number.NaN]],
    ['a longitude past the end', [181, 0, 10, 1]],
    ['a latitude past the pole', [0, 0, 1, 91]],
    ['south above north', [0, 2, 1, 1]],
    ['no width', [1, 0, 1, 1]],
  ])('refuses %s with a reason', (_, numbers) => {
    expect(readBbox(numbers)).toMatchObject({ kind: 'invalid', reason: expect.any(String) });
  });

  it('takes a box across the antimeridian', () => {
    expect(readBbox([179, -18, -179, -16])).toMatchObject({ kind: 'valid' });
  });
});

describe('areas', () => {
  it('the world is as large as it is', () => {
    expect(areaKm2(WORLD)).toBeCloseTo(4 * Math.PI * 6371.0088 ** 2, 0);
  });

  it('a box across the antimeridian is as large as the same box elsewhere', () => {
    expect(areaKm2([179, -18, -179, -16])).toBeCloseTo(areaKm2([10, -18, 12, -16]), 6);
  });

  it('what two boxes share is in both, whichever is asked about first', () => {
    fc.assert(
      fc.property(anyBbox, anyBbox, (one, other) => {
        const shared = sharedAreaKm2(one, other);
        expect(shared).toBeCloseTo(sharedAreaKm2(other, one), 6);
        expect(shared).toBeLessThanOrEqual(Math.min(areaKm2(one), areaKm2(other)) + 1e-6);
      }),
    );
  });

  it('every box lies in the world and shares all of itself with itself', () => {
    fc.assert(
      fc.property(anyBbox, (bbox) => {
        expect(sharedAreaKm2(bbox, WORLD)).toBeCloseTo(areaKm2(bbox), 6);
        expect(sharedAreaKm2(bbox, bbox)).toBeCloseTo(areaKm2(bbox), 6);
      }),
    );
  });
});

describe('sharedBbox', () => {
  it('joins the two sides of the antimeridian again', () => {
    expect(sharedBbox([178, -20, -178, -10], [179, -18, -179, -16])).toEqual([179, -18, -179, -16]);
  });

  it('is nothing for boxes that only touch', () => {
    expect(sharedBbox([0, 0, 1, 1], [1, 0, 2, 1])).toBeUndefined();
  });
});

describe('splitBbox and toGeometry', () => {
  it('cut at the antimeridian, and leave out a side without width', () => {
    expect(splitBbox([179, 0, -179, 1])).toHaveLength(2);
    expect(splitBbox([179, 0, -180, 1])).toEqual([[179, 0, 180, 1]]);
    expect(toGeometry([179, 0, -179, 1]).type).toBe('MultiPolygon');
    expect(toGeometry([1, 0, 2, 1])).toMatchObject({ type: 'Polygon' });
  });
});
