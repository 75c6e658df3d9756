/**
 * Whole orders, priced: what can be bought and for how much, and what cannot and why. An estimate shows
 * it; placing an order buys the same result.
 */
import type { Bbox } from './area.ts';
import type { Capture, TaskingGroup } from './order.ts';
import type { Urgency } from './pricing.ts';
import { quoteArchive, quoteTasking } from './pricing.ts';
import type { Scene } from './scene.ts';
import { findSensor } from './sensors.ts';

export interface WantedCapture {
  readonly id: string;
  /** The requested part of the scene; all of it by default. */
  readonly bbox?: Bbox | undefined;
}

export interface WantedTasking {
  readonly sensor: string;
  readonly bbox: Bbox;
  readonly urgency: Urgency;
  readonly windowStart: string;
  readonly windowEnd: string;
}

/** What cannot be bought, by its index in the request. */
export interface EstimateError {
  readonly index: number;
  readonly reason: string;
}

export interface Estimate<Part> {
  readonly parts: readonly Part[];
  readonly errors: readonly EstimateError[];
  readonly credits: number;
}

export function estimateArchive(
  wanted: readonly WantedCapture[],
  sceneOf: (id: string) => Scene | undefined,
): Estimate<Capture> {
  return gather(
    wanted.map(({ id, bbox }) => {
      const scene = sceneOf(id);
      if (scene === undefined) return `There is no scene ${id}.`;
      const quote = quoteArchive(scene, bbox);
      if (quote.kind === 'refused') return quote.reason;
      return { scene_id: id, bbox: quote.bbox, area_km2: quote.areaKm2, credits: quote.credits };
    }),
  );
}

export function estimateTasking(
  wanted: readonly WantedTasking[],
  now: Date,
): Estimate<TaskingGroup> {
  return gather(
    wanted.map(({ sensor: id, bbox, urgency, windowStart, windowEnd }) => {
      const sensor = findSensor(id);
      if (sensor === undefined) return `There is no sensor ${id}.`;
      if (windowEnd <= windowStart) return 'The window ends before it starts.';
      if (windowEnd <= now.toISOString()) return 'The window has passed.';
      const quote = quoteTasking(sensor, bbox, urgency);
      if (quote.kind === 'refused') return quote.reason;
      return {
        sensor_id: id,
        urgency,
        bbox,
        area_km2: quote.areaKm2,
        window_start: windowStart,
        window_end: windowEnd,
        credits: quote.credits,
      };
    }),
  );
}

function gather<Part extends { readonly credits: number }>(
  found: readonly (Part | string)[],
): Estimate<Part> {
  const parts = found.filter((each) => typeof each !== 'string');
  return Object.freeze({
    parts: Object.freeze(parts),
    errors: Object.freeze(
      found.flatMap((each, index) => (typeof each === 'string' ? [{ index, reason: each }] : [])),
    ),
    credits: parts.reduce((sum, { credits }) => sum + credits, 0),
  });
}
