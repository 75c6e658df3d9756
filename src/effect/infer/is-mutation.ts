/** Whether a text of GraphQL changes something. */

/** Where braces and words mean nothing. A comma is a space. */
const IGNORED = /"""(?:\\"""|[\s\S])*?"""|"(?:[^"\\\n\r]|\\.)*"|#[^\n\r]*|[,\uFEFF]/g;

/** A document with an operation that changes something. */
export function isMutation(text: string): boolean {
  if (!text.includes('mutation')) return false;
  return text
    .replaceAll(IGNORED, ' ')
    .split('{')
    .slice(0, -1)
    .some((part) => /(?:^|\s)mutation\b/.test(part.slice(part.lastIndexOf('}') + 1)));
}
