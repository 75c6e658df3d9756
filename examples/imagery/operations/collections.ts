/** Collections of items within a project. */
import type { Operation } from 'plimsoll/server';
import { creates, deletes, reads, updates } from 'plimsoll/server';
import * as z from 'zod';
import type { Shop } from './declare.ts';
import { declare } from './declare.ts';
import { account } from './facts.ts';
import { found, foundCollection, foundProject, given, openProject } from './refuse.ts';
import { collectionId, CollectionOut, DoneOut, projectId } from './schemas.ts';

const read = ['collections:read'];
const write = ['collections:write'];

const name = z.string().min(1).max(255).describe('Its name');
const fields = {
  description: z.string().max(2000).nullable().optional().describe('What is in it'),
  color: z.string().max(32).nullable().optional().describe('Its colour on the map'),
  show_on_map: z.boolean().optional().describe('Whether it is shown on the map'),
  layer_order: z.int().optional().describe('Its position among the layers; lower comes first'),
};

export function collectionOperations(shop: Shop): readonly Operation[] {
  const { store } = shop;
  return [
    declare(shop, {
      name: 'collections.create',
      title: 'Create Collection',
      description: 'Creates an empty collection in a project.',
      input: z.object({ project_id: projectId, name, ...fields }),
      output: CollectionOut,
      effect: creates('collection', account),
      scopes: write,
      produces: ['collection'],
      run: ({ project_id, ...wanted }, caller) => {
        openProject(store, caller.organisation, project_id);
        return store.collections.create(caller, project_id, wanted);
      },
    }),

    declare(shop, {
      name: 'collections.get',
      title: 'Get Collection',
      description: 'Returns one collection with the number of its items.',
      input: z.object({ project_id: projectId, collection_id: collectionId }),
      output: CollectionOut,
      effect: reads('collection', account),
      scopes: read,
      run: ({ project_id, collection_id }, { organisation }) =>
        foundCollection(store, organisation, collection_id, project_id),
    }),

    declare(shop, {
      name: 'collections.list',
      title: 'List Collections',
      description: 'Lists the collections of a project.',
      input: z.object({ project_id: projectId }),
      output: z.object({ collections: z.array(CollectionOut).readonly() }),
      effect: reads('collection', account),
      scopes: read,
      run: ({ project_id }, { organisation }) => {
        foundProject(store, organisation, project_id);
        return { collections: store.collections.list(organisation, project_id) };
      },
    }),

    declare(shop, {
      name: 'collections.update',
      title: 'Update Collection',
      description: 'Changes the name and display settings of a collection.',
      input: z.object({
        project_id: projectId,
        collection_id: collectionId,
        name: name.optional(),
        ...fields,
      }),
      output: CollectionOut,
      effect: updates('collection', account),
      scopes: write,
      run: ({ project_id, collection_id, ...changes }, caller) => {
        foundCollection(store, caller.organisation, collection_id, project_id);
        const after = store.collections.update(caller, collection_id, given(changes));
        return found(after, 'collection', collection_id);
      },
    }),

    declare(shop, {
      name: 'collections.delete',
      title: 'Delete Collection',
      description:
        'Permanently deletes a collection and the links to it. Its items stay in the project.',
      input: z.object({ project_id: projectId, collection_id: collectionId }),
      output: DoneOut,
      effect: deletes('collection', account),
      scopes: write,
      run: ({ project_id, collection_id }, caller) => {
        foundCollection(store, caller.organisation, collection_id, project_id);
        return { ok: store.collections.delete(caller, collection_id), id: collection_id };
      },
    }),
  ];
}
