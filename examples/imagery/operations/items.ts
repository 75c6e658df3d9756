/**
 * Items: creating, changing and deleting them. Finding and exporting them is in item-reads.ts and
 * assets.ts.
 */
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

const name = z.string().min(1).max(500).describe('Its name');
const description = z.string().max(5000).nullable().optional().describe('What it shows');
const cloudCover = z.number().min(0).max(100).optional().describe('Cloud cover in per cent');
const gsd = z.number().positive().optional().describe('Metres on the ground per pixel');
const more = properties.optional().describe('Any other properties');

export function itemOperations(shop: Shop): readonly Operation[] {
  const { store } = shop;
  return [
    declare(shop, {
      name: 'items.create',
      title: 'Create Item',
      description: 'Registers imagery that is stored elsewhere, or will be uploaded, as an item.',
      input: z.object({
        project_id: projectId,
        collection_id: collectionId.optional(),
        type: z.enum(ITEM_TYPES).describe('What kind of thing it is'),
        name,
        description,
        bbox: bbox.optional().describe('Its area: west, south, east, north'),
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
        'Changes the details of an item, or moves it to another collection of its project.',
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
      description: 'Copies an item with its assets, within the same or to another project.',
      input: z.object({
        item_id: itemId,
        new_name: name.optional(),
        target_project_id: projectId
          .optional()
          .describe('The target project; default: the same project'),
        target_collection_id: collectionId.optional().describe('The target collection'),
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
      description: 'Permanently deletes an item with its assets and the links to it.',
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
