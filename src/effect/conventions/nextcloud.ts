/**
 * Nextcloud: hints by kind of act. Reads and deletes are marked as such, everything else only by
 * whether a repeat is harmless. The backend is outside the MCP process, so every call is open world.
 */
import type { Act } from '../act.ts';
import type { Convention, ConventionException } from '../convention.ts';
import { defineConvention } from '../convention.ts';
import type { Effect } from '../effect.ts';
import { changeOf } from '../effect.ts';
import type { Hints } from '../hints.ts';
import { settles } from '../repeat.ts';

/** Acts that this convention never calls repeatable: their second call is judged by its result. */
const JUDGED_BY_RESULT: ReadonlySet<Act> = new Set([
  'create',
  'update',
  'archive',
  'move',
  'provision',
]);

function repeatIsHarmless(effect: Effect): boolean {
  if (JUDGED_BY_RESULT.has(effect.act)) return false;
  return settles(effect.repeat) && effect.repeat.kind !== 'version';
}

/**
 * The Nextcloud tools whose hints differ from those of their kind. What Nextcloud says about one tool
 * takes precedence over what it says about the tool's kind.
 */
const nextcloudExceptions: readonly ConventionException[] = Object.freeze([
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
      'Nextcloud declares it repeatable, unlike other creates: an existing directory counts as created.',
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
  setButNotRepeatable('deck_unarchive_card', 'restoring a card'),
  setButNotRepeatable('deck_assign_label_to_card', 'assigning a label'),
  setButNotRepeatable('deck_remove_label_from_card', 'removing a label'),
  setButNotRepeatable('deck_assign_user_to_card', 'assigning a user'),
  setButNotRepeatable('nc_cookbook_set_config', 'setting the configuration'),
] satisfies ConventionException[]);

export const nextcloud: Convention = defineConvention({
  name: 'nextcloud',
  hints: (effect: Effect): Hints => {
    const openWorldHint = effect.reach !== 'none';
    const change = changeOf(effect);
    if (change === 'nothing') return { readOnlyHint: true, openWorldHint };
    const idempotentHint = repeatIsHarmless(effect);
    if (change === 'removes') return { destructiveHint: true, idempotentHint, openWorldHint };
    if (effect.act === 'provision') return { readOnlyHint: false, idempotentHint, openWorldHint };
    return { idempotentHint, openWorldHint };
  },
  titleIn: ['tool'],
  meta: [],
  listsOutputSchema: true,
  lists: 'permitted',
  exceptions: nextcloudExceptions,
});

function setButNotRepeatable(operation: string, what: string): ConventionException {
  return {
    operation,
    hints: { idempotentHint: false },
    reason: `Nextcloud declares ${what} not repeatable, although it calls set operations repeatable.`,
  };
}
