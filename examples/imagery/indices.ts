/** Spectral indices by name, each a formula over bands. */

export interface SpectralIndex {
  readonly name: string;
  readonly title: string;
  readonly category: 'vegetation' | 'water' | 'urban';
  readonly formula: string;
  readonly bands: readonly string[];
}

export const INDICES: readonly SpectralIndex[] = Object.freeze([
  {
    name: 'ndvi',
    title: 'Normalised Difference Vegetation Index',
    category: 'vegetation',
    formula: '(nir - red) / (nir + red)',
    bands: ['nir', 'red'],
  },
  {
    name: 'evi2',
    title: 'Enhanced Vegetation Index 2',
    category: 'vegetation',
    formula: '2.5 * (nir - red) / (nir + 2.4 * red + 1)',
    bands: ['nir', 'red'],
  },
  {
    name: 'ndre',
    title: 'Normalised Difference Red Edge',
    category: 'vegetation',
    formula: '(nir - rededge) / (nir + rededge)',
    bands: ['nir', 'rededge'],
  },
  {
    name: 'ndwi',
    title: 'Normalised Difference Water Index',
    category: 'water',
    formula: '(green - nir) / (green + nir)',
    bands: ['green', 'nir'],
  },
  {
    name: 'ndbi',
    title: 'Normalised Difference Built-up Index',
    category: 'urban',
    formula: '(swir1 - nir) / (swir1 + nir)',
    bands: ['nir', 'swir1'],
  },
] satisfies readonly SpectralIndex[]);

export function findIndex(name: string): SpectralIndex | undefined {
  return INDICES.find((index) => index.name === name.toLowerCase());
}
