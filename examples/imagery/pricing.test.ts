import { describe, expect, it } from 'vitest';
import {
  LEAST_JOB_CREDITS,
  LEAST_TASKING_KM2,
  quoteArchive,
  quoteJob,
  quoteTasking,
  toAud,
} from './pricing.ts';
import type { Process } from './processes.ts';
import { findProcess } from './processes.ts';
import { SAMPLE_SCENE } from './seed.ts';
import type { Sensor } from './sensors.ts';
import { findSensor } from './sensors.ts';

const sensor = (id: string) => findSensor(id) as Sensor;
const process = (id: string) => findProcess(id) as Process;

describe('quoteArchive', () => {
  it('is area by price: 20 km² at 12 credits are 240 credits', () => {
    expect(quoteArchive(SAMPLE_SCENE, [151.2, -33.9, 151.2487, -33.86])).toEqual({
      kind: 'quote',
      sceneId: SAMPLE_SCENE.id,
      bbox: [151.2, -33.9, 151.2487, -33.86],
      areaKm2: 20,
      credits: 240,
    });
  });

  it('counts only what lies in the scene, and all of it when no area is named', () => {
    const whole = quoteArchive(SAMPLE_SCENE);
    const beyond = quoteArchive(SAMPLE_SCENE, [150, -35, 153, -32]);
    expect(beyond).toEqual(whole);
  });

  it('has a least area, and refuses what lies outside', () => {
    expect(quoteArchive(SAMPLE_SCENE, [151.2, -33.9, 151.201, -33.899])).toMatchObject({
      areaKm2: 0.01,
      credits: 12,
    });
    expect(quoteArchive(SAMPLE_SCENE, [0, 0, 1, 1])).toMatchObject({ kind: 'refused' });
  });
});

describe('quoteTasking', () => {
  const box = [151.1, -33.95, 151.2, -33.85] as const;

  it('grows with urgency', () => {
    const [standard, priority, rush] = (['standard', 'priority', 'rush'] as const).map(
      (urgency) => {
        const quote = quoteTasking(sensor('kestrel-3'), box, urgency);
        return quote.kind === 'quote' ? quote.credits : 0;
      },
    );
    // Each is rounded up for itself.
    expect(Math.abs((priority ?? 0) - (standard ?? 0) * 1.5)).toBeLessThan(2.5);
    expect(Math.abs((rush ?? 0) - (standard ?? 0) * 2.5)).toBeLessThan(3.5);
  });

  it('bills a least area, and refuses the boundless and sensors without tasking', () => {
    expect(quoteTasking(sensor('kestrel-3'), [0, 0, 0.01, 0.01], 'standard')).toMatchObject({
      credits: LEAST_TASKING_KM2 * 45,
    });
    expect(quoteTasking(sensor('kestrel-3'), [0, 0, 9, 9], 'standard').kind).toBe('refused');
    expect(quoteTasking(sensor('commons-10'), box, 'standard').kind).toBe('refused');
  });
});

describe('quoteJob', () => {
  it('is pixels by price, and never nothing', () => {
    const { megapixels, credits } = quoteJob(
      process('pansharpen'),
      [151.2, -33.9, 151.2487, -33.86],
      0.5,
    );
    expect(megapixels).toBeCloseTo(20 / 0.25, 0);
    expect(credits).toBe(Math.ceil(megapixels));
    expect(quoteJob(process('cloud-mask'), [0, 0, 0.001, 0.001], 10).credits).toBe(
      LEAST_JOB_CREDITS,
    );
  });
});

it('a hundred credits are one dollar', () => {
  expect(toAud(240)).toBe(2.4);
});
