/**
 * What things cost, in credits (100 credits are one Australian dollar). Estimates and orders are
 * priced by the same functions, so that the price shown is the price charged.
 */
import type { Bbox } from './area.ts';
import { areaKm2, sharedAreaKm2, sharedBbox } from './area.ts';
import type { Process } from './processes.ts';
import type { Scene } from './scene.ts';
import type { Sensor } from './sensors.ts';

export const CREDITS_PER_AUD = 100;

/** The smallest area that can be bought. */
const LEAST_ARCHIVE_KM2 = 1;
export const LEAST_TASKING_KM2 = 25;
const MOST_TASKING_KM2 = 10_000;
export const LEAST_JOB_CREDITS = 10;

export const URGENCIES = Object.freeze({ standard: 1, priority: 1.5, rush: 2.5 });
export type Urgency = keyof typeof URGENCIES;

export type ArchiveQuote =
  | {
      readonly kind: 'quote';
      readonly sceneId: string;
      /** The part of the scene that is bought. */
      readonly bbox: Bbox;
      readonly areaKm2: number;
      readonly credits: number;
    }
  | { readonly kind: 'refused'; readonly sceneId: string; readonly reason: string };

/** One scene, or the part of it that lies in `wanted`. */
export function quoteArchive(scene: Scene, wanted?: Bbox): ArchiveQuote {
  const bbox = wanted === undefined ? scene.footprint : sharedBbox(wanted, scene.footprint);
  if (bbox === undefined) {
    return { kind: 'refused', sceneId: scene.id, reason: 'The area lies outside the scene.' };
  }
  const area = hundredths(sharedAreaKm2(wanted ?? scene.footprint, scene.footprint));
  const credits = Math.ceil(Math.max(area, LEAST_ARCHIVE_KM2) * scene.creditsPerKm2);
  return Object.freeze({ kind: 'quote', sceneId: scene.id, bbox, areaKm2: area, credits });
}

export type TaskingQuote =
  | { readonly kind: 'quote'; readonly areaKm2: number; readonly credits: number }
  | { readonly kind: 'refused'; readonly reason: string };

export function quoteTasking(sensor: Sensor, bbox: Bbox, urgency: Urgency): TaskingQuote {
  if (sensor.taskingCreditsPerKm2 === null) {
    return { kind: 'refused', reason: `${sensor.name} cannot be tasked.` };
  }
  const area = hundredths(areaKm2(bbox));
  if (area > MOST_TASKING_KM2) {
    const reason = `The area is ${area} km²; one tasking covers at most ${MOST_TASKING_KM2} km².`;
    return { kind: 'refused', reason };
  }
  const billed = Math.max(area, LEAST_TASKING_KM2);
  const credits = Math.ceil(billed * sensor.taskingCreditsPerKm2 * URGENCIES[urgency]);
  return Object.freeze({ kind: 'quote', areaKm2: area, credits });
}

export interface JobQuote {
  readonly megapixels: number;
  readonly credits: number;
}

export function quoteJob(process: Process, bbox: Bbox, gsd: number): JobQuote {
  const megapixels = hundredths(areaKm2(bbox) / gsd ** 2);
  const credits = Math.max(LEAST_JOB_CREDITS, Math.ceil(megapixels * process.creditsPerMegapixel));
  return Object.freeze({ megapixels, credits });
}

export function toAud(credits: number): number {
  return credits / CREDITS_PER_AUD;
}

/** Rounded before pricing, so that the price can be calculated from what is shown. */
function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
