/** How much each channel shows of a call: where not all of it can be shown, nobody can approve it. */
import type { AskChannel } from '../policy/verdict.ts';

const KIB = 1024;

/**
 * Characters of the arguments, made visible. A host's form and a terminal show everything at once, so a long
 * text would push the rest out of sight; the console folds long values and opens them in full.
 */
export const CHANNEL_LIMITS: Readonly<Record<AskChannel, number>> = Object.freeze({
  elicitation: 8 * KIB,
  terminal: 32 * KIB,
  webhook: 256 * KIB,
  console: 1024 * KIB,
});
