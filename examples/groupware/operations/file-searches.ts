/** Four ways to ask for the same search of files. */
import type { Operation } from 'plimsoll/server';
import { reads } from 'plimsoll/server';
import * as z from 'zod';
import type { FileEntry, FileQuery, Files } from '../backend.ts';
import type { Groupware } from './declare.ts';
import { declare, ownAccount } from './declare.ts';
import { FileOut } from './files.ts';
import { maybe, text } from './parameters.ts';

const pattern = text(250).min(1).describe('Name of the file; % stands for any characters');
const mimeType = text(100).min(1).describe('MIME type, or the beginning of one: image/');
const scope = text(4000)
  .default('')
  .describe('Directory to search in; empty for the whole account');
const limit = maybe(z.int().min(1).max(1000)).describe(
  'How many to return at most; 100 if left out',
);

const common = {
  output: z.object({ results: z.array(FileOut) }),
  effect: reads('file', ownAccount),
  scopes: ['files:read'],
};

export function fileSearchOperations(groupware: Groupware): readonly Operation[] {
  return [
    declare(groupware, {
      ...common,
      name: 'nc_webdav_search_files',
      title: 'Search Files',
      description:
        'Finds files and directories by name, type and whether they are favourites. What is left out does not count.',
      input: z.object({
        scope,
        name_pattern: maybe(pattern).describe('Name; % stands for any characters'),
        mime_type: maybe(mimeType).describe('MIME type, or the beginning of one: image/'),
        only_favorites: z.boolean().default(false).describe('Only favourites'),
        limit,
      }),
      run: (input, { files }) =>
        search(files, {
          scope: input.scope,
          name: input.name_pattern ?? undefined,
          mimeType: input.mime_type ?? undefined,
          onlyFavorites: input.only_favorites,
          limit: input.limit ?? undefined,
        }),
    }),

    declare(groupware, {
      ...common,
      name: 'nc_webdav_find_by_name',
      title: 'Find Files by Name',
      description: 'Finds files and directories by name.',
      input: z.object({ pattern, scope, limit }),
      run: (input, { files }) =>
        search(files, {
          scope: input.scope,
          name: input.pattern,
          limit: input.limit ?? undefined,
        }),
    }),

    declare(groupware, {
      ...common,
      name: 'nc_webdav_find_by_type',
      title: 'Find Files by Type',
      description: 'Finds files by MIME type.',
      input: z.object({ mime_type: mimeType, scope, limit }),
      run: (input, { files }) =>
        search(files, {
          scope: input.scope,
          mimeType: input.mime_type,
          limit: input.limit ?? undefined,
        }),
    }),

    declare(groupware, {
      ...common,
      name: 'nc_webdav_list_favorites',
      title: 'List Favorite Files',
      description: 'Lists the files and directories that are marked as favourites.',
      input: z.object({ scope, limit }),
      run: (input, { files }) =>
        search(files, {
          scope: input.scope,
          onlyFavorites: true,
          limit: input.limit ?? undefined,
        }),
    }),
  ];
}

async function search(files: Files, query: FileQuery): Promise<{ readonly results: FileEntry[] }> {
  return { results: [...(await files.find({ ...query, limit: query.limit ?? 100 }))] };
}
