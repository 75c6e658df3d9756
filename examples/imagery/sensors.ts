/** The invented vendors and sensors, with their prices. */

export interface Vendor {
  readonly id: string;
  readonly name: string;
  /** Named in searches. */
  readonly host: string;
  readonly country: string;
}

export interface Sensor {
  readonly id: string;
  readonly name: string;
  readonly vendorId: string;
  readonly kind: 'optical' | 'radar';
  /** Metres on the ground per pixel. */
  readonly gsd: number;
  readonly bands: readonly string[];
  /** Archive imagery, per square kilometre. */
  readonly creditsPerKm2: number;
  /** New captures, per square kilometre; `null` when it cannot be tasked. */
  readonly taskingCreditsPerKm2: number | null;
  /** Degrees: how high and how wide a scene is at the equator. */
  readonly scene: { readonly height: number; readonly width: number };
}

export const VENDORS: readonly Vendor[] = Object.freeze([
  { id: 'meridian', name: 'Meridian Earth', host: 'meridian', country: 'AU' },
  { id: 'kestrel', name: 'Kestrel Orbital', host: 'kestrel', country: 'NZ' },
  { id: 'boreal', name: 'Boreal Radar', host: 'boreal', country: 'FI' },
  { id: 'commons', name: 'Open Commons Archive', host: 'commons', country: 'FR' },
]);

const RGBN = ['blue', 'green', 'red', 'nir'];

export const SENSORS: readonly Sensor[] = Object.freeze([
  {
    id: 'meridian-30',
    name: 'Meridian 30 cm',
    vendorId: 'meridian',
    kind: 'optical',
    gsd: 0.3,
    bands: RGBN,
    creditsPerKm2: 1800,
    taskingCreditsPerKm2: 3600,
    scene: { height: 0.12, width: 0.12 },
  },
  {
    id: 'meridian-50',
    name: 'Meridian 50 cm',
    vendorId: 'meridian',
    kind: 'optical',
    gsd: 0.5,
    bands: RGBN,
    creditsPerKm2: 900,
    taskingCreditsPerKm2: 2100,
    scene: { height: 0.15, width: 0.15 },
  },
  {
    id: 'kestrel-3',
    name: 'Kestrel 3 m',
    vendorId: 'kestrel',
    kind: 'optical',
    gsd: 3,
    bands: ['coastal', ...RGBN, 'rededge'],
    creditsPerKm2: 12,
    taskingCreditsPerKm2: 45,
    scene: { height: 0.3, width: 0.4 },
  },
  {
    id: 'boreal-x',
    name: 'Boreal X-band',
    vendorId: 'boreal',
    kind: 'radar',
    gsd: 1,
    bands: ['vv', 'vh'],
    creditsPerKm2: 250,
    taskingCreditsPerKm2: 700,
    scene: { height: 0.25, width: 0.25 },
  },
  {
    id: 'commons-10',
    name: 'Commons 10 m',
    vendorId: 'commons',
    kind: 'optical',
    gsd: 10,
    bands: ['coastal', ...RGBN, 'rededge', 'swir1', 'swir2'],
    creditsPerKm2: 1,
    taskingCreditsPerKm2: null,
    scene: { height: 0.9, width: 0.9 },
  },
] satisfies readonly Sensor[]);

export function findSensor(id: string): Sensor | undefined {
  return SENSORS.find((sensor) => sensor.id === id);
}

export function findVendor(host: string): Vendor | undefined {
  return VENDORS.find((vendor) => vendor.host === host);
}
