/** A hint as a tool has it: said to be so, said not to be so, left unsaid, or said in a way that cannot hold. */
import type { Claim } from '../../effect/read-stamp.ts';

export type SaidHint = 'true' | 'false' | 'unsaid' | 'unclear';

export function toSaidHint(claim: Claim<boolean>): SaidHint {
  switch (claim.state) {
    case 'claimed':
      return claim.value ? 'true' : 'false';
    case 'absent':
      return 'unsaid';
    case 'contradictory':
      return 'unclear';
  }
}
