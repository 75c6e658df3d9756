/** Lines that a hostile client may send: valid messages, corrupted in every way that we could think of. */
import type { JsonValue } from '../../src/lib/json-value.ts';
import type { Chance } from './chance.ts';
import { toClientMessage, toOdd } from './client-messages.ts';
import type { Seen } from './client-messages.ts';
import type { Oddity } from './write-json.ts';
import { PLAIN, writeJson } from './write-json.ts';

const HOSTILE: readonly Oddity[] = [
  { escape: 3, twin: 1e9, fold: 1e9, space: 1e9 },
  { escape: 20, twin: 6, fold: 1e9, space: 1e9 },
  { escape: 1e9, twin: 1e9, fold: 6, space: 1e9 },
  { escape: 1e9, twin: 1e9, fold: 1e9, space: 4 },
  { escape: 8, twin: 12, fold: 12, space: 8 },
];

const WIPE = '{"jsonrpc":"2.0","id":666,"method":"tools/call","params":{"name":"wipe_all"}}';

const HUGE = 8 * 1024 * 1024;

export function toClientLine(chance: Chance, seen: Seen): Buffer {
  let message = toClientMessage(chance, seen);
  if (chance.oneIn(4)) message = spoil(message, chance);
  const odd = chance.oneIn(2) ? PLAIN : chance.pick(HOSTILE);
  const text = writeJson(message, odd, chance);
  if (chance.oneIn(20_000)) return Buffer.from(text.replace('{', `{"pad":"${'x'.repeat(HUGE)}",`));
  return chance.oneIn(4) ? spoilText(text, chance) : Buffer.from(text);
}

/** One member somewhere is changed, removed, or joined by odd ones. */
function spoil(message: JsonValue, chance: Chance): JsonValue {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) {
    return toOdd(chance);
  }
  const entries = Object.entries(message);
  if (entries.length === 0) return toOdd(chance);
  const at = chance.below(entries.length);
  const [key, value] = entries[at] ?? ['', null];
  const spoilt = ((): [string, JsonValue][] => {
    switch (chance.below(5)) {
      case 0:
        return entries.toSpliced(at, 1);
      case 1:
        return entries.toSpliced(at, 1, [key, toOdd(chance)]);
      case 2:
        return [...entries, [chance.pick(['__proto__', 'constructor', 'toString']), toOdd(chance)]];
      default:
        return entries.toSpliced(at, 1, [key, spoil(value, chance)]);
    }
  })();
  return Object.fromEntries(spoilt);
}

function spoilText(text: string, chance: Chance): Buffer {
  const bytes = Buffer.from(text);
  const at = chance.below(bytes.length);
  switch (chance.below(12)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      bytes[at] = chance.below(256);
      return bytes;
    case 2:
      return Buffer.from(`[${text},${WIPE}]`);
    case 3:
      return Buffer.from(text + WIPE);
    case 4:
      return Buffer.from(`\uFEFF${text}`);
    case 5:
      return Buffer.concat([bytes.subarray(0, at), Buffer.from([0xc3, 0x28]), bytes.subarray(at)]);
    case 6:
      return Buffer.from(text.replace('{', `{"x":\r${WIPE}\r,`));
    case 7:
      return Buffer.from(text.replace('{', `{"x":[\r\n${WIPE}\r\n],`));
    case 8:
      return Buffer.from(`${text}\r`);
    case 9:
      return Buffer.from(text.replace('{', '/* */{').replace('}', ',}'));
    case 10:
      return Buffer.from(text.replace('"method":', '"method":"ping","method":'));
    default:
      return Buffer.concat([bytes.subarray(0, at), Buffer.from([0]), bytes.subarray(at)]);
  }
}
