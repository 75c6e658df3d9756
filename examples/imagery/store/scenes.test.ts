import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bbox } from '../area.ts';
import { splitBbox } from '../area.ts';
import type { Scene, ScenePlace, SceneQuery } from '../scene.ts';
import { makeScenes } from '../seed.ts';
import { SENSORS, VENDORS } from '../sensors.ts';
import type { Store } from '../store.ts';
import { openStore } from '../store.ts';

const ALL = makeScenes();
let store: Store;

beforeAll(() => {
  store = openStore(':memory:');
});

afterAll(() => store.close());

/** The same question, answered by looking at every scene. */
function lookThrough(query: SceneQuery): readonly string[] {
  return ALL.filter((scene) => matches(scene, query))
    .toSorted((a, b) =>
      a.acquiredAt === b.acquiredAt ? (a.id < b.id ? 1 : -1) : a.acquiredAt < b.acquiredAt ? 1 : -1,
    )
    .map(({ id }) => id);
}

function matches(scene: Scene, query: SceneQuery): boolean {
  return (
    (query.bbox === undefined || touches(query.bbox, scene.footprint)) &&
    (query.from === undefined || scene.acquiredAt >= query.from) &&
    (query.until === undefined || scene.acquiredAt <= query.until) &&
    (query.maxCloudCover === undefined || scene.cloudCover <= query.maxCloudCover) &&
    (query.maxGsd === undefined || scene.gsd <= query.maxGsd) &&
    (query.vendorId === undefined || scene.vendorId === query.vendorId) &&
    (query.sensorIds === undefined || query.sensorIds.includes(scene.sensorId))
  );
}

function touches(one: Bbox, other: Bbox): boolean {
  return splitBbox(one).some((a) =>
    splitBbox(other).some((b) => a[0] <= b[2] && a[2] >= b[0] && a[1] <= b[3] && a[3] >= b[1]),
  );
}

/** Every page in turn. */
function pages(query: SceneQuery, limit: number): readonly string[] {
  const ids: string[] = [];
  let after: ScenePlace | undefined;
  do {
    const page = store.scenes.search(query, limit, after);
    ids.push(...page.scenes.map(({ id }) => id));
    after = page.next;
  } while (after !== undefined);
  return ids;
}

const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });
const anyQuery: fc.Arbitrary<SceneQuery> = fc.record({
  bbox: maybe(
    fc
      .tuple(
        fc.integer({ min: -180, max: 180 }),
        fc.integer({ min: -60, max: 60 }),
        fc.integer({ min: 1, max: 90 }),
      )
      .map(([west, south, size]): Bbox => {
        const east = west + size > 180 ? west + size - 360 : west + size;
        return [west, south, east, Math.min(90, south + size)];
      }),
  ),
  from: maybe(fc.constantFrom('2024-06-01T00:00:00.000Z', '2025-06-01T06:00:00.000Z')),
  until: maybe(fc.constantFrom('2025-06-01T06:00:00.000Z', '2026-01-01T00:00:00.000Z')),
  maxCloudCover: maybe(fc.integer({ min: 0, max: 100 })),
  maxGsd: maybe(fc.constantFrom(0.5, 3)),
  vendorId: maybe(fc.constantFrom(...VENDORS.map(({ id }) => id))),
  sensorIds: maybe(fc.subarray(SENSORS.map(({ id }) => id))),
});

describe('search', () => {
  it('finds what looking through all scenes finds, in the same order, page by page', () => {
    fc.assert(
      fc.property(anyQuery, fc.integer({ min: 60, max: 600 }), (query, limit) => {
        expect(pages(query, limit)).toEqual(lookThrough(query));
      }),
      { numRuns: 60 },
    );
  });

  it('gives each scene once where pages break between equal dates', () => {
    const query = { from: '2026-01-01T00:00:00.000Z' };
    expect(pages(query, 1)).toEqual(lookThrough(query));
  });

  it('finds both sides of the antimeridian', () => {
    const bbox: Bbox = [179.5, -18, -179.5, -15];
    const { scenes } = store.scenes.search({ bbox }, 500);
    expect(scenes.some(({ footprint }) => footprint[0] > 179)).toBe(true);
    expect(scenes.some(({ footprint }) => footprint[0] < -179)).toBe(true);
  });

  it('tells no next page when the last one is just full', () => {
    const ids = ALL.slice(0, 3).map(({ id }) => id);
    expect(store.scenes.search({ ids }, 3)).not.toHaveProperty('next');
    expect(store.scenes.search({ ids }, 2)).toHaveProperty('next');
  });
});

describe('find', () => {
  it('gives a scene back as it was made', () => {
    for (const scene of ALL) expect(store.scenes.find(scene.id)).toEqual(scene);
    expect(store.scenes.find("' OR 1=1 --")).toBeUndefined();
  });
});
