/**
 * The Nextcloud tools whose hints are not those of their kind. What Nextcloud says of one tool goes
 * before what it says of the tool's kind.
 */
import type { HouseException } from '../house.ts';

const setButNotRepeatable = (operation: string, what: string): HouseException => ({
  operation,
  hints: { idempotentHint: false },
  reason: `Nextcloud declares ${what} not repeatable, although it calls set operations repeatable.`,
});

export const nextcloudExceptions: readonly HouseException[] = Object.freeze([
  {
    operation: 'nc_semantic_search_answer',
    hints: { openWorldHint: false },
    reason:
      'Nextcloud still declares the generated answer closed world, although it decided that semantic search is open world.',
  },
  {
    operation: 'nc_webdav_create_directory',
    hints: { idempotentHint: true },
    reason:
      'Nextcloud declares it repeatable, unlike other creates: a directory that is there already counts as made.',
  },
  {
    operation: 'nc_calendar_manage_calendar',
    hints: { destructiveHint: 'omit' },
    reason:
      'Nextcloud does not mark the tool destructive, although one of its actions deletes a calendar.',
  },
  {
    operation: 'nc_calendar_bulk_operations',
    hints: { destructiveHint: 'omit' },
    reason:
      'Nextcloud does not mark the tool destructive, although one of its operations deletes events.',
  },
  {
    operation: 'deck_unassign_user_from_card',
    hints: { destructiveHint: 'omit', idempotentHint: false },
    reason:
      'Nextcloud declares taking a user off a card a plain change that is not repeatable, as it does assigning one.',
  },
  setButNotRepeatable('deck_unarchive_card', 'bringing back a card'),
  setButNotRepeatable('deck_assign_label_to_card', 'assigning a label'),
  setButNotRepeatable('deck_remove_label_from_card', 'removing a label'),
  setButNotRepeatable('deck_assign_user_to_card', 'assigning a user'),
  setButNotRepeatable('nc_cookbook_set_config', 'setting the configuration'),
] satisfies HouseException[]);
