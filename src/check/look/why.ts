/** Why a tool was read as it was, in words that can stand in a finding: what decided, and one more. */
import type { Reading } from '../../effect/reading/read-tool.ts';
import { showText } from '../../gate/approve/show-text.ts';

const MOST = 2;

export function why({ effect, reasons }: Reading): string {
  const [first, ...rest] = reasons;
  // What speaks for a mere look is no reason for anything else.
  const agreeing = effect.act === 'read' ? rest : rest.filter(({ text }) => !/\bread$/.test(text));
  const texts = new Set([...(first === undefined ? [] : [first]), ...agreeing].map((r) => r.text));
  return showText([...texts].slice(0, MOST).join('; '));
}
