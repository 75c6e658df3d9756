/** A host's configuration as YAML (Continue): read with positions, and edited one value or line at a time. Pure. */
import type { Edit } from 'jsonc-parser';
import { applyEdits, parseTree } from 'jsonc-parser';
import type { Pair, ParsedNode, YAMLMap, YAMLSeq } from 'yaml';
import {
  isAlias,
  isCollection,
  isMap,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  parseDocument,
  visit,
} from 'yaml';
import type { EntryEdit, EntryMember, EntryValue } from './entry-edit.ts';
import { isList } from './entry-edit.ts';
import type { HostScalar, HostText, MalformedText, TextSpan } from './host-text.ts';

type Entry = YAMLMap.Parsed;

/** Never throws. */
export function readHostYaml(text: string): HostText | MalformedText {
  const document = parseDocument(text, { prettyErrors: false });
  const wrong = (offset: number): MalformedText => {
    const before = text.slice(0, offset).split(/\r\n|\n/);
    const column = (before.at(-1)?.length ?? 0) + 1;
    return { kind: 'malformed', format: 'yaml', line: before.length, column };
  };
  const [fault] = document.errors;
  if (fault !== undefined) return wrong(fault.pos[0]);
  const root = parseTree(toJson(document));
  if (root === undefined) return wrong(0);
  return {
    kind: 'text',
    root,
    spanOf: (path) => {
      const keys = path.map((key) => (/^\d+$/.test(key) ? Number(key) : key));
      const node = document.getIn(keys, true);
      if (!isMap(node) || !isPlain(node as Entry)) return undefined;
      const { range } = node as Entry;
      const start = range[0];
      const column = start - (text.lastIndexOf('\n', start - 1) + 1);
      return { offset: start, length: endOf(text, node as Entry) - start, column };
    },
    edit: (entry, edits, column) =>
      edits.reduce((before, edit) => editOnce(before, edit, column), entry),
    scalars: () => scalarsOf(document.contents, []),
    comments: () => commentsOf(text),
  };
}

/** What aliases would expand to without end is no configuration. */
function toJson(document: ReturnType<typeof parseDocument>): string {
  try {
    return JSON.stringify(document.toJS()) ?? '';
  } catch {
    return '';
  }
}

function scalarsOf(
  node: ParsedNode | null,
  path: readonly string[],
  { before, isShared = false }: { readonly before?: ParsedNode; readonly isShared?: boolean } = {},
): readonly HostScalar[] {
  if (node === null || isAlias(node)) return [];
  const rest = { isShared: isShared || node.anchor !== undefined };
  if (isMap(node))
    return node.items.flatMap(({ key, value }) => scalarsOf(value, [...path, nameOf(key)], rest));
  if (isSeq(node))
    return node.items.flatMap((item, at) => {
      const previous = node.items[at - 1];
      return scalarsOf(item, [...path, String(at)], {
        ...rest,
        ...(previous !== undefined && { before: previous }),
      });
    });
  const { value, range } = node;
  if (value === null || typeof value === 'boolean') return [];
  const previous = isScalar(before) ? String(before.value) : undefined;
  return [
    {
      path,
      value: typeof value === 'string' ? value : node.source,
      offset: range[0],
      length: range[1] - range[0],
      ...(previous !== undefined && { before: previous }),
      ...rest,
    },
  ];
}

/** These stand for nothing in the text. */
const LEXER_MARKS: ReadonlySet<string> = new Set(['\u0002', '\u0018', '\u001F']);

/** The document does not say where they are. */
function commentsOf(text: string): readonly TextSpan[] {
  const comments: TextSpan[] = [];
  let offset = 0;
  for (const token of new Lexer().lex(text)) {
    if (LEXER_MARKS.has(token)) continue;
    if (token.startsWith('#')) comments.push({ offset, length: token.length });
    offset += token.length;
  }
  return comments;
}

/** On lines of its own, without anchors: an edit of what other places refer to would change them, too. */
function isPlain(entry: Entry): boolean {
  let plain = entry.flow !== true && entry.items.length > 0;
  visit(entry, (_, node) => {
    if (isAlias(node) || (isCollection(node) && node.anchor !== undefined)) plain = false;
  });
  return plain;
}

function endOf(text: string, node: ParsedNode | null): number {
  if (node === null) return 0;
  if ((isMap(node) || isSeq(node)) && node.flow !== true) {
    const last = node.items.at(-1);
    const item = isPair(last) ? ((last.value ?? last.key) as ParsedNode | null) : last;
    if (item !== undefined && item !== null) return endOf(text, item);
  }
  const end = node.range[1];
  if (!isScalar(node) || node.type?.startsWith('BLOCK_') !== true) return end;
  // The line break counts as a part of such a text, but what follows needs it as well.
  return end - (/\r?\n$/.exec(text.slice(node.range[0], end))?.[0].length ?? 0);
}

/** The first line of an entry stands behind a dash, the others are indented as far. */
function editOnce(entry: string, edit: EntryEdit, column: number): string {
  const padding = ' '.repeat(column);
  const text = padding + entry;
  const map = parseDocument(text).contents;
  if (!isMap(map)) return entry;
  const pairs = map.items;
  const at = pairs.findIndex(({ key }) => nameOf(key) === edit.key);
  const pair = pairs[at];
  if (pair === undefined) return entry;
  const edits = toEdits(text, edit, { pair, before: pairs[at - 1], after: pairs[at + 1] }, padding);
  return applyEdits(text, [...edits]).slice(column);
}

type Parsed = Pair<ParsedNode, ParsedNode | null>;

interface Place {
  readonly pair: Parsed;
  readonly before: Parsed | undefined;
  readonly after: Parsed | undefined;
}

function toEdits(
  text: string,
  edit: EntryEdit,
  { pair, before, after }: Place,
  padding: string,
): readonly Edit[] {
  const { key, value } = pair;
  const start = key.range[0];
  const end = endOfPair(text, pair);
  if (edit.kind === 'remove') {
    if (after !== undefined) return [replace(start, after.key.range[0], '')];
    return [replace(before === undefined ? start : endOfPair(text, before), end, '')];
  }
  if (edit.kind === 'set') {
    return value === null ? [] : [replace(value.range[0], end, toYaml(edit.value))];
  }
  if (edit.kind === 'replace') return [replace(start, end, toLines(text, edit.members, padding))];
  if (edit.kind === 'insert-after') {
    const content = `${lineEnd(text)}${padding}${toLines(text, edit.members, padding)}`;
    return [{ offset: end, length: 0, content }];
  }
  if (edit.kind === 'rename') {
    if (!isMap(value)) return [];
    return value.items.flatMap(({ key: own }) => {
      const name = edit.toName(nameOf(own));
      return name === undefined ? [] : [replace(own.range[0], own.range[1], toKey(name))];
    });
  }
  if (!isSeq(value)) return [];
  return edit.kind === 'prepend'
    ? [prepend(text, value, edit.words)]
    : [drop(text, value, value.items.length - edit.count)];
}

function prepend(text: string, list: YAMLSeq.Parsed, words: readonly string[]): Edit {
  const [first] = list.items;
  if (list.flow === true || first === undefined) {
    const joined = words.map(toYaml).join(', ');
    const offset = first?.range[0] ?? list.range[0] + 1;
    return { offset, length: 0, content: first === undefined ? joined : `${joined}, ` };
  }
  const offset = dashOf(text, first);
  const indent = ' '.repeat(offset - (text.lastIndexOf('\n', offset - 1) + 1));
  const lines = words.map((word) => `- ${toYaml(word)}${lineEnd(text)}${indent}`);
  return { offset, length: 0, content: lines.join('') };
}

function drop(text: string, list: YAMLSeq.Parsed, count: number): Edit {
  const [first] = list.items;
  const next = list.items[count];
  const place = (item: ParsedNode): number =>
    list.flow === true ? item.range[0] : dashOf(text, item);
  if (first === undefined) return replace(0, 0, '');
  if (next !== undefined) return replace(place(first), place(next), '');
  return list.flow === true
    ? replace(first.range[0], endOf(text, list.items.at(-1) ?? first), '')
    : replace(place(first), endOf(text, list), '[]');
}

function dashOf(text: string, item: ParsedNode): number {
  return text.lastIndexOf('-', item.range[0] - 1);
}

function endOfPair(text: string, { key, value }: Parsed): number {
  return endOf(text, value ?? key);
}

function replace(start: number, end: number, content: string): Edit {
  return { offset: start, length: end - start, content };
}

function nameOf(key: ParsedNode): string {
  return String((key as { readonly value?: unknown }).value);
}

function lineEnd(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

function toLines(text: string, members: readonly EntryMember[], padding: string): string {
  return members
    .map(([key, value]) => `${toKey(key)}: ${toYaml(value)}`)
    .join(`${lineEnd(text)}${padding}`);
}

function toKey(name: string): string {
  return /^[a-z_]\w*$/i.test(name) ? name : JSON.stringify(name);
}

/** JSON is YAML. */
function toYaml(value: EntryValue): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (isList(value)) return `[${value.map(toYaml).join(', ')}]`;
  const members = Object.entries(value).map(([key, item]) => `${toKey(key)}: ${toYaml(item)}`);
  return `{ ${members.join(', ')} }`;
}
