/**
 * Finds the key that one object has twice, in a text already known to be JSON. Slow and rarely run:
 * only after counting has shown that there is one.
 */

/** Where the second of two equal keys begins, compared after unescaping. */
export function findDuplicateKey(json: string): number | undefined {
  const scopes: Set<string>[] = [];
  for (let at = 0; at < json.length; at++) {
    const character = json.charAt(at);
    if (character === '{' || character === '[') scopes.push(new Set());
    else if (character === '}' || character === ']') scopes.pop();
    else if (character === '"') {
      const end = endOfString(json, at);
      if (isBeforeColon(json, end)) {
        const key = JSON.parse(json.slice(at, end)) as string; // a string token is JSON itself
        const keys = scopes.at(-1);
        if (keys?.has(key) === true) return at;
        keys?.add(key);
      }
      at = end - 1;
    }
  }
  return undefined;
}

function endOfString(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json.charAt(at) !== '"') at += json.charAt(at) === '\\' ? 2 : 1;
  return at + 1;
}

function isBeforeColon(json: string, from: number): boolean {
  let at = from;
  while (/\s/.test(json.charAt(at))) at++;
  return json.charAt(at) === ':';
}
