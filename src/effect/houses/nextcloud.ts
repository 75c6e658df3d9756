/**
 * Nextcloud: hints by kind of act. Reads and deletes say what they are, everything else only
 * whether a repeat is harmless. The backend is outside the MCP process, so every call is open world.
 */
import type { Act } from '../act.ts';
import type { Effect } from '../effect.ts';
import { changeOf } from '../effect.ts';
import type { Hints } from '../hints.ts';
import type { House } from '../house.ts';
import { defineHouse } from '../house.ts';
import { settles } from '../repeat.ts';
import { nextcloudExceptions } from './nextcloud-exceptions.ts';

/** Acts that this house never calls repeatable: their second call is judged by its result. */
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

export const nextcloud: House = defineHouse({
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
