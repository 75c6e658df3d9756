/** Whether a server says what a tool does, by hints, a tier or an effect, or whether only its words tell. */
import { readStamp } from '../read-stamp.ts';
import { readDeclaredEffect } from './read-declared-effect.ts';

/**
 * Whether it is true is for others to weigh; hints that cancel each other, or are no booleans, say nothing.
 * Nor does a `destructiveHint: true` that the server puts on its writes by habit, with `readOnlyHint: false`
 * beside it or without: that it writes was known.
 */
export function isDeclared(tool: unknown, warnsByHabit: () => boolean = () => false): boolean {
  const { hints, tier } = readStamp(tool);
  if (tier.state === 'claimed' || readDeclaredEffect(tool) !== undefined) return true;
  const { readOnlyHint, destructiveHint } = hints;
  if (destructiveHint.state !== 'claimed') return readOnlyHint.state === 'claimed';
  return !(destructiveHint.value && warnsByHabit());
}
