/** Why a tool was read as it was, in words that can stand in a finding: what decided, and one more. */
import type { Reading } from '../../effect/reading/read-tool.ts';
import { showText } from '../../gate/approve/show-text.ts';

const MOST = 2;

export function why({ reasons }: Reading): string {
  const texts = new Set(reasons.map(({ text }) => text));
  return showText([...texts].slice(0, MOST).join('; '));
}
