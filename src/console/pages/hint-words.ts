/** What a tool says of itself by its hints, in words. What it does not say is not put into its mouth. */
import type { HintName } from '../../effect/hints.ts';
import { HINT_NAMES } from '../../effect/hints.ts';
import type { SaidHint } from '../data/said-hint.ts';

const WORDS: Readonly<Record<HintName, Readonly<Record<'true' | 'false', string>>>> = {
  readOnlyHint: { true: 'read-only', false: 'not read-only' },
  destructiveHint: { true: 'destructive', false: 'not destructive' },
  idempotentHint: { true: 'idempotent', false: 'not idempotent' },
  openWorldHint: { true: 'open world', false: 'closed world' },
};

export function hintWord(name: HintName, said: SaidHint): string {
  if (said === 'unsaid') return `${name} unsaid`;
  return said === 'unclear' ? `${name} unclear` : WORDS[name][said];
}

/** Empty when the tool says nothing. */
export function hintWords(hints: Readonly<Record<HintName, SaidHint>>): string {
  return HINT_NAMES.filter((name) => hints[name] !== 'unsaid')
    .map((name) => hintWord(name, hints[name]))
    .join(', ');
}
