/**
 * The arguments of a call as people are shown them: one entry for each leaf of the JSON text, whole and
 * with every character visible. Shows data only; what it means is for the reader to say.
 */
import type { JsonValue } from '../../lib/json-value.ts';
import { parseStrictJson } from '../../lib/strict-json.ts';
import { DEPTH_LIMIT, MESSAGE_LIMIT } from '../protocol/read-frame.ts';
import { findLookAlikes } from './look-alikes.ts';
import { showText } from './show-text.ts';

export interface ArgumentLine {
  /** A JSON pointer, made visible. */
  readonly pointer: string;
  /** JSON, made visible. */
  readonly value: string;
}

interface ArgumentView {
  readonly lines: readonly ArgumentLine[];
  /** What is said of words that pass for others, in keys and values alike. */
  readonly warnings: readonly string[];
  /** The text can be read in more than one way, or not at all, and is shown as it is. */
  readonly unreadable: boolean;
}

/** Whatever the wire accepts can be taken apart. */
const LIMITS = { bytes: MESSAGE_LIMIT, depth: DEPTH_LIMIT, unsafeNumbers: 'keep' } as const;

/** `text` is the exact JSON text of the arguments, or empty when the call has none. */
export function toArgumentLines(text: string): ArgumentView {
  if (text === '') return { lines: [], warnings: [], unreadable: false };
  const parsed = parseStrictJson(text, LIMITS);
  if (parsed.kind === 'refused') {
    const whole = { pointer: '', value: showText(text) };
    return { lines: [whole], warnings: warningsOf(text), unreadable: true };
  }
  const leaves = [...leavesOf(parsed.value, '')];
  const warnings = leaves.flatMap(({ pointer, value }) => [
    ...warningsOf(pointer),
    ...(typeof value === 'string' ? warningsOf(value) : []),
  ]);
  return { lines: leaves.map(toLine), warnings: [...new Set(warnings)], unreadable: false };
}

/** In characters, with what stands around them. */
export function sizeOfLines(lines: readonly ArgumentLine[]): number {
  return lines.reduce((sum, { pointer, value }) => sum + pointer.length + value.length + 8, 0);
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

function toLine({ pointer, value }: Leaf): ArgumentLine {
  return { pointer: showText(pointer), value: showText(JSON.stringify(value)) };
}

function warningsOf(text: string): readonly string[] {
  return findLookAlikes(text).map(({ warning }) => warning);
}
