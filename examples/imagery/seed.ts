/**
 * The invented world: a few thousand scenes around real places, two organisations and their people. The
 * same on every run, so that docs and tests can state prices and pages.
 */
import type { Bbox } from './area.ts';
import type { Random } from '../shared/random.ts';
import { randomFrom } from '../shared/random.ts';
import type { Scene } from './scene.ts';
import type { Sensor } from './sensors.ts';
import { SENSORS } from './sensors.ts';

export interface SeedOrganisation {
  readonly id: string;
  readonly name: string;
  /** The card on file, one of the sandbox processor's. */
  readonly card: string;
  readonly credits: number;
  readonly members: readonly { readonly userId: string; readonly role: 'admin' | 'member' }[];
}

/** Each starts with one project, named `prj_` and the organisation's short name. */
export const ORGANISATIONS: readonly SeedOrganisation[] = Object.freeze([
  {
    id: 'org_reef',
    name: 'Reef Watch',
    card: 'card_ok',
    credits: 50_000,
    members: [
      { userId: 'mara', role: 'admin' },
      { userId: 'tomas', role: 'member' },
    ],
  },
  {
    id: 'org_terra',
    name: 'Terra Survey',
    card: 'card_declined',
    credits: 0,
    members: [{ userId: 'ines', role: 'admin' }],
  },
] satisfies readonly SeedOrganisation[]);

/** The places of the scenes: longitude, latitude. The last ones are on the antimeridian. */
const PLACES: readonly (readonly [number, number])[] = [
  [151.21, -33.87],
  [115.86, -31.95],
  [145.77, -16.92],
  [174.76, -36.85],
  [103.82, 1.35],
  [2.35, 48.86],
  [18.06, 59.33],
  [-122.42, 37.77],
  [-58.38, -34.6],
  [36.82, -1.29],
  [178.44, -18.14],
  [179.9, -16.5],
  [-179.9, -16.9],
];

/** Fixed for the docs: a place, a day and a price that stay the same when the generator changes. */
export const SAMPLE_SCENE: Scene = Object.freeze({
  id: 'scn_sample_harbour',
  vendorId: 'kestrel',
  sensorId: 'kestrel-3',
  footprint: Object.freeze([151.1, -33.95, 151.5, -33.65] as const),
  acquiredAt: '2026-06-14T00:12:00.000Z',
  cloudCover: 2,
  gsd: 3,
  creditsPerKm2: 12,
});

const SCENE_COUNT = 3000;
const FIRST_DAY = Date.parse('2024-01-01T00:00:00Z');
const DAYS = 900;
/** Captures happen in passes, so many scenes share one instant. */
const PASSES_PER_DAY = 4;

export function makeScenes(seed = 20_260_701): readonly Scene[] {
  const random = randomFrom(seed);
  const made = Array.from({ length: SCENE_COUNT }, (_, index) => makeScene(index, random));
  return Object.freeze([SAMPLE_SCENE, ...made]);
}

function makeScene(index: number, random: Random): Scene {
  const sensor = random.pick(SENSORS);
  const pass = random.int(DAYS * PASSES_PER_DAY);
  const acquired = new Date(FIRST_DAY + (pass * 86_400_000) / PASSES_PER_DAY);
  return Object.freeze({
    id: `scn_${String(index + 1).padStart(5, '0')}`,
    vendorId: sensor.vendorId,
    sensorId: sensor.id,
    footprint: footprintNear(random.pick(PLACES), sensor, random),
    acquiredAt: acquired.toISOString(),
    cloudCover: sensor.kind === 'radar' ? 0 : random.int(101),
    gsd: sensor.gsd,
    creditsPerKm2: sensor.creditsPerKm2,
  });
}

function footprintNear(
  [lon, lat]: readonly [number, number],
  sensor: Sensor,
  random: Random,
): Bbox {
  const west = lon + (random.next() - 0.5) * 2;
  const south = lat + (random.next() - 0.5) * 2;
  const width = sensor.scene.width / Math.cos((lat * Math.PI) / 180);
  return Object.freeze([
    degrees(west),
    degrees(south),
    degrees(west + width),
    degrees(south + sensor.scene.height),
  ] as const);
}

/** Four digits are about ten metres; longitudes wrap at the antimeridian. */
function degrees(value: number): number {
  const turned = value >= 180 ? value - 360 : value < -180 ? value + 360 : value;
  return Math.round(turned * 10_000) / 10_000;
}
