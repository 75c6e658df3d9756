/** What becomes of a call, in a word. */
import type { Verdict } from '../../gate/decide/verdict.ts';

export const VERDICT_WORDS: Readonly<Record<Verdict['kind'], string>> = Object.freeze({
  allow: 'runs',
  ask: 'asks',
  deny: 'refused',
});
