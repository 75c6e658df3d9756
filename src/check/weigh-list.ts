/** How many tokens of context a server's whole list takes, and which tools take most of it. */
import type { ServerSubject } from './subject.ts';
import { measureJson, memberOf } from './tool-schema.ts';
import { quote } from './tool-texts.ts';

interface ListWeight {
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

/**
 * About how many tokens a tool adds to every prompt: what hosts send to the model, at four characters
 * per token.
 */
const CHARACTERS = 4;
const SHOWN = ['name', 'description', 'inputSchema'];

function estimateTokens(raw: unknown): number {
  const parts = SHOWN.map((key) => memberOf(raw, key)).filter((part) => part !== undefined);
  return Math.ceil(measureJson(parts).characters / CHARACTERS);
}
