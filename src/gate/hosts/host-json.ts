/**
 * JSON with comments and trailing commas, as hosts allow it: read with the position of every part, and
 * edited so that comments, order, indentation and line ends outside the edit stay as they are. Pure.
 */
import type { Edit, Node } from 'jsonc-parser';
import { applyEdits, getNodeValue, parseTree, visit } from 'jsonc-parser';
import type { JsonValue } from '../../lib/json-value.ts';
import type { EntryEdit, EntryMember } from './entry-edit.ts';
import type { HostScalar, TextSpan } from './host-text.ts';

export interface HostJson {
  readonly kind: 'json';
  readonly text: string;
  readonly root: Node;
  /** Where commas between members and items are, in order. */
  readonly commas: readonly number[];
}

export interface MalformedJson {
  readonly kind: 'malformed';
  /** Both from 1. */
  readonly line: number;
  readonly column: number;
}

export interface Member {
  readonly key: string;
  readonly keyStart: number;
  readonly keyLength: number;
  readonly value: Node;
}

const OPTIONS = { allowTrailingComma: true };
/** The parser recurses. */
const DEPTH_LIMIT = 200;

/** Never throws. */
export function readHostJson(text: string): HostJson | MalformedJson {
  // A space in its place keeps every position.
  const plain = text.replace(/^\u{feff}/u, ' ');
  const { commas, wrongAt } = survey(plain);
  const root = wrongAt === undefined ? parseTree(plain, [], OPTIONS) : undefined;
  if (root !== undefined) return { kind: 'json', text, root, commas };
  const before = text.slice(0, wrongAt).split(/\r\n|\r|\n/);
  return { kind: 'malformed', line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function survey(text: string): { commas: readonly number[]; wrongAt: number | undefined } {
  const commas: number[] = [];
  let depth = 0;
  let wrongAt: number | undefined;
  const enter = (offset: number): void => {
    depth += 1;
    if (depth <= DEPTH_LIMIT) return;
    wrongAt ??= offset;
    throw new RangeError('too deep'); // the only way to stop the parser
  };
  const exit = (): void => {
    depth -= 1;
  };
  try {
    visit(
      text,
      {
        onObjectBegin: enter,
        onArrayBegin: enter,
        onObjectEnd: exit,
        onArrayEnd: exit,
        onSeparator: (character, offset) => {
          if (character === ',') commas.push(offset);
        },
        onError: (_, offset) => {
          wrongAt ??= offset;
        },
      },
      OPTIONS,
    );
  } catch {
    wrongAt ??= 0;
  }
  return { commas, wrongAt };
}

export function membersOf(node: Node | undefined): readonly Member[] {
  if (node?.type !== 'object') return [];
  return (node.children ?? []).flatMap(({ children: [name, value] = [] }) =>
    name === undefined || value === undefined
      ? []
      : [{ key: String(name.value), keyStart: name.offset, keyLength: name.length, value }],
  );
}

/** The last member of a name, which is the one that hosts use. */
export function memberOf(node: Node | undefined, key: string): Member | undefined {
  return membersOf(node).findLast((member) => member.key === key);
}

export function valueOf(node: Node): JsonValue {
  return getNodeValue(node) as JsonValue; // the text was valid
}

export function textOf(node: Node): string | undefined {
  return node.type === 'string' ? String(node.value) : undefined;
}

export function endOf({ offset, length }: Node): number {
  return offset + length;
}

/** Recursion is safe, since the depth is limited. */
export function scalarsOf(
  node: Node,
  path: readonly string[],
  before?: Node,
): readonly HostScalar[] {
  if (node.type === 'object')
    return membersOf(node).flatMap(({ key, value }) => scalarsOf(value, [...path, key]));
  const { children = [], offset, length } = node;
  if (node.type === 'array')
    return children.flatMap((item, at) => scalarsOf(item, [...path, String(at)], children[at - 1]));
  if (node.type !== 'string' && node.type !== 'number') return [];
  const previous = before && textOf(before);
  const value = String(node.value);
  return [{ path, value, offset, length, ...(previous !== undefined && { before: previous }) }];
}

export function commentsOf(text: string): readonly TextSpan[] {
  const comments: TextSpan[] = [];
  const plain = text.replace(/^\u{feff}/u, ' ');
  visit(plain, { onComment: (offset, length) => comments.push({ offset, length }) }, OPTIONS);
  return comments;
}

function replaceValue({ offset, length }: Node, value: unknown): Edit {
  return { offset, length, content: JSON.stringify(value) };
}

function renameMember({ keyStart, keyLength }: Member, key: string): Edit {
  return { offset: keyStart, length: keyLength, content: JSON.stringify(key) };
}

/** One step after another, each on what the one before it made of the text. */
export function editJsonEntry(text: string, edits: readonly EntryEdit[]): string {
  return edits.reduce((before, edit) => {
    const json = readHostJson(before);
    if (json.kind === 'malformed') throw new Error('an edit of JSON made something else of it');
    const member = memberOf(json.root, edit.key);
    return member === undefined ? before : applyEdits(before, [...toEdits(json, edit, member)]);
  }, text);
}

function toEdits(json: HostJson, edit: EntryEdit, member: Member): readonly Edit[] {
  const { root } = json;
  const { value } = member;
  if (edit.kind === 'set') return [replaceValue(value, edit.value)];
  if (edit.kind === 'remove') return removeMember(json, root, member);
  if (edit.kind === 'replace') return [replaceMember(json, root, member, edit.members)];
  if (edit.kind === 'insert-after') return [insertAfter(json, root, member, edit.members)];
  if (edit.kind === 'prepend') return [prependItems(json, value, edit.words)];
  if (edit.kind === 'keep-last')
    return [dropItems(json, value, (value.children ?? []).length - edit.count)];
  return membersOf(value).flatMap((own) => {
    const name = edit.toName(own.key);
    return name === undefined ? [] : [renameMember(own, name)];
  });
}

/** One member becomes one or more, each laid out like the others of the object. */
function replaceMember(
  { text }: HostJson,
  object: Node,
  { keyStart, value }: Member,
  members: readonly EntryMember[],
): Edit {
  const content = toMembers(text, object, members);
  return { offset: keyStart, length: endOf(value) - keyStart, content };
}

function insertAfter(
  { text }: HostJson,
  object: Node,
  { value }: Member,
  members: readonly EntryMember[],
): Edit {
  const content = `,${gapOf(text, object)}${toMembers(text, object, members)}`;
  return { offset: endOf(value), length: 0, content };
}

/** Each on its own line if that is how the array is written. */
export function prependItems({ text }: HostJson, array: Node, items: readonly string[]): Edit {
  const first = array.children?.[0];
  const gap = gapOf(text, array);
  const joined = items.map((item) => JSON.stringify(item)).join(`,${gap}`);
  const content = first === undefined ? joined : `${joined},${gap}`;
  return { offset: first?.offset ?? array.offset + 1, length: 0, content };
}

/** Removes the first items of an array. */
export function dropItems(
  json: HostJson,
  { children: items = [], ...array }: Node,
  count: number,
): Edit {
  const offset = items[0]?.offset ?? array.offset + 1;
  const last = items[count - 1];
  const end = items[count]?.offset ?? (last === undefined ? offset : behind(json, last));
  return { offset, length: end - offset, content: '' };
}

/** Removes a member with its comma and, if nothing else is on it, its line. */
export function removeMember(json: HostJson, object: Node, { keyStart, value }: Member): Edit[] {
  const { text } = json;
  const previous = membersOf(object).findLast((other) => other.keyStart < keyStart);
  const comma = commaOf(json, value);
  const before = previous && commaOf(json, previous.value);
  const edits: Edit[] = [];
  if (comma === undefined && before !== undefined)
    edits.push({ offset: before, length: 1, content: '' });
  const end = behind(json, value);
  const [lead = ''] = /[ \t]*$/.exec(text.slice(0, keyStart)) ?? [];
  const [tail = ''] = /^[ \t]*/.exec(text.slice(end)) ?? [];
  const [line = ''] = /(?:\r\n|\r|\n)$/.exec(text.slice(0, keyStart - lead.length)) ?? [];
  // A line end goes only with its whole line: it may close a comment before it.
  const isWholeLine = line !== '' && /^(?:[\r\n]|$)/.test(text.slice(end + tail.length));
  const remove = (from: number, to: number): number =>
    edits.push({ offset: from, length: to - from, content: '' });
  if (isWholeLine) remove(keyStart - lead.length - line.length, end + tail.length);
  else if (comma === undefined) remove(keyStart - lead.length, end);
  else remove(keyStart, end + tail.length);
  return edits;
}

/** Of a member's value or an array's item; only comments can be between it and its comma. */
function commaOf({ commas }: HostJson, node: Node): number | undefined {
  const item = node.parent?.type === 'property' ? node.parent : node;
  const siblings = item.parent?.children ?? [];
  const next = siblings[siblings.indexOf(item) + 1];
  const limit = next?.offset ?? (item.parent === undefined ? 0 : endOf(item.parent));
  const comma = commas.find((offset) => offset >= endOf(node));
  return comma !== undefined && comma < limit ? comma : undefined;
}

function behind(json: HostJson, node: Node): number {
  const comma = commaOf(json, node);
  return comma === undefined ? endOf(node) : comma + 1;
}

function toMembers(text: string, object: Node, members: readonly EntryMember[]): string {
  return members
    .map(([key, value]) => `${JSON.stringify(key)}: ${toInline(value)}`)
    .join(`,${gapOf(text, object)}`);
}

/** On one line with spaces, as people write short lists. */
function toInline(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => JSON.stringify(item)).join(', ')}]`;
  const members = Object.entries(value).map(
    ([key, item]) => `${JSON.stringify(key)}: ${JSON.stringify(item)}`,
  );
  return `{ ${members.join(', ')} }`;
}

/** Between two parts of an object or array: a line end and the indentation, or a space. */
function gapOf(text: string, { offset, children: [first] = [] }: Node): string {
  const lead = text.slice(offset + 1, first?.offset ?? offset + 1);
  return /(?:\r\n|\r|\n)[ \t]*$/.exec(lead)?.[0] ?? ' ';
}
