/** Files over WebDAV. A write is a plain PUT; moving and copying replace a target only when told to. */
import type { Operation } from 'plimsoll/server';
import { creates, deletes, moves, puts, reads, varies, when } from 'plimsoll/server';
import * as z from 'zod';
import { invalid } from '../refuse.ts';
import type { Groupware } from './declare.ts';
import { declare, ownAccount } from './declare.ts';
import { etag, maybe, Removed, text } from './parameters.ts';

const READ = ['files:read'];
const WRITE = ['files:write'];

/** The second call finds the target there, or the source gone, and changes nothing. */
const once = { ...ownAccount, repeat: 'end-state' } as const;

const MOVE = varies(moves('file', once), {
  when: when('overwrite', true),
  effect: moves('file', { ...once, overwrites: true, reversible: false }),
});
const COPY = varies(creates('file', once), {
  when: when('overwrite', true),
  effect: puts('file', ownAccount),
});

export const FileOut = z.object({
  path: z.string(),
  name: z.string(),
  is_directory: z.boolean(),
  size: z.int(),
  content_type: z.string(),
  last_modified: z.string(),
  etag,
  is_favorite: z.boolean(),
});

const path = text(4000);
const filePath = path.min(1).describe('Path from the root of the account: Documents/Plan.md');
const transfer = z.object({
  source_path: path.min(1).describe('Path of what is there'),
  destination_path: path.min(1).describe('Path that it gets; its directory must exist'),
  overwrite: z.boolean().default(false).describe('Whether to replace what is at that path'),
});

const MOST_TEXT = 5_000_000;
const MIME_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/;
const BASE64 = /^[A-Za-z0-9+/\s]*={0,2}\s*$/;

export function fileOperations(groupware: Groupware): readonly Operation[] {
  return [
    declare(groupware, {
      name: 'nc_webdav_list_directory',
      title: 'List Files and Directories',
      description: 'Lists what a directory contains, by name.',
      input: z.object({
        path: path.default('').describe('Path of the directory; empty for the root'),
      }),
      output: z.object({ path: z.string(), items: z.array(FileOut) }),
      effect: reads('directory', ownAccount),
      scopes: READ,
      run: async (input, { files }) => ({
        path: input.path,
        items: [...(await files.list(input.path))],
      }),
    }),

    declare(groupware, {
      name: 'nc_webdav_read_file',
      title: 'Read File',
      description: 'Returns the content of a file: text as it is, anything else as base64.',
      input: z.object({ path: filePath }),
      output: z.object({
        path: z.string(),
        content: z.string(),
        encoding: z.enum(['utf-8', 'base64']),
        content_type: z.string(),
        size: z.int(),
        etag,
      }),
      effect: reads('file', ownAccount),
      scopes: READ,
      run: async (input, { files }) => {
        const { entry, content } = await files.read(input.path);
        if (content.length > MOST_TEXT) {
          throw invalid('/path', `The file has ${content.length} bytes; ${MOST_TEXT} can be read.`);
        }
        const asText = content.toString('utf8');
        const isText = Buffer.from(asText).equals(content);
        return {
          path: entry.path,
          content: isText ? asText : content.toString('base64'),
          encoding: isText ? ('utf-8' as const) : ('base64' as const),
          content_type: entry.content_type,
          size: content.length,
          etag: entry.etag,
        };
      },
    }),

    declare(groupware, {
      name: 'nc_webdav_write_file',
      title: 'Write File',
      description:
        'Writes a file, and replaces one that is there. Writing the same content again changes nothing. Text is written as it is; content of another type is base64 with ;base64 after the type.',
      input: z.object({
        path: filePath,
        content: z.string().max(MOST_TEXT).describe('The whole content'),
        content_type: maybe(text(200)).describe(
          'MIME type; with ;base64 after it the content is decoded: image/png;base64',
        ),
      }),
      output: FileOut,
      effect: puts('file', ownAccount),
      scopes: WRITE,
      run: async (input, { files }) => {
        const [type, ...options] = (input.content_type ?? '').split(';').map((part) => part.trim());
        const encoding = options.includes('base64') ? 'base64' : 'utf8';
        if (type && !MIME_TYPE.test(type)) {
          throw invalid('/content_type', 'The type is not a MIME type: text/markdown');
        }
        if (encoding === 'base64' && !BASE64.test(input.content)) {
          throw invalid('/content', 'The content is not base64. Nothing was written.');
        }
        return files.write(input.path, Buffer.from(input.content, encoding), type || undefined);
      },
    }),

    declare(groupware, {
      name: 'nc_webdav_create_directory',
      title: 'Create Directory',
      description: 'Creates a directory. One that exists counts as created.',
      input: z.object({ path: filePath }),
      output: z.object({ path: z.string(), created: z.boolean().describe('Whether it is new') }),
      effect: creates('directory', once),
      scopes: WRITE,
      run: async (input, { files }) => ({
        path: input.path,
        created: await files.makeDirectory(input.path),
      }),
    }),

    declare(groupware, {
      name: 'nc_webdav_delete_resource',
      title: 'Delete File or Directory',
      description: 'Deletes a file, or a directory with everything in it.',
      input: z.object({ path: filePath }),
      output: Removed,
      effect: deletes('file', ownAccount),
      scopes: WRITE,
      run: async (input, { files }) => ({ deleted: await files.remove(input.path) }),
    }),

    declare(groupware, {
      name: 'nc_webdav_move_resource',
      title: 'Move or Rename File',
      description: 'Moves or renames a file or a directory.',
      input: transfer,
      output: z.object({ path: z.string() }),
      effect: MOVE,
      scopes: WRITE,
      run: async ({ source_path: source, destination_path: destination, overwrite }, { files }) => {
        await files.move({ source, destination, overwrite });
        return { path: destination };
      },
    }),

    declare(groupware, {
      name: 'nc_webdav_copy_resource',
      title: 'Copy File or Directory',
      description: 'Copies a file, or a directory with everything in it.',
      input: transfer,
      output: z.object({ path: z.string() }),
      effect: COPY,
      scopes: WRITE,
      run: async ({ source_path: source, destination_path: destination, overwrite }, { files }) => {
        await files.copy({ source, destination, overwrite });
        return { path: destination };
      },
    }),
  ];
}
