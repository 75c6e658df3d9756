/** Why a hint has the value it has, in sentences for a reviewer, drawn from what a tool does. */
import type { Act } from '../../effect/act.ts';
import type { Effect, Reach } from '../../effect/effect.ts';
import { changeOf, gravestEffect, possibleEffects, staysInside } from '../../effect/effect.ts';
import { TIERS } from '../../effect/tier.ts';

export interface Justification {
  /** The value that follows from the effect, for the worst case. */
  readonly value: boolean;
  readonly because: string;
}

export type JustifiedHint = 'readOnlyHint' | 'destructiveHint' | 'openWorldHint';

const DOES: Readonly<Record<Act, string>> = {
  read: 'returns data',
  compute: 'runs work',
  create: 'creates something new',
  append: 'adds to what is there',
  update: 'changes what is there',
  put: 'puts new content in the place of the old',
  set: 'sets a state',
  move: 'moves something to another place',
  archive: 'puts something away',
  delete: 'deletes something',
  revoke: 'takes a right or a credential away',
  cancel: 'calls something off',
  spend: 'spends money or credits',
  refund: 'gives money back',
  share: 'lets data out',
  deliver: 'sends something to others',
  provision: 'sets something up',
};

const REACHES: Readonly<Record<Reach, string>> = {
  none: 'It reaches nothing outside its own process.',
  'own-store': "It reaches only the server's own data.",
  'own-account': 'It stays within the account that was connected.',
  'vendor-data': 'It reads from a supplier whose content the account does not bound.',
  'third-party': 'It reaches people or systems outside the account.',
  'user-url': 'It reaches whatever address the caller names.',
};

export function justify(effect: Effect): Readonly<Record<JustifiedHint, Justification>> {
  const all = possibleEffects(effect);
  const gravest = gravestEffect(effect);
  const readsOnly = all.every(({ tier }) => TIERS[tier].readsOnly);
  const outside = all.find(({ reach }) => !staysInside(reach));
  const varies =
    effect.varies.length > 0 ? ' This is the worst that its arguments can bring about.' : '';
  const does = DOES[gravest.act];
  return {
    readOnlyHint: {
      value: readsOnly,
      because: readsOnly
        ? `It ${does} and changes nothing.`
        : `It ${does}, so a call leaves something changed.${varies}`,
    },
    destructiveHint: justifyDestructive(all, varies),
    openWorldHint: {
      value: outside !== undefined,
      because: REACHES[(outside ?? gravest).reach],
    },
  };
}

function justifyDestructive(all: readonly Effect[], varies: string): Justification {
  const removing = all.find((effect) => changeOf(effect) === 'removes');
  if (removing !== undefined) {
    const because = `It ${DOES[removing.act]}, and what was there is gone.${varies}`;
    return { value: true, because };
  }
  const overwriting = all.find(({ overwrites }) => overwrites);
  if (overwriting !== undefined)
    return { value: true, because: `It replaces earlier content, which is then gone.${varies}` };
  const final = all.find(({ tier, reversible }) => !TIERS[tier].readsOnly && !reversible);
  if (final !== undefined)
    return {
      value: true,
      because: `It ${DOES[final.act]}, and that cannot be taken back.${varies}`,
    };
  const changes = all.some((effect) => changeOf(effect) !== 'nothing');
  return {
    value: false,
    because: changes
      ? 'It removes and overwrites nothing, and what it does can be undone.'
      : 'It changes nothing, so nothing can be lost.',
  };
}
