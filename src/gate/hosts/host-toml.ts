/** A host's configuration as TOML (Codex): read with positions, and edited one value or line at a time. Pure. */
import type { Edit, Node } from 'jsonc-parser';
import { applyEdits, parseTree } from 'jsonc-parser';
import type { AST } from 'toml-eslint-parser';
import { getStaticTOMLValue, ParseError, parseTOML } from 'toml-eslint-parser';
import type { EntryEdit, EntryMember, EntryValue } from './entry-edit.ts';
import { isList } from './entry-edit.ts';
import type { HostScalar, HostText, MalformedText, TextSpan } from './host-text.ts';

/** Never throws. */
export function readHostToml(text: string): HostText | MalformedText {
  try {
    const ast = parse(text);
    const root = toTree(getStaticTOMLValue(ast));
    return {
      kind: 'text',
      root,
      spanOf: (path) => {
        const tables = tablesOf(ast, path);
        const [first] = tables;
        const end = tables.at(-1)?.range[1];
        if (first === undefined || end === undefined) return undefined;
        return { offset: first.range[0], length: end - first.range[0], column: 0 };
      },
      edit: (entry, edits) => edits.reduce(editOnce, entry),
      scalars: () => ast.body[0].body.flatMap((node) => scalarsOf(node, [])),
      comments: () => ast.comments.map(({ range: [start, end] }) => toSpan(start, end)),
    };
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    const { lineNumber: line, column } = error;
    return { kind: 'malformed', format: 'toml', line, column: column + 1 };
  }
}

function parse(text: string): AST.TOMLProgram {
  // A space in its place keeps every position.
  return parseTOML(text.replace(/^\u{feff}/u, ' '));
}

function toTree(value: unknown): Node {
  const json = JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'bigint' ? String(item) : item,
  );
  const root = parseTree(json);
  if (root === undefined) throw new Error('JSON that was just written cannot be read');
  return root;
}

type TomlPart = AST.TOMLTable | AST.TOMLKeyValue | AST.TOMLContentNode;

function scalarsOf(node: TomlPart, path: readonly string[], before?: TomlPart): HostScalar[] {
  if (node.type === 'TOMLTable')
    return node.body.flatMap((pair) => scalarsOf(pair, node.resolvedKey.map(String)));
  if (node.type === 'TOMLKeyValue')
    return scalarsOf(node.value, [...path, ...node.key.keys.map(wordOf)]);
  if (node.type === 'TOMLInlineTable') return node.body.flatMap((pair) => scalarsOf(pair, path));
  if (node.type === 'TOMLArray')
    return node.elements.flatMap((item, at) =>
      scalarsOf(item, [...path, String(at)], node.elements[at - 1]),
    );
  if (node.kind === 'boolean') return [];
  const previous = before?.type === 'TOMLValue' ? String(before.value) : undefined;
  const span = toSpan(...node.range);
  const value = String(node.value);
  return [{ path, value, ...span, ...(previous !== undefined && { before: previous }) }];
}

function toSpan(start: number, end: number): TextSpan {
  return { offset: start, length: end - start };
}

/** The table of an entry and those below it; none where anything else stands between or inside them. */
function tablesOf(ast: AST.TOMLProgram, path: readonly string[]): readonly AST.TOMLTable[] {
  const { body } = ast.body[0];
  const isOurs = (node: (typeof body)[number]): node is AST.TOMLTable =>
    node.type === 'TOMLTable' && path.every((key, at) => node.resolvedKey[at] === key);
  const start = body.findIndex(isOurs);
  const tables = body.filter(isOurs);
  const isTogether = tables.every((table, at) => body[start + at] === table);
  const isPlain = tables.every(
    ({ kind, resolvedKey, body: pairs }, at) =>
      kind === 'standard' &&
      resolvedKey.length === path.length + (at === 0 ? 0 : 1) &&
      pairs.every(({ key }) => key.keys.length === 1),
  );
  return isTogether && isPlain ? tables : [];
}

function editOnce(entry: string, edit: EntryEdit): string {
  const [table, ...below] = parse(entry).body[0].body.filter((node) => node.type === 'TOMLTable');
  const pair = table?.body.find(({ key }) => nameOf(key) === edit.key);
  const sub = below.find(({ resolvedKey }) => resolvedKey.at(-1) === edit.key);
  return applyEdits(entry, [...toEdits(entry, edit, pair, sub)]);
}

function toEdits(
  entry: string,
  edit: EntryEdit,
  pair: AST.TOMLKeyValue | undefined,
  sub: AST.TOMLTable | undefined,
): readonly Edit[] {
  if (edit.kind === 'remove') {
    const range = pair?.range ?? sub?.range;
    return range === undefined ? [] : [removeLines(entry, range)];
  }
  if (edit.kind === 'rename') {
    const table = pair?.value.type === 'TOMLInlineTable' ? pair.value : sub;
    return (table?.body ?? []).flatMap(({ key }) => {
      const name = edit.toName(nameOf(key));
      return name === undefined ? [] : [replace(key.range, toKey(name))];
    });
  }
  if (pair === undefined) return [];
  const { value, range } = pair;
  if (edit.kind === 'set') return [replace(value.range, toToml(edit.value))];
  if (edit.kind === 'replace') return [replace(range, toLines(entry, edit.members))];
  if (edit.kind === 'insert-after') {
    const content = `${lineEnd(entry)}${toLines(entry, edit.members)}`;
    return [{ offset: range[1], length: 0, content }];
  }
  if (value.type !== 'TOMLArray') return [];
  const { elements } = value;
  const [start] = elements[0]?.range ?? [value.range[0] + 1];
  if (edit.kind === 'prepend') {
    const gap = /\r?\n[ \t]*$/.exec(entry.slice(value.range[0] + 1, start))?.[0] ?? ' ';
    const words = edit.words.map(toToml).join(`,${gap}`);
    return [{ offset: start, length: 0, content: elements.length > 0 ? `${words},${gap}` : words }];
  }
  const from = elements.length - edit.count;
  const end = elements[from]?.range[0] ?? value.range[1] - 1;
  return [replace([start, end], '')];
}

/** With the line end before them, and what follows on their last line. */
function removeLines(entry: string, [start, end]: readonly [number, number]): Edit {
  const before = /(?:\r?\n)?[ \t]*$/.exec(entry.slice(0, start))?.[0].length ?? 0;
  const after = /^[ \t]*(?:#[^\r\n]*)?/.exec(entry.slice(end))?.[0].length ?? 0;
  return replace([start - before, end + after], '');
}

function replace([start, end]: readonly [number, number], content: string): Edit {
  return { offset: start, length: end - start, content };
}

function nameOf({ keys: [key] }: AST.TOMLKey): string {
  return key === undefined ? '' : wordOf(key);
}

function wordOf(key: AST.TOMLKey['keys'][number]): string {
  return key.type === 'TOMLBare' ? key.name : key.value;
}

function lineEnd(entry: string): string {
  return entry.includes('\r\n') ? '\r\n' : '\n';
}

function toLines(entry: string, members: readonly EntryMember[]): string {
  return members.map(([key, value]) => `${toKey(key)} = ${toToml(value)}`).join(lineEnd(entry));
}

function toKey(name: string): string {
  return /^[\w-]+$/.test(name) ? name : toToml(name);
}

/** Escapes of JSON are escapes of TOML; only DEL must be escaped as well. */
function toToml(value: EntryValue): string {
  if (typeof value === 'string') return JSON.stringify(value).replaceAll('\u007F', '\\u007F');
  if (isList(value)) return `[${value.map(toToml).join(', ')}]`;
  const members = Object.entries(value).map(([key, item]) => `${toKey(key)} = ${toToml(item)}`);
  return `{ ${members.join(', ')} }`;
}
