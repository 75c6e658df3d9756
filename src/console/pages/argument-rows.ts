/**
 * The leaves of arguments as the rows that people read: what belongs together and is short stands in one row,
 * such as the four numbers of a bounding box, and much of one kind is folded. Nothing is left out. Pure.
 */
import type { ArgumentLine } from '../../gate/approvals/card.ts';
import { fromShown } from '../../gate/approvals/show-text.ts';

export type ArgumentRow =
  /** One leaf. */
  | { readonly kind: 'leaf'; readonly pointer: string; readonly value: string }
  /** A text with several lines, as the lines that it has. */
  | { readonly kind: 'text'; readonly pointer: string; readonly text: string }
  /** Short leaves under one pointer, in their order. `isList`: by their numbers from 0 on. */
  | {
      readonly kind: 'group';
      readonly pointer: string;
      readonly isList: boolean;
      readonly members: readonly Member[];
    }
  /** Many rows under one argument. */
  | { readonly kind: 'fold'; readonly pointer: string; readonly rows: readonly ArgumentRow[] };

interface Member {
  readonly key: string;
  readonly value: string;
}

const LONGEST_MEMBER = 40;
const LONGEST_GROUP = 160;
const MOST_ROWS = 8;

export function toArgumentRows(lines: readonly ArgumentLine[]): readonly ArgumentRow[] {
  const rows = runsOf(lines).flatMap(toRows);
  const byArgument = Map.groupBy(rows, ({ pointer }) => pointer.split('/').slice(0, 2).join('/'));
  return [...byArgument].flatMap(([pointer, those]): readonly ArgumentRow[] =>
    those.length > MOST_ROWS && pointer !== '' ? [{ kind: 'fold', pointer, rows: those }] : those,
  );
}

/** Neighbours with the same parent. */
function runsOf(lines: readonly ArgumentLine[]): readonly (readonly ArgumentLine[])[] {
  const runs: ArgumentLine[][] = [];
  for (const line of lines) {
    const run = runs.at(-1);
    const isSame = run?.[0] !== undefined && parentOf(run[0].pointer) === parentOf(line.pointer);
    if (isSame) run?.push(line);
    else runs.push([line]);
  }
  return runs;
}

function toRows(run: readonly ArgumentLine[]): readonly ArgumentRow[] {
  const [first] = run;
  const pointer = first === undefined ? '' : parentOf(first.pointer);
  const length = run.reduce(
    (sum, line) => sum + line.pointer.length - pointer.length + line.value.length,
    0,
  );
  const isShort =
    run.length > 1 &&
    // Each argument has a row of its own; so does what stands beside all arguments.
    pointer.includes('/') &&
    length <= LONGEST_GROUP &&
    run.every(({ value }) => value.length <= LONGEST_MEMBER && toLines(value) === undefined);
  if (!isShort) return run.map(toRow);
  const members = run.map((line) => ({
    key: line.pointer.slice(pointer.length + 1),
    value: line.value,
  }));
  const isList = members.every(({ key }, at) => key === String(at));
  return [{ kind: 'group', pointer, isList, members }];
}

function toRow({ pointer, value }: ArgumentLine): ArgumentRow {
  const text = toLines(value);
  return text === undefined ? { kind: 'leaf', pointer, value } : { kind: 'text', pointer, text };
}

function parentOf(pointer: string): string {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')));
}

/** The text of a value that has several lines; undefined for any other value. */
function toLines(value: string): string | undefined {
  if (!value.startsWith('"') || !value.includes(String.raw`\n`)) return undefined;
  try {
    const text: unknown = JSON.parse(fromShown(value));
    return typeof text === 'string' && text.includes('\n') ? text : undefined;
  } catch {
    return undefined;
  }
}
