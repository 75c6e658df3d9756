/** The act that a noun made from a grave verb stands for: a cancellation, a disbursement, a removal. */
import type { Act } from '../act.ts';
import { TIERS } from '../tier.ts';
import { VERBS } from './lexicon.ts';
import { usualTier } from './reason.ts';
import { toStems } from './to-words.ts';

const ENDINGS: readonly (readonly [ending: RegExp, verbs: readonly string[]])[] = [
  [/ment$/, ['']],
  [/ation$/, ['', 'e', 'ate']],
  [/ion$/, ['', 'e']],
  [/al$/, ['', 'e']],
];

const IRREGULAR: ReadonlyMap<string, string> = new Map(
  'revocation:revoke suspension:suspend redemption:redeem remittance:remit disclosure:disclose expulsion:expel seizure:impound'
    .split(' ')
    .map((pair): [string, string] => [pair.split(':')[0] ?? '', pair.split(':')[1] ?? '']),
);

/** A rotation of people, a replacement part: the noun has gone its own way. */
const OWN_WAY = new Set('rotate amend isolate replace consolidate elevate sign train'.split(' '));

export function deedOf(noun: string): Act | undefined {
  for (const stem of stemsOf(noun)) {
    const verb = VERBS.get(stem);
    if (verb?.firm !== true || OWN_WAY.has(stem)) continue;
    if (TIERS[usualTier(verb.act)].asks) return verb.act;
  }
  return undefined;
}

function stemsOf(noun: string): readonly string[] {
  const irregular = IRREGULAR.get(noun);
  if (irregular !== undefined) return [irregular];
  if (noun.endsWith('ing')) return toStems(noun).slice(1);
  return ENDINGS.flatMap(([ending, verbs]) => {
    if (!ending.test(noun)) return [];
    const root = noun.replace(ending, '');
    const single = root.at(-1) === root.at(-2) ? [root.slice(0, -1)] : [];
    return [...verbs.map((verb) => root + verb), ...single];
  });
}
