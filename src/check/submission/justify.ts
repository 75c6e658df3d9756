/** Why a hint has its value, in sentences for a reviewer, derived from what a tool does. */
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
  put: 'replaces the old content with new content',
  set: 'sets a state',
  move: 'moves something to another place',
  archive: 'archives something',
  delete: 'deletes something',
  revoke: 'revokes a right or a credential',
  cancel: 'cancels something',
  spend: 'spends money or credits',
  refund: 'refunds money',
  share: 'shares data outside',
  deliver: 'sends something to others',
  provision: 'sets something up',
};

const REACHES: Readonly<Record<Reach, string>> = {
  none: 'It reaches nothing outside its own process.',
  'own-store': "It reaches only the server's own data.",
  'own-account': 'It stays within the connected account.',
  'vendor-data': "It reads a vendor's data, which the account does not limit.",
  'third-party': 'It reaches people or systems outside the account.',
  'user-url': 'It reaches whatever address the caller names.',
};

export function justify(effect: Effect): Readonly<Record<JustifiedHint, Justification>> {
  const all = possibleEffects(effect);
  const gravest = gravestEffect(effect);
  const readsOnly = all.every(({ tier }) => TIERS[tier].readsOnly);
  const outside = all.find(({ reach }) => !staysInside(reach));
  const varies = effect.varies.length > 0 ? ' This is the worst case of its arguments.' : '';
  const does = DOES[gravest.act];
  return {
    readOnlyHint: {
      value: readsOnly,
      because: readsOnly
        ? `It ${does} and changes nothing.`
        : `It ${does}, so a call changes something.${varies}`,
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
    const because = `It ${DOES[removing.act]}, and what it removes is lost.${varies}`;
    return { value: true, because };
  }
  const overwriting = all.find(({ overwrites }) => overwrites);
  if (overwriting !== undefined)
    return { value: true, because: `It overwrites earlier content, which is then lost.${varies}` };
  const final = all.find(({ tier, reversible }) => !TIERS[tier].readsOnly && !reversible);
  if (final !== undefined)
    return {
      value: true,
      because: `It ${DOES[final.act]}, and that cannot be undone.${varies}`,
    };
  const changes = all.some((effect) => changeOf(effect) !== 'nothing');
  return {
    value: false,
    because: changes
      ? 'It removes and overwrites nothing, and what it does can be undone.'
      : 'It changes nothing, so nothing can be lost.',
  };
}
