/** Edits of a text by position, and the ways to edit JSON with comments that leave the rest as it stands. */
import type { JsoncArray, JsoncItem, JsoncMember, JsoncNode, JsoncObject } from './jsonc.ts';

export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Edits may touch, but not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let edited = '';
  let at = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    edited += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return edited + text.slice(at);
}

export function replaceValue({ start, end }: JsoncNode, value: unknown): TextEdit {
  return { start, end, text: JSON.stringify(value) };
}

/** A member in the place of another, or several, each laid out as members of the object are. */
export function replaceMember(
  text: string,
  object: JsoncObject,
  { keyStart, value }: JsoncMember,
  members: readonly (readonly [string, unknown])[],
): TextEdit {
  return { start: keyStart, end: value.end, text: toMembers(text, object, members) };
}

export function insertAfter(
  text: string,
  object: JsoncObject,
  { value }: JsoncMember,
  members: readonly (readonly [string, unknown])[],
): TextEdit {
  const inserted = `,${gapOf(text, object)}${toMembers(text, object, members)}`;
  return { start: value.end, end: value.end, text: inserted };
}

/** Puts items before those of an array, each on its line if that is how the array is written. */
export function prependItems(text: string, array: JsoncArray, items: readonly string[]): TextEdit {
  const [first] = array.items;
  const start = first?.value.start ?? array.start + 1;
  const gap = first === undefined ? ' ' : gapOf(text, array);
  const joined = items.map((item) => JSON.stringify(item)).join(`,${gap}`);
  return { start, end: start, text: first === undefined ? joined : `${joined},${gap}` };
}

/** Takes away the first items of an array. */
export function dropItems(array: JsoncArray, count: number): TextEdit {
  const start = array.items[0]?.value.start ?? array.start + 1;
  const next = array.items[count];
  const last = array.items[count - 1];
  const end = next?.value.start ?? (last === undefined ? start : behind(last));
  return { start, end, text: '' };
}

/** Takes a member away with its comma and, if nothing else stands there, its line. */
export function removeMember(text: string, object: JsoncObject, member: JsoncMember): TextEdit[] {
  const { keyStart, comma } = member;
  const previous = object.members[object.members.indexOf(member) - 1];
  const end = behind(member);
  const edits: TextEdit[] = [];
  if (comma === undefined && previous?.comma !== undefined)
    edits.push({ start: previous.comma, end: previous.comma + 1, text: '' });
  const [lead = ''] = /[ \t]*$/.exec(text.slice(0, keyStart)) ?? [];
  const [tail = ''] = /^[ \t]*/.exec(text.slice(end)) ?? [];
  const [line = ''] = /(?:\r\n|\r|\n)$/.exec(text.slice(0, keyStart - lead.length)) ?? [];
  // A line end goes only with its whole line: before it there may be a comment that it closes.
  const isWholeLine = line !== '' && /^(?:[\r\n]|$)/.test(text.slice(end + tail.length));
  if (isWholeLine)
    edits.push({ start: keyStart - lead.length - line.length, end: end + tail.length, text: '' });
  else if (comma === undefined) edits.push({ start: keyStart - lead.length, end, text: '' });
  else edits.push({ start: keyStart, end: end + tail.length, text: '' });
  return edits;
}

function behind({ comma, value }: JsoncItem): number {
  return comma === undefined ? value.end : comma + 1;
}

function toMembers(
  text: string,
  object: JsoncObject,
  members: readonly (readonly [string, unknown])[],
): string {
  return members
    .map(([key, value]) => `${JSON.stringify(key)}: ${toInline(value)}`)
    .join(`,${gapOf(text, object)}`);
}

/** On one line with spaces, as people write short lists. */
function toInline(value: unknown): string {
  if (!Array.isArray(value)) return JSON.stringify(value);
  return `[${value.map((item) => JSON.stringify(item)).join(', ')}]`;
}

/** What stands between two parts of an object or array: a line end and the indentation, or a space. */
function gapOf(text: string, { start, ...node }: JsoncObject | JsoncArray): string {
  const first = node.kind === 'object' ? node.members[0]?.keyStart : node.items[0]?.value.start;
  const lead = text.slice(start + 1, first ?? start + 1);
  return /(?:\r\n|\r|\n)[ \t]*$/.exec(lead)?.[0] ?? ' ';
}
