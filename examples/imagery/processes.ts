/** The processes that can run on an item, with their requirements and prices. */

export interface Process {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly category: 'correction' | 'enhancement' | 'extraction';
  readonly creditsPerMegapixel: number;
  /** Per cent: above it the process fails, and nothing is charged. */
  readonly maxCloudCover: number;
  readonly produces: 'derived_raster' | 'derived_vector';
}

export const PROCESSES: readonly Process[] = Object.freeze([
  {
    id: 'atmospheric-correction',
    name: 'Atmospheric Correction',
    description: 'Removes haze and returns surface reflectance.',
    category: 'correction',
    creditsPerMegapixel: 0.5,
    maxCloudCover: 100,
    produces: 'derived_raster',
  },
  {
    id: 'pansharpen',
    name: 'Pansharpening',
    description: 'Sharpens colour bands with the panchromatic one.',
    category: 'enhancement',
    creditsPerMegapixel: 1,
    maxCloudCover: 100,
    produces: 'derived_raster',
  },
  {
    id: 'cloud-mask',
    name: 'Cloud Mask',
    description: 'Marks clouds and their shadows.',
    category: 'correction',
    creditsPerMegapixel: 0.2,
    maxCloudCover: 100,
    produces: 'derived_raster',
  },
  {
    id: 'building-footprints',
    name: 'Building Footprints',
    description: 'Draws the outlines of buildings; needs a clear view.',
    category: 'extraction',
    creditsPerMegapixel: 4,
    maxCloudCover: 60,
    produces: 'derived_vector',
  },
  {
    id: 'vessel-detection',
    name: 'Vessel Detection',
    description: 'Finds ships on open water.',
    category: 'extraction',
    creditsPerMegapixel: 2,
    maxCloudCover: 80,
    produces: 'derived_vector',
  },
] satisfies readonly Process[]);

export function findProcess(id: string): Process | undefined {
  return PROCESSES.find((process) => process.id === id);
}
