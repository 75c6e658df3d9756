/**
 * The last filter before a text is logged or shown: puts `[secret]` in place of every secret token,
 * plain or in hex, base64, base64url, percent-encoding or JSON escapes. It knows tokens of our own
 * form only, and is no reason to let secrets come this far.
 */
import { findSecretTokens } from './find-secret-tokens.ts';
import { SECRET_MARK } from './secret.ts';
import type { Span } from './span.ts';
import { unescapeText } from './unescape-text.ts';

export function redactSecrets(text: string): string {
  const spans = [...findSecretTokens(text), ...findEscaped(text)];
  if (spans.length === 0) return text;
  let redacted = '';
  let read = 0;
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    // Two ways to read one place can both find the token; it is marked once.
    if (start >= read) redacted += text.slice(read, start) + SECRET_MARK;
    read = Math.max(read, end);
  }
  return redacted + text.slice(read);
}

function findEscaped(text: string): readonly Span[] {
  const unescaped = unescapeText(text);
  if (unescaped === undefined) return [];
  const originOf = (index: number): number => unescaped.origins[index] ?? text.length;
  return findSecretTokens(unescaped.text).map(({ start, end }) => ({
    start: originOf(start),
    end: originOf(end),
  }));
}
