/** Nextcloud's file tools. Moving and copying replace an existing target only when told to. */
import type { Declaration } from 'plimsoll';
import { creates, deletes, moves, puts, reads, varies, when } from 'plimsoll';
import { declare } from '../golden.ts';
import { ownAccount } from './own-account.ts';

const READ = ['files:read'];
const WRITE = ['files:write'];

/** The second call finds the target there, or the source gone, and changes nothing. */
const once = { ...ownAccount, repeat: 'end-state' } as const;

const move = varies(moves('file', once), {
  when: when('overwrite', true),
  effect: moves('file', { ...once, overwrites: true, reversible: false }),
});

const copy = varies(creates('file', once), {
  when: when('overwrite', true),
  effect: puts('file', ownAccount),
});

export const webdav: readonly Declaration[] = [
  declare(
    'nc_webdav_list_directory',
    'List Files and Directories',
    reads('directory', ownAccount),
    READ,
  ),
  declare('nc_webdav_read_file', 'Read File', reads('file', ownAccount), READ),
  declare('nc_webdav_write_file', 'Write File', puts('file', ownAccount), WRITE),
  declare('nc_webdav_create_directory', 'Create Directory', creates('directory', once), WRITE),
  declare(
    'nc_webdav_delete_resource',
    'Delete File or Directory',
    deletes('file', ownAccount),
    WRITE,
  ),
  declare('nc_webdav_move_resource', 'Move or Rename File', move, WRITE),
  declare('nc_webdav_copy_resource', 'Copy File or Directory', copy, WRITE),
  declare('nc_webdav_search_files', 'Search Files', reads('file', ownAccount), READ),
  declare('nc_webdav_find_by_name', 'Find Files by Name', reads('file', ownAccount), READ),
  declare('nc_webdav_find_by_type', 'Find Files by Type', reads('file', ownAccount), READ),
  declare('nc_webdav_list_favorites', 'List Favorite Files', reads('file', ownAccount), READ),
];
