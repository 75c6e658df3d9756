/** How much of the context a server's whole list takes, and which tools take most of it. */
import type { ServerSubject } from '../subject.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { quote } from './quote.ts';

export interface ListWeight {
  readonly tokens: number;
  /** The heaviest tools, in words. */
  readonly heaviest: string;
}

const NAMED = 3;

export function weighList({ tools }: ServerSubject): ListWeight {
  const weighed = tools
    .map(({ name, pointer, raw }) => ({
      called: name === '' ? pointer : quote(name),
      tokens: estimateTokens(raw),
    }))
    .toSorted((a, b) => b.tokens - a.tokens);
  return {
    tokens: weighed.reduce((sum, { tokens }) => sum + tokens, 0),
    heaviest: weighed
      .slice(0, NAMED)
      .map(({ called, tokens }) => `${called} (${tokens})`)
      .join(', '),
  };
}
