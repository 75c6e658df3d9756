/** Analytics: what can be calculated, and checking formulas. Running them is in analytics-runs.ts. */
import type { Operation } from 'plimsoll/server';
import { reads } from 'plimsoll/server';
import * as z from 'zod';
import { areaKm2 } from '../area.ts';
import { readFormula } from '../formula.ts';
import { findIndex, INDICES } from '../indices.ts';
import type { Sensor } from '../sensors.ts';
import { findSensor, SENSORS } from '../sensors.ts';
import type { Shop } from './declare.ts';
import { declare } from './declare.ts';
import { account, platform, pure } from './facts.ts';
import { found, foundItem } from './refuse.ts';
import { itemId } from './schemas.ts';

const scopes = ['analytics:read'];

const IndexOut = z.object({
  name: z.string(),
  title: z.string(),
  category: z.string(),
  formula: z.string(),
  bands: z.array(z.string()).readonly(),
});

const METHODS = [
  { name: 'item_area', title: 'Area of an item', data_type: 'raster' },
  { name: 'item_bands', title: 'Bands of an item', data_type: 'raster' },
] as const;

const MethodOut = z.object({ name: z.string(), title: z.string(), data_type: z.string() });
const methodName = z.enum(METHODS.map(({ name }) => name)).describe('Which method');

export function analyticsOperations(shop: Shop): readonly Operation[] {
  const { store } = shop;
  return [
    declare(shop, {
      name: 'analytics.sensors.list',
      title: 'List Sensors',
      description: 'Lists sensors with the bands that formulas can use.',
      input: z.object({}),
      output: z.object({
        sensors: z.array(
          z.object({ id: z.string(), name: z.string(), bands: z.array(z.string()).readonly() }),
        ),
      }),
      effect: reads('sensor', platform),
      scopes,
      run: () => ({ sensors: SENSORS.map(({ id, name, bands }) => ({ id, name, bands })) }),
    }),

    declare(shop, {
      name: 'analytics.indices.list',
      title: 'List Spectral Indices',
      description: 'Lists spectral indices with their formulas.',
      input: z.object({
        category: z.string().max(40).optional().describe('Only indices of this kind'),
        sensor: z.string().max(80).optional().describe('Only indices that this sensor supports'),
      }),
      output: z.object({ indices: z.array(IndexOut) }),
      effect: reads('index', platform),
      scopes,
      run: ({ category, sensor }) => {
        const bands = sensor === undefined ? undefined : foundSensor(sensor).bands;
        return {
          indices: INDICES.filter(
            (index) =>
              (category === undefined || index.category === category) &&
              (bands === undefined || index.bands.every((band) => bands.includes(band))),
          ),
        };
      },
    }),

    declare(shop, {
      name: 'analytics.index.get',
      title: 'Get Spectral Index',
      description: 'Returns one spectral index.',
      input: z.object({ index_name: z.string().max(40).describe('Which index, such as ndvi') }),
      output: IndexOut,
      effect: reads('index', platform),
      scopes,
      run: ({ index_name }) => found(findIndex(index_name), 'index', index_name),
    }),

    declare(shop, {
      name: 'analytics.validate_formula',
      title: 'Check Formula',
      description: 'Checks whether a band formula is valid and whether a sensor has its bands.',
      input: z.object({
        formula: z.string().max(1000).describe('Such as (nir - red) / (nir + red)'),
        sensor: z.string().max(80).describe('Which sensor, from analytics.sensors.list'),
      }),
      output: z.object({
        formula: z.string(),
        sensor: z.string(),
        valid: z.boolean(),
        error: z.string().nullable(),
        required_bands: z.array(z.string()).readonly(),
        available_bands: z.array(z.string()).readonly(),
      }),
      effect: reads('formula', pure),
      scopes,
      run: ({ formula, sensor }) => {
        const available_bands = foundSensor(sensor).bands;
        const reading = readFormula(formula);
        const required_bands = reading.kind === 'valid' ? reading.bands : [];
        const missing = required_bands.filter((band) => !available_bands.includes(band));
        const lack = missing.length === 0 ? null : `${sensor} has no ${missing.join(', ')}.`;
        const error = reading.kind === 'invalid' ? reading.reason : lack;
        return { formula, sensor, valid: error === null, error, required_bands, available_bands };
      },
    }),

    declare(shop, {
      name: 'analytics.operations.list',
      title: 'List Methods',
      description: 'Lists what analytics.execute can calculate.',
      input: z.object({}),
      output: z.object({ operations: z.array(MethodOut).readonly() }),
      effect: reads('method', platform),
      scopes,
      run: () => ({ operations: METHODS }),
    }),

    declare(shop, {
      name: 'analytics.execute',
      title: 'Run Analysis',
      description: 'Calculates something over an existing item, and stores nothing.',
      input: z.object({
        operation: methodName,
        params: z.object({ item_id: itemId }).describe('The parameters of the method'),
      }),
      output: z.object({
        operation: z.string(),
        result: z.object({
          area_km2: z.number().nullable().optional(),
          bands: z.array(z.string()).readonly().optional(),
        }),
      }),
      effect: reads('analysis', account),
      scopes: ['analytics:process'],
      run: ({ operation, params: { item_id } }, { organisation }) => {
        const { bbox } = foundItem(store, organisation, item_id);
        switch (operation) {
          case 'item_area':
            return { operation, result: { area_km2: bbox === null ? null : areaKm2(bbox) } };
          case 'item_bands': {
            const assets = store.items.assets(organisation, item_id);
            return { operation, result: { bands: assets.flatMap((asset) => asset.band_names) } };
          }
        }
      },
    }),
  ];
}

function foundSensor(id: string): Sensor {
  return found(findSensor(id), 'sensor', id);
}
