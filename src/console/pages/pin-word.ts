/** How a tool stands to what a person accepted, in a few words. */
import type { ToolView } from '../data/list-tools-view.ts';

type PinKind = NonNullable<ToolView['pin']>;

const WORDS: Readonly<Record<PinKind, string>> = {
  same: 'as accepted',
  new: 'not accepted yet',
  safer: 'changed, safer',
  neutral: 'changed, neither safer nor riskier',
  riskier: 'changed, riskier',
  renamed: 'renamed',
};

export function pinWord({ pin, quarantined }: Pick<ToolView, 'pin' | 'quarantined'>): string {
  const word = pin === undefined ? 'none' : WORDS[pin];
  return quarantined ? `${word}; held back` : word;
}
