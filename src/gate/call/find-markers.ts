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
  const waiting: { readonly pointer: string; readonly value: JsonValue }[] = [
    { pointer: '', value: args },
  ];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { pointer, value } = next;
    if (typeof value === 'string' && isMarker(value)) found.push(pointer);
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, part] of Object.entries(value).toReversed()) {
      waiting.push({ pointer: `${pointer}/${escape(name)}`, value: part });
    }
  }
  return Object.freeze(found);
}

/** Ours mean nothing else, so they count inside a longer text too. */
function isMarker(text: string): boolean {
  return text.includes(SECRET_MARK) || NAMED_MARK.test(text) || THEIRS.test(text.trim());
}

function escape(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
