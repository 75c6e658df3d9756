/**
 * Finds arguments that hold what stands for a hidden secret. An agent that read a redacted object
 * and writes it back would put the marker where the secret was. For calls that may change something.
 */
import type { JsonValue } from '../../lib/json-value.ts';
import { SECRET_MARK } from '../../lib/secret.ts';

/** Names which secret it stands for. No bracket inside, so that one look at each is enough. */
const NAMED_MARK = /\[secret:[^[\]]{0,128}\]/;

/** Of others, which may well be written about: only as the whole value. */
const THEIRS = /^(\[(redacted|filtered)\]|<redacted>|\*{3}redacted\*{3}|\*{3,}|•{3,})$/i;

/** JSON pointers into the arguments, in the order of the text. */
export function findMarkers(args: JsonValue): readonly string[] {
  const found: string[] = [];
  search(args, [], found);
  return Object.freeze(found);
}

/** Recursion is safe, since what a client sends has a bounded depth; pointers are made for finds only. */
function search(value: JsonValue, path: (string | number)[], found: string[]): void {
  if (typeof value === 'string') {
    if (isMarker(value)) found.push(path.map((name) => `/${escape(String(name))}`).join(''));
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const keys = Array.isArray(value) ? undefined : Object.keys(value);
  const parts: readonly JsonValue[] = Array.isArray(value) ? value : Object.values(value);
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index];
    if (part === undefined || (typeof part !== 'string' && typeof part !== 'object')) continue;
    path.push(keys?.[index] ?? index);
    search(part, path, found);
    path.pop();
  }
}

/** Ours mean nothing else, so they count inside a longer text too. */
function isMarker(text: string): boolean {
  return text.includes(SECRET_MARK) || NAMED_MARK.test(text) || THEIRS.test(text.trim());
}

function escape(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
