/**
 * How a call has ended that got no answer and is not sent again. Once a sending was lost, only an
 * answer can take the doubt away: a later sending that never left says nothing about the first.
 */
import type { Effect } from '../../effect/effect.ts';
import { TIERS } from '../../effect/tier.ts';
import type { Failure } from '../wire/channel.ts';

/**
 * - `not-sent`: nothing happened, and nothing reached the server.
 * - `failed`: the server refused it, or it could change nothing anyway.
 * - `unknown`: it may have happened.
 */
export type End = 'not-sent' | 'failed' | 'unknown';

export function toEnd(effect: Effect, failure: Failure['kind'], inDoubt: boolean): End {
  if (failure === 'not-sent' && !inDoubt) return 'not-sent';
  if (TIERS[effect.tier].looksOnly) return 'failed';
  return inDoubt || failure === 'lost' ? 'unknown' : 'failed';
}
