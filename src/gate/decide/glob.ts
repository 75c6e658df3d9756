/** Patterns of names, in which `*` stands for any run of characters and nothing else is special. */

export type Glob = (text: string) => boolean;

export function toGlob(pattern: string): Glob {
  const [head = '', ...rest] = pattern.split('*');
  const tail = rest.pop();
  if (tail === undefined) return (text) => text === pattern;
  return (text) => matches(text, head, rest, tail);
}

/** Taking each part where it first occurs is enough, so that no name can make the match slow. */
function matches(text: string, head: string, middle: readonly string[], tail: string): boolean {
  if (text.length < head.length + tail.length) return false;
  if (!text.startsWith(head) || !text.endsWith(tail)) return false;
  const end = text.length - tail.length;
  let from = head.length;
  for (const part of middle) {
    const at = text.indexOf(part, from);
    if (at === -1 || at + part.length > end) return false;
    from = at + part.length;
  }
  return true;
}
