/**
 * Boxes on the globe, in degrees: `[west, south, east, north]`. A box whose west is east of its east
 * crosses the antimeridian. Pure; areas are those of a sphere.
 */

export type Bbox = readonly [west: number, south: number, east: number, north: number];

const EARTH_RADIUS_KM = 6371.0088;

export type BboxReading =
  | { readonly kind: 'valid'; readonly bbox: Bbox }
  | { readonly kind: 'invalid'; readonly reason: string };

/** Whether four numbers are a box with an area. */
export function readBbox(numbers: readonly number[]): BboxReading {
  const [west, south, east, north] = numbers;
  if (
    numbers.length !== 4 ||
    west === undefined ||
    south === undefined ||
    east === undefined ||
    north === undefined ||
    !numbers.every((each) => Number.isFinite(each))
  ) {
    return invalid('A box is four numbers: west, south, east, north.');
  }
  if (Math.abs(west) > 180 || Math.abs(east) > 180) {
    return invalid('Longitudes lie between -180 and 180.');
  }
  if (Math.abs(south) > 90 || Math.abs(north) > 90) {
    return invalid('Latitudes lie between -90 and 90.');
  }
  if (south >= north) return invalid('South must lie below north.');
  if (west === east) return invalid('West and east must differ.');
  return { kind: 'valid', bbox: Object.freeze([west, south, east, north] as const) };
}

export function crossesAntimeridian([west, , east]: Bbox): boolean {
  return west > east;
}

/** The one or two boxes, none of which crosses the antimeridian, that make up a box. */
export function splitBbox(bbox: Bbox): readonly Bbox[] {
  const [west, south, east, north] = bbox;
  if (!crossesAntimeridian(bbox)) return [bbox];
  const parts: readonly Bbox[] = [
    [west, south, 180, north],
    [-180, south, east, north],
  ];
  return parts.filter((part) => part[0] < part[2]);
}

export function areaKm2(bbox: Bbox): number {
  return splitBbox(bbox).reduce((sum, part) => sum + areaOfPart(part), 0);
}

/** How much of `bbox` lies in `within`. */
export function sharedAreaKm2(bbox: Bbox, within: Bbox): number {
  return splitBbox(bbox)
    .flatMap((part) => splitBbox(within).map((other) => overlap(part, other)))
    .reduce((sum, part) => sum + (part === undefined ? 0 : areaOfPart(part)), 0);
}

/** The part that two boxes share, as one box; the first of two when the shared part is in two pieces. */
export function sharedBbox(bbox: Bbox, within: Bbox): Bbox | undefined {
  const parts = splitBbox(bbox)
    .flatMap((part) => splitBbox(within).map((other) => overlap(part, other)))
    .filter((part) => part !== undefined);
  const eastern = parts.find((part) => part[2] === 180);
  const western = parts.find((part) => part[0] === -180);
  if (parts.length === 2 && eastern !== undefined && western !== undefined) {
    return Object.freeze([eastern[0], eastern[1], western[2], eastern[3]] as const);
  }
  return parts[0];
}

type Ring = readonly (readonly [number, number])[];

export type Geometry =
  | { readonly type: 'Polygon'; readonly coordinates: readonly Ring[] }
  | { readonly type: 'MultiPolygon'; readonly coordinates: readonly (readonly Ring[])[] };

/** As GeoJSON, cut at the antimeridian as RFC 7946 requires. */
export function toGeometry(bbox: Bbox): Geometry {
  const [first, second] = splitBbox(bbox).map((part) => [ringOf(part)]);
  if (first === undefined) throw new RangeError('a box has at least one part');
  return second === undefined
    ? { type: 'Polygon', coordinates: first }
    : { type: 'MultiPolygon', coordinates: [first, second] };
}

function ringOf([west, south, east, north]: Bbox): Ring {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}

function overlap(one: Bbox, other: Bbox): Bbox | undefined {
  const west = Math.max(one[0], other[0]);
  const south = Math.max(one[1], other[1]);
  const east = Math.min(one[2], other[2]);
  const north = Math.min(one[3], other[3]);
  return west < east && south < north ? [west, south, east, north] : undefined;
}

function areaOfPart([west, south, east, north]: Bbox): number {
  const height = Math.sin(toRadians(north)) - Math.sin(toRadians(south));
  return EARTH_RADIUS_KM ** 2 * height * toRadians(east - west);
}

function toRadians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}

function invalid(reason: string): BboxReading {
  return { kind: 'invalid', reason };
}
