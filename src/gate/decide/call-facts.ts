/** What a verdict is made from: one call, its caller and what its tool was read to do. All of it data. */
import type { Effect, Mode } from '../../effect/effect.ts';
import type { Principal } from '../../effect/operation.ts';
import type { Reason } from '../../effect/reading/reason.ts';
import type { JsonValue } from '../../lib/json-value.ts';

export interface CallFacts {
  readonly server: string;
  readonly trusted: boolean;
  readonly tool: string;
  /** Of these arguments, not of the worst case. */
  readonly effect: Effect;
  /** How sure the effect is, from 0 to 1, and why it was read so. */
  readonly confidence: number;
  readonly reasons: readonly Reason[];
  readonly principal: Principal;
  readonly mode: Mode;
  readonly arguments: Readonly<Record<string, JsonValue>>;
  /** The definition got riskier than the one a person accepted. */
  readonly quarantined: boolean;
  /** An equal call that costs was made a short while ago. */
  readonly repeated: boolean;
}
