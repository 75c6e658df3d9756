/** Nextcloud's note tools, the ones that the seed's examples are about. */
import type { Declaration } from 'plimsoll';
import { appends, creates, deletes, reads, updates } from 'plimsoll';
import { declare } from '../golden.ts';
import { ownAccount } from './own-account.ts';

const READ = ['notes:read'];
const WRITE = ['notes:write'];

export const notes: readonly Declaration[] = [
  declare('nc_notes_create_note', 'Create Note', creates('note', ownAccount), WRITE),
  declare(
    'nc_notes_update_note',
    'Update Note',
    updates('note', { ...ownAccount, repeat: 'version-required' }),
    WRITE,
  ),
  declare('nc_notes_append_content', 'Append to Note', appends('note', ownAccount), WRITE),
  declare('nc_notes_search_notes', 'Search Notes', reads('note', ownAccount), READ),
  declare('nc_notes_get_note', 'Get Note', reads('note', ownAccount), READ),
  declare('nc_notes_get_attachment', 'Get Note Attachment', reads('attachment', ownAccount), READ),
  declare('nc_notes_delete_note', 'Delete Note', deletes('note', ownAccount), WRITE),
];
