/** Items: making, changing and removing them. Finding and taking them out is in item-reads.ts and assets.ts. */
import type { Operation } from 'plimsoll/server';
import { creates, deletes, updates } from 'plimsoll/server';
import * as z from 'zod';
import { ITEM_TYPES } from '../item.ts';
import type { Shop } from './declare.ts';
import { declare } from './declare.ts';
import { account } from './facts.ts';
import { found, foundCollection, foundItem, given, openProject, toBbox } from './refuse.ts';
import { bbox, collectionId, DoneOut, itemId, ItemOut, projectId, properties } from './schemas.ts';

const scopes = ['items:write'];

const name = z.string().min(1).max(500).describe('What people call it');
const description = z.string().max(5000).nullable().optional().describe('What it shows');
const cloudCover = z.number().min(0).max(100).optional().describe('Per cent of cloud');
const gsd = z.number().positive().optional().describe('Metres on the ground for one pixel');
const more = properties.optional().describe('Anything else that is known of it');

export function itemOperations(shop: Shop): readonly Operation[] {
  const { store } = shop;
  return [
    declare(shop, {
      name: 'items.create',
      title: 'Create Item',
      description: 'Registers imagery that is kept elsewhere, or will be uploaded, as an item.',
      input: z.object({
        project_id: projectId,
        collection_id: collectionId.optional(),
        type: z.enum(ITEM_TYPES).describe('What kind of thing it is'),
        name,
        description,
        bbox: bbox.optional().describe('Where it lies: west, south, east, north'),
        datetime: z.iso.datetime().optional().describe('When it was taken'),
        cloud_cover: cloudCover,
        gsd,
        properties: more,
      }),
      output: ItemOut,
      effect: creates('item', account),
      scopes,
      produces: ['item'],
      run: (input, caller) => {
        openProject(store, caller.organisation, input.project_id);
        if (input.collection_id !== undefined) {
          foundCollection(store, caller.organisation, input.collection_id, input.project_id);
        }
        const where = input.bbox === undefined ? null : toBbox(input.bbox);
        const { project_id, type } = input;
        const rest = given({ ...input, bbox: where });
        return store.items.create(caller, { ...rest, project_id, type, name: input.name });
      },
    }),

    declare(shop, {
      name: 'items.update',
      title: 'Update Item',
      description:
        'Changes what is known of an item, or puts it into another collection of its project.',
      input: z.object({
        item_id: itemId,
        collection_id: collectionId
          .nullable()
          .optional()
          .describe('Which collection; null for none'),
        name: name.optional(),
        description,
        cloud_cover: cloudCover,
        gsd,
        properties: more,
      }),
      output: ItemOut,
      effect: updates('item', account),
      scopes,
      run: ({ item_id, ...changes }, caller) => {
        const { project_id } = foundItem(store, caller.organisation, item_id);
        if (typeof changes.collection_id === 'string') {
          foundCollection(store, caller.organisation, changes.collection_id, project_id);
        }
        return found(store.items.update(caller, item_id, given(changes)), 'item', item_id);
      },
    }),

    declare(shop, {
      name: 'items.duplicate',
      title: 'Duplicate Item',
      description: 'Makes a copy of an item with its assets, in the same or another project.',
      input: z.object({
        item_id: itemId,
        new_name: name.optional(),
        target_project_id: projectId.optional().describe('Where to; the same project unless told'),
        target_collection_id: collectionId.optional().describe('Into which collection there'),
      }),
      output: ItemOut,
      effect: creates('item', account),
      scopes,
      produces: ['item'],
      run: (input, caller) => {
        const original = foundItem(store, caller.organisation, input.item_id);
        const project_id = input.target_project_id ?? original.project_id;
        const collection_id = input.target_collection_id ?? null;
        openProject(store, caller.organisation, project_id);
        if (collection_id !== null) {
          foundCollection(store, caller.organisation, collection_id, project_id);
        }
        return store.items.create(
          caller,
          {
            ...original,
            project_id,
            collection_id,
            name: input.new_name ?? original.name,
            duplicated_from_id: original.id,
          },
          store.items.assets(caller.organisation, original.id),
        );
      },
    }),

    declare(shop, {
      name: 'items.delete',
      title: 'Delete Item',
      description: 'Deletes an item with its assets and the links to it, for good.',
      input: z.object({ item_id: itemId }),
      output: DoneOut,
      effect: deletes('item', account),
      scopes,
      run: ({ item_id }, caller) => {
        foundItem(store, caller.organisation, item_id);
        return { ok: store.items.delete(caller, item_id), id: item_id };
      },
    }),
  ];
}
