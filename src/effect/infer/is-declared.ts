/** Whether a server says of a write that it is one, by hints, a tier or an effect; or whether nobody knows but the gate. */
import { readStamp } from '../read-stamp.ts';
import { readDeclaredEffect } from './read-declared-effect.ts';

/** A write that claims to be read-only says nothing true about what it does. */
export function isDeclared(tool: unknown): boolean {
  const { hints, tier } = readStamp(tool);
  if (tier.state === 'claimed' || readDeclaredEffect(tool) !== undefined) return true;
  const { readOnlyHint, destructiveHint } = hints;
  if (readOnlyHint.state === 'claimed') return !readOnlyHint.value;
  return readOnlyHint.state === 'absent' && destructiveHint.state === 'claimed';
}
