/**
 * Geopera: one mechanical table from tier to hints, all four always set, and no exceptions. The tier
 * itself goes into `_meta`, since two tiers can have the same hints.
 */
import type { Hints } from '../hints.ts';
import type { Convention } from '../convention.ts';
import { defineConvention } from '../convention.ts';
import type { Tier } from '../tier.ts';

const row = (
  readOnlyHint: boolean,
  destructiveHint: boolean,
  idempotentHint: boolean,
  openWorldHint: boolean,
): Hints => Object.freeze({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint });

/* oxfmt-ignore */
const TABLE: Readonly<Record<Tier, Hints>> = Object.freeze({
  //                  readOnly destructive idempotent openWorld
  read:           row(true,    false,      false,     true),
  compute:        row(false,   false,      false,     false),
  external_spend: row(false,   false,      true,      true),
  share_export:   row(false,   false,      false,     true),
  destructive:    row(false,   true,       false,     false),
});

export const geopera: Convention = defineConvention({
  name: 'geopera',
  hints: (effect) => TABLE[effect.tier],
  worstCase: 'gravest', // a mixture of rows would be a row that the table does not have
  titleIn: ['tool'],
  meta: ['sideEffect', 'requiredScope', 'produces'],
  listsOutputSchema: true,
  lists: 'all',
  exceptions: [],
});
