/**
 * The text of a host's configuration in any format that hosts use: what it says, as JSON nodes, and edits
 * of single entries that leave everything else as it is. Pure.
 */
import type { Node } from 'jsonc-parser';
import type { EntryEdit } from './entry-edit.ts';
import {
  commentsOf,
  editJsonEntry,
  endOf,
  memberOf,
  readHostJson,
  scalarsOf,
} from './host-json.ts';
import { readHostToml } from './host-toml.ts';
import { readHostYaml } from './host-yaml.ts';

export type HostFormat = 'json' | 'toml' | 'yaml';

export interface HostText {
  readonly kind: 'text';
  /** Offsets in it are those of the text only where the text is JSON. */
  readonly root: Node;
  /** Undefined for an entry that is written in a way that cannot be edited in place. */
  readonly spanOf: (path: readonly string[]) => EntrySpan | undefined;
  /** Of the entry's own text, from its span. */
  readonly edit: (entry: string, edits: readonly EntryEdit[], column: number) => string;
  /** Every text and number in it, but not the keys, in the order of the text. */
  readonly scalars: () => readonly HostScalar[];
  readonly comments: () => readonly TextSpan[];
}

export interface TextSpan {
  readonly offset: number;
  readonly length: number;
}

export interface HostScalar extends TextSpan {
  /** The keys that lead to it; of an item in a list, its place. */
  readonly path: readonly string[];
  readonly value: string;
  /** The item before it, of an item in a list. */
  readonly before?: string;
  /** Other places of the text refer to it. */
  readonly isShared?: boolean;
}

export interface EntrySpan extends TextSpan {
  /** How far the entry is indented, for formats in which that has a meaning. */
  readonly column: number;
}

export interface MalformedText {
  readonly kind: 'malformed';
  readonly format: HostFormat;
  /** Both from 1. */
  readonly line: number;
  readonly column: number;
}

/** Never throws. */
export function readHostText(text: string, format: HostFormat): HostText | MalformedText {
  if (format === 'toml') return readHostToml(text);
  if (format === 'yaml') return readHostYaml(text);
  const json = readHostJson(text);
  if (json.kind === 'malformed') return { ...json, format };
  return {
    kind: 'text',
    root: json.root,
    spanOf: (path) => {
      const node = nodeAt(json.root, path);
      return node && { offset: node.offset, length: endOf(node) - node.offset, column: 0 };
    },
    edit: editJsonEntry,
    scalars: () => scalarsOf(json.root, []),
    comments: () => commentsOf(json.text),
  };
}

function nodeAt(root: Node, path: readonly string[]): Node | undefined {
  return path.reduce<Node | undefined>(
    (node, key) =>
      node?.type === 'array' ? node.children?.[Number(key)] : memberOf(node, key)?.value,
    root,
  );
}

export function formatOf(file: string): HostFormat {
  if (/\.toml$/i.test(file)) return 'toml';
  return /\.ya?ml$/i.test(file) ? 'yaml' : 'json';
}
