/** Where a client may see something else through the gate than without it, and why. */
import type { Accepted } from './compare.ts';

export const ACCEPTED: readonly Accepted[] = [];
