/**
 * The arguments of a call as people are shown them: one entry for each leaf of the JSON text, every
 * character visible. Shows data only; what it means is for the reader to say.
 */
import { createHash } from 'node:crypto';
import type { JsonValue } from '../../lib/json-value.ts';
import { parseStrictJson } from '../../lib/strict-json.ts';
import { mixedScripts, showText } from './show-text.ts';

export interface ArgumentLine {
  /** A JSON pointer, made visible. */
  readonly pointer: string;
  /** JSON, made visible; of a long text its beginning. */
  readonly value: string;
  readonly cut?: Cut;
}

/** What is said of a text that is too long to be shown whole. */
interface Cut {
  readonly tail: string;
  readonly omittedBytes: number;
  /** Hex, over the whole text in UTF-8. */
  readonly sha256: string;
}

interface ArgumentView {
  readonly lines: readonly ArgumentLine[];
  /** The words that mix alphabets, keys and values alike. */
  readonly mixed: readonly string[];
  /** The text can be read in more than one way, or not at all, and is shown as it is. */
  readonly unreadable: boolean;
}

const MOST_BYTES = 4096;
const END_LENGTH = 1024;

/** Whoever pays must see all of what is paid, and to whom: fields with such words are never cut. */
const MONEY: ReadonlySet<string> = new Set(
  `account amount balance beneficiary budget charge cost credit credits currency debit fee fees iban
  invoice money pay payee payer payment price prices quantity qty recipient recipients refund
  spend sum to total transfer wallet`.split(/\s+/),
);

/** `text` is the exact JSON text of the arguments, or empty when the call has none. */
export function toArgumentLines(text: string): ArgumentView {
  if (text === '') return { lines: [], mixed: [], unreadable: false };
  const parsed = parseStrictJson(text, { unsafeNumbers: 'keep' });
  if (parsed.kind === 'refused') {
    const whole = toLine({ pointer: '', text, shown: showText(text) });
    return { lines: [whole], mixed: mixedScripts(text), unreadable: true };
  }
  const leaves = [...leavesOf(parsed.value, '')];
  const mixed = leaves.flatMap(({ pointer, value }) => [
    ...mixedScripts(pointer),
    ...(typeof value === 'string' ? mixedScripts(value) : []),
  ]);
  return { lines: leaves.map(toLeafLine), mixed: [...new Set(mixed)], unreadable: false };
}

interface Leaf {
  readonly pointer: string;
  readonly value: JsonValue;
}

/** Recursion is safe: strict JSON has a bounded depth. */
function* leavesOf(value: JsonValue, pointer: string): Generator<Leaf> {
  const members = value !== null && typeof value === 'object' ? Object.entries(value) : [];
  if (members.length === 0) yield { pointer, value };
  for (const [key, member] of members) {
    const escaped = key.replaceAll('~', '~0').replaceAll('/', '~1');
    yield* leavesOf(member, `${pointer}/${escaped}`);
  }
}

function toLeafLine({ pointer, value }: Leaf): ArgumentLine {
  if (typeof value !== 'string') return { pointer: showText(pointer), value: toShownJson(value) };
  return toLine({ pointer, text: value, shown: toShownJson(value) });
}

interface Text {
  readonly pointer: string;
  readonly text: string;
  /** The whole of it, made visible. */
  readonly shown: string;
}

function toLine({ pointer, text, shown }: Text): ArgumentLine {
  const bytes = Buffer.byteLength(text);
  if (bytes <= MOST_BYTES || isMoney(pointer)) return { pointer: showText(pointer), value: shown };
  const head = text.slice(0, splitAt(text, END_LENGTH));
  const tail = text.slice(splitAt(text, text.length - END_LENGTH));
  return {
    pointer: showText(pointer),
    value: toShownJson(head),
    cut: {
      tail: toShownJson(tail),
      omittedBytes: bytes - Buffer.byteLength(head) - Buffer.byteLength(tail),
      sha256: createHash('sha256').update(text).digest('hex'),
    },
  };
}

function isMoney(pointer: string): boolean {
  const words = pointer.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return words.split(/[^a-z]+/).some((word) => MONEY.has(word));
}

function toShownJson(value: JsonValue): string {
  return showText(JSON.stringify(value));
}

/** One further when a surrogate pair would be torn. */
function splitAt(text: string, at: number): number {
  const isPair = (text.codePointAt(at - 1) ?? 0) > 0xffff;
  return isPair ? at + 1 : at;
}
