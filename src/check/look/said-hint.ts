/** What a tool says of itself in a hint: the boolean on the wire, also where other claims speak against it. */
import type { HintName } from '../../effect/hints.ts';
import type { ToolSubject } from '../subject.ts';

export function saidHint({ stamp }: ToolSubject, name: HintName): boolean | undefined {
  const claim = stamp.hints[name];
  if (claim.state === 'claimed') return claim.value;
  if (claim.state === 'contradictory' && typeof claim.said === 'boolean') return claim.said;
  return undefined;
}
