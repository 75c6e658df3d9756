/** Writes JSON in odd ways: unnecessary escapes, duplicate keys, other cases, stray bytes. */
import type { JsonValue } from '../../src/lib/json-value.ts';
import type { Chance } from './chance.ts';

/** The odds of each oddity at each place: one in this many. */
export interface Oddity {
  readonly escape: number;
  readonly twin: number;
  readonly fold: number;
  readonly space: number;
}

export const PLAIN: Oddity = { escape: 1e9, twin: 1e9, fold: 1e9, space: 1e9 };

const SPACES = [' ', '\t', '\r', '  ', '\n'];

export function writeJson(value: JsonValue, odd: Oddity, chance: Chance): string {
  if (odd === PLAIN) return JSON.stringify(value);
  if (typeof value === 'string') return writeText(value, odd, chance);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const space = (): string => (chance.oneIn(odd.space) ? chance.pick(SPACES) : '');
  if (Array.isArray(value)) {
    const items = (value as readonly JsonValue[]).map((each) => writeJson(each, odd, chance));
    return `[${space()}${items.join(',')}]`;
  }
  const members: string[] = [];
  for (const [key, member] of Object.entries(value)) {
    const one = `${writeText(key, odd, chance)}${space()}:${space()}${writeJson(member, odd, chance)}`;
    members.push(one);
    if (chance.oneIn(odd.fold)) members.push(twinOf(otherCase(key, chance), key, odd, chance));
    if (chance.oneIn(odd.twin)) members.push(twinOf(key, key, odd, chance));
  }
  if (members.length > 1 && chance.oneIn(odd.twin)) members.reverse();
  return `{${members.join(`,${space()}`)}${space()}}`;
}

/** A second member of (almost) the same name, with something worth hiding in it. */
function twinOf(name: string, key: string, odd: Oddity, chance: Chance): string {
  return `${writeText(name, odd, chance)}:${JSON.stringify(toHidden(key, chance))}`;
}

function toHidden(key: string, chance: Chance): JsonValue {
  switch (key) {
    case 'method':
      return chance.pick(['tools/call', 'ping', 'notifications/x']);
    case 'name':
      return chance.pick(['wipe_all', 'get_note', 'get_secret']);
    case 'params':
      return { name: chance.pick(['wipe_all', 'get_note']), arguments: {} };
    case 'id':
      return chance.pick([1, 'x', null]);
    default:
      return chance.pick([null, 1, 'x', {}]);
  }
}

function writeText(text: string, odd: Oddity, chance: Chance): string {
  const plain = JSON.stringify(text);
  if (!chance.oneIn(odd.escape) || text.length > 200) return plain;
  let written = '';
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    written += chance.oneIn(2)
      ? `\\u${unit.toString(16).padStart(4, '0')}`
      : JSON.stringify(text.charAt(at)).slice(1, -1);
  }
  return `"${written}"`;
}

function otherCase(key: string, chance: Chance): string {
  return chance.pick([
    key.toUpperCase(),
    key.charAt(0).toUpperCase() + key.slice(1),
    // Letters that fold to plain ones in some languages.
    key.replace('s', '\u017f').replace('k', '\u212a'),
    `${key}\u0000`,
  ]);
}
