/** Nextcloud's kanban tools: boards, stacks, cards, labels and who is assigned to what. */
import type { Declaration } from 'plimsoll';
import { archives, creates, deletes, moves, reads, sets, updates } from 'plimsoll';
import { declare } from '../golden.ts';
import { ownAccount } from './own-account.ts';

const READ = ['deck:read'];
const WRITE = ['deck:write'];

/** The second call is refused or finds nothing to do, and the card stays as it is. */
const once = { ...ownAccount, repeat: 'end-state' } as const;

export const deck: readonly Declaration[] = [
  declare('deck_get_boards', 'List Deck Boards', reads('board', ownAccount), READ),
  declare('deck_get_board', 'Get Deck Board', reads('board', ownAccount), READ),
  declare('deck_get_stacks', 'List Deck Stacks', reads('stack', ownAccount), READ),
  declare('deck_get_stack', 'Get Deck Stack', reads('stack', ownAccount), READ),
  declare('deck_get_cards', 'List Deck Cards', reads('card', ownAccount), READ),
  declare('deck_get_card', 'Get Deck Card', reads('card', ownAccount), READ),
  declare('deck_get_labels', 'List Deck Labels', reads('label', ownAccount), READ),
  declare('deck_get_label', 'Get Deck Label', reads('label', ownAccount), READ),
  declare('deck_create_board', 'Create Deck Board', creates('board', ownAccount), WRITE),
  declare('deck_create_stack', 'Create Deck Stack', creates('stack', ownAccount), WRITE),
  declare('deck_update_stack', 'Update Deck Stack', updates('stack', ownAccount), WRITE),
  declare('deck_delete_stack', 'Delete Deck Stack', deletes('stack', ownAccount), WRITE),
  declare('deck_create_card', 'Create Deck Card', creates('card', ownAccount), WRITE),
  declare('deck_update_card', 'Update Deck Card', updates('card', ownAccount), WRITE),
  declare('deck_delete_card', 'Delete Deck Card', deletes('card', ownAccount), WRITE),
  declare('deck_archive_card', 'Archive Deck Card', archives('card', ownAccount), WRITE),
  declare('deck_unarchive_card', 'Unarchive Deck Card', sets('card', ownAccount), WRITE),
  declare('deck_reorder_card', 'Reorder/Move Deck Card', moves('card', once), WRITE),
  declare('deck_create_label', 'Create Deck Label', creates('label', ownAccount), WRITE),
  declare('deck_update_label', 'Update Deck Label', updates('label', ownAccount), WRITE),
  declare('deck_delete_label', 'Delete Deck Label', deletes('label', ownAccount), WRITE),
  declare(
    'deck_assign_label_to_card',
    'Assign Label to Deck Card',
    sets('card label', once),
    WRITE,
  ),
  declare(
    'deck_remove_label_from_card',
    'Remove Label from Deck Card',
    sets('card label', once),
    WRITE,
  ),
  declare(
    'deck_assign_user_to_card',
    'Assign User to Deck Card',
    sets('card assignee', once),
    WRITE,
  ),
  declare(
    'deck_unassign_user_from_card',
    'Unassign User from Deck Card',
    deletes('card assignee', { ...once, reversible: true }),
    WRITE,
  ),
];
