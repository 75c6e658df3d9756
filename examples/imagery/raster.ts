/**
 * The pixels of the invented rasters, and statistics over them. A pixel depends only on the asset, the
 * band and the position, so that results are the same on every machine.
 */
import type { Bbox } from './area.ts';
import type { Expression } from './formula.ts';
import { evaluate } from './formula.ts';

export interface RasterStatistics {
  readonly width: number;
  readonly height: number;
  readonly valid_pixels: number;
  readonly min: number | null;
  readonly max: number | null;
  readonly mean: number | null;
}

/** At most this many pixels per side are sampled, whatever was requested. */
const MOST_SAMPLES = 64;
const PIXELS_PER_SECOND = 1_000_000;

/** Compute seconds for a raster with this many pixels per side. */
export function computeSeconds(maxSize: number, bands: number): number {
  return Math.max(1, Math.ceil((maxSize ** 2 * Math.max(1, bands)) / PIXELS_PER_SECOND));
}

export function statisticsOf(
  assetId: string,
  expression: Expression,
  bbox: Bbox,
  maxSize: number,
): RasterStatistics {
  const side = Math.min(maxSize, MOST_SAMPLES);
  const values: number[] = [];
  for (let row = 0; row < side; row += 1) {
    for (let column = 0; column < side; column += 1) {
      const value = evaluate(expression, (band) => reflectance(assetId, band, row, column, bbox));
      if (Number.isFinite(value)) values.push(value);
    }
  }
  const count = values.length;
  const least = values.reduce((low, value) => Math.min(low, value), Infinity);
  const most = values.reduce((high, value) => Math.max(high, value), -Infinity);
  const sum = values.reduce((total, value) => total + value, 0);
  return Object.freeze({
    width: side,
    height: side,
    valid_pixels: count,
    min: count === 0 ? null : rounded(least),
    max: count === 0 ? null : rounded(most),
    mean: count === 0 ? null : rounded(sum / count),
  });
}

/** From 0 to 1. */
export function reflectance(
  assetId: string,
  band: string,
  row: number,
  column: number,
  [west, south]: Bbox,
): number {
  return fnv1a(`${assetId} ${band} ${west} ${south} ${row} ${column}`) / 2 ** 32;
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash >>> 0;
}

function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
