/** Which reaches end within what the server or its caller owns. */
import type { Reach } from './effect.ts';

const INSIDE: ReadonlySet<Reach> = new Set(['none', 'own-store', 'own-account']);

export function staysInside(reach: Reach): boolean {
  return INSIDE.has(reach);
}
