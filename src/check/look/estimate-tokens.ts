/** About how many tokens a tool takes of every prompt: what hosts give the model of it, four characters a token. */
import { measureJson } from './measure-json.ts';
import { memberOf } from './member-of.ts';

const CHARACTERS = 4;
const SHOWN = ['name', 'description', 'inputSchema'];

export function estimateTokens(raw: unknown): number {
  const parts = SHOWN.map((key) => memberOf(raw, key)).filter((part) => part !== undefined);
  return Math.ceil(measureJson(parts).characters / CHARACTERS);
}
