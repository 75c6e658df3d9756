/**
 * Geopera: one mechanical table from tier to hints, all four always set, and no exceptions. The tier
 * itself goes into `_meta`, since two tiers can have the same hints. The table is about one effect; what
 * it promises must hold for all that an operation can have.
 */
import type { Effect } from '../effect.ts';
import { staysInside } from '../effect.ts';
import type { Hints } from '../hints.ts';
import type { Convention } from '../convention.ts';
import { defineConvention } from '../convention.ts';
import { settles } from '../repeat.ts';
import type { Tier } from '../tier.ts';
import { graverTier } from '../tier.ts';

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

/** The row of the gravest tier, without the promises that another possible effect would break. */
function worstCase(effects: readonly Effect[]): Hints {
  const rows = effects.map(({ tier }) => TABLE[tier]);
  const gravest = TABLE[effects.map(({ tier }) => tier).reduce(graverTier)];
  return Object.freeze({
    ...gravest,
    idempotentHint: gravest.idempotentHint === true && effects.every(hasContract),
    openWorldHint:
      rows.some((one) => one.openWorldHint) || (effects.length > 1 && !effects.every(isInside)),
  });
}

/** What the table calls repeatable is so by its key alone, and what needs no key must change nothing more. */
function hasContract({ tier, repeat }: Effect): boolean {
  return TABLE[tier].idempotentHint === true ? repeat.kind === 'key' : settles(repeat);
}

function isInside({ reach }: Effect): boolean {
  return staysInside(reach);
}

/** Every row of the table has a hint of its own, except that all of `compute` is false. */
function tierOf(hints: Hints): Tier | undefined {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = hints;
  if (destructiveHint === true) return 'destructive';
  if (idempotentHint === true) return 'external_spend';
  if (readOnlyHint === true) return 'read';
  if (readOnlyHint === undefined || openWorldHint === undefined) return undefined;
  return openWorldHint ? 'share_export' : 'compute';
}

export const geopera: Convention = defineConvention({
  name: 'geopera',
  hints: (effect) => TABLE[effect.tier],
  worstCase,
  tierOf,
  titleIn: ['tool'],
  meta: ['sideEffect', 'requiredScope', 'produces'],
  listsOutputSchema: true,
  lists: 'all',
  exceptions: [],
});
