/** Finding and reading items. */
import type { Operation } from 'plimsoll/server';
import { reads } from 'plimsoll/server';
import * as z from 'zod';
import type { Geometry } from '../area.ts';
import { toGeometry } from '../area.ts';
import type { Item, ItemQuery } from '../item.ts';
import { ITEM_TYPES } from '../item.ts';
import type { Slice } from '../store/acting.ts';
import type { Store } from '../store.ts';
import type { Shop } from './declare.ts';
import { declare } from './declare.ts';
import { account } from './facts.ts';
import { foundCollection, foundItem, foundProject, toInterval } from './refuse.ts';
import {
  collectionId,
  datetime,
  itemId,
  ItemOut,
  ItemsOut,
  limitOf,
  offset,
  projectId,
  properties,
} from './schemas.ts';

const scopes = ['items:read'];
const slice = { limit: limitOf(100, 1000), offset };

const StacOut = z.object({
  type: z.literal('Feature'),
  stac_version: z.string(),
  id: z.string(),
  geometry: z.object({ type: z.string(), coordinates: z.unknown() }).nullable(),
  bbox: z.array(z.number()).readonly().optional(),
  properties,
  collection: z.string().nullable(),
});

export function itemReadOperations(shop: Shop): readonly Operation[] {
  const { store } = shop;
  return [
    declare(shop, {
      name: 'items.get',
      title: 'Get Item',
      description: 'Returns one item.',
      input: z.object({ item_id: itemId }),
      output: z.object({ item: ItemOut }),
      effect: reads('item', account),
      scopes,
      run: ({ item_id }, { organisation }) => ({ item: foundItem(store, organisation, item_id) }),
    }),

    declare(shop, {
      name: 'items.get_stac',
      title: 'Get Item as STAC',
      description: 'Returns one item in the format of the SpatioTemporal Asset Catalog.',
      input: z.object({ item_id: itemId }),
      output: StacOut,
      effect: reads('item', account),
      scopes,
      run: ({ item_id }, { organisation }) => toStac(foundItem(store, organisation, item_id)),
    }),

    declare(shop, {
      name: 'items.list',
      title: 'List Items',
      description: 'Lists the items of a project, newest first.',
      input: z.object({
        project_id: projectId,
        collection_id: collectionId.optional(),
        uncollected: z.boolean().default(false).describe('Only items in no collection'),
        ...slice,
      }),
      output: ItemsOut,
      effect: reads('item', account),
      scopes,
      run: ({ project_id, collection_id, uncollected, limit, offset: skip }, { organisation }) => {
        foundProject(store, organisation, project_id);
        const query = { projectId: project_id, collectionId: collection_id, uncollected };
        return listed(store, organisation, query, { limit, offset: skip });
      },
    }),

    declare(shop, {
      name: 'items.list_by_collection',
      title: 'List Items in Collection',
      description: 'Lists the items of a collection, newest first.',
      input: z.object({ collection_id: collectionId, ...slice }),
      output: ItemsOut,
      effect: reads('item', account),
      scopes,
      run: ({ collection_id, limit, offset: skip }, { organisation }) => {
        foundCollection(store, organisation, collection_id);
        const query = { collectionId: collection_id };
        return listed(store, organisation, query, { limit, offset: skip });
      },
    }),

    declare(shop, {
      name: 'items.search_org',
      title: 'Search Organization Items',
      description: 'Finds items in all projects of the organisation by time and kind.',
      input: z.object({
        datetime: datetime.optional(),
        type: z.enum(ITEM_TYPES).optional().describe('Only items of this kind'),
        ...slice,
      }),
      output: z.object({
        type: z.literal('FeatureCollection'),
        features: z.array(StacOut),
        numberMatched: z.int(),
      }),
      effect: reads('item', account),
      scopes,
      run: ({ datetime: when, type, limit, offset: skip }, { organisation }) => {
        const query = { ...toInterval(when), type };
        const { items, total } = listed(store, organisation, query, { limit, offset: skip });
        return {
          type: 'FeatureCollection' as const,
          features: items.map(toStac),
          numberMatched: total,
        };
      },
    }),

    declare(shop, {
      name: 'items.lineage',
      title: 'Get Item Lineage',
      description: 'Returns what an item was made from, step by step, back to its order.',
      input: z.object({ item_id: itemId }),
      output: z.object({
        item_id: z.string(),
        ancestors: z.array(
          z.object({ item_id: z.string(), name: z.string(), order_id: z.string().nullable() }),
        ),
      }),
      effect: reads('lineage', account),
      scopes,
      run: ({ item_id }, { organisation }) => ({
        item_id,
        ancestors: ancestorsOf(store, foundItem(store, organisation, item_id), organisation),
      }),
    }),
  ];
}

function listed(
  store: Store,
  organisation: string,
  query: ItemQuery,
  part: Slice,
): { readonly items: readonly Item[]; readonly total: number } {
  return {
    items: store.items.list(organisation, query, part),
    total: store.items.count(organisation, query),
  };
}

export function toStac(item: Item): z.input<typeof StacOut> {
  const geometry: Geometry | null = item.bbox === null ? null : toGeometry(item.bbox);
  return {
    type: 'Feature',
    stac_version: '1.1.0',
    id: item.id,
    geometry,
    ...(item.bbox !== null && { bbox: item.bbox }),
    properties: {
      ...item.properties,
      title: item.name,
      datetime: item.datetime,
      'eo:cloud_cover': item.cloud_cover,
      gsd: item.gsd,
      project_id: item.project_id,
      item_type: item.type,
    },
    collection: item.collection_id,
  };
}

/** Lineage has no cycles, so the walk ends; the bound is for corrupt data. */
const DEEPEST = 50;

function ancestorsOf(store: Store, item: Item, organisation: string) {
  const ancestors: { item_id: string; name: string; order_id: string | null }[] = [];
  let next: Item | undefined = item;
  while (next !== undefined && ancestors.length < DEEPEST) {
    const source: unknown = next.duplicated_from_id ?? next.properties['source_item_id'];
    next = typeof source === 'string' ? store.items.find(organisation, source) : undefined;
    if (next !== undefined) {
      ancestors.push({ item_id: next.id, name: next.name, order_id: next.order_id });
    }
  }
  return ancestors;
}
