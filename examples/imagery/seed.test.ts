import { describe, expect, it } from 'vitest';
import { crossesAntimeridian, readBbox } from './area.ts';
import { makeScenes, SAMPLE_SCENE } from './seed.ts';
import { findSensor, SENSORS, VENDORS } from './sensors.ts';

const scenes = makeScenes();

describe('makeScenes', () => {
  it('is the same each time, and another with another seed', () => {
    expect(makeScenes()).toEqual(scenes);
    expect(makeScenes(1)).not.toEqual(scenes);
  });

  it('makes a few thousand, no id twice, each a box that can be searched', () => {
    expect(scenes.length).toBeGreaterThan(2000);
    expect(new Set(scenes.map(({ id }) => id)).size).toBe(scenes.length);
    expect(scenes.filter(({ footprint }) => readBbox(footprint).kind === 'invalid')).toEqual([]);
  });

  it('has scenes across the antimeridian, and many that share one instant', () => {
    expect(scenes.filter(({ footprint }) => crossesAntimeridian(footprint)).length).toBeGreaterThan(
      20,
    );
    expect(new Set(scenes.map(({ acquiredAt }) => acquiredAt)).size).toBeLessThan(
      scenes.length - 500,
    );
  });

  it('prices each scene as its sensor, which a known vendor flies', () => {
    for (const scene of scenes) {
      const sensor = findSensor(scene.sensorId);
      expect(sensor?.creditsPerKm2).toBe(scene.creditsPerKm2);
      expect(sensor?.vendorId).toBe(scene.vendorId);
    }
    expect(new Set(SENSORS.map(({ vendorId }) => vendorId))).toEqual(
      new Set(VENDORS.map(({ id }) => id)),
    );
  });

  it('holds the sample that the docs speak of', () => {
    expect(scenes[0]).toBe(SAMPLE_SCENE);
  });
});
