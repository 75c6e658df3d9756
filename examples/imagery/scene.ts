/** A scene: one capture in a vendor's archive, with what it costs. */
import type { Bbox } from './area.ts';

export interface Scene {
  readonly id: string;
  readonly vendorId: string;
  readonly sensorId: string;
  readonly footprint: Bbox;
  /** ISO instant. */
  readonly acquiredAt: string;
  /** Per cent; radar sees through clouds and has 0. */
  readonly cloudCover: number;
  /** Metres on the ground per pixel. */
  readonly gsd: number;
  readonly creditsPerKm2: number;
}

/** The filters of a search; all are optional. */
export interface SceneQuery {
  readonly bbox?: Bbox | undefined;
  /** ISO instants, both included. */
  readonly from?: string | undefined;
  readonly until?: string | undefined;
  readonly maxCloudCover?: number | undefined;
  readonly maxGsd?: number | undefined;
  readonly vendorId?: string | undefined;
  readonly sensorIds?: readonly string[] | undefined;
  readonly ids?: readonly string[] | undefined;
}

/** A position in the results of a search: newest first, and by id for equal dates. */
export interface ScenePlace {
  readonly acquiredAt: string;
  readonly id: string;
}

export interface ScenePage {
  readonly scenes: readonly Scene[];
  /** The cursor of the next page, if there is one. */
  readonly next?: ScenePlace;
}
