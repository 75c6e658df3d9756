/** A source: where the tools of one or more servers come from. Made from words of a command line; opens nothing. */
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import type { SourceFailure, SourceFile } from '../check-server.ts';

export type Source =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'command'; readonly command: string; readonly args: readonly string[] }
  | { readonly kind: 'url'; readonly url: string }
  /** A module or a folder of the kit. */
  | { readonly kind: 'project'; readonly path: string };

export interface SourceWords {
  /** Before a `--`. */
  readonly words: readonly string[];
  /** After it: one command. */
  readonly command: readonly string[];
}

/** Each word is a source, unless the first one can only be a command: then all words are that command. */
export function readSources({ words, command }: SourceWords): readonly Source[] {
  const [first = ''] = words;
  const behind = command.length === 0 ? [] : [toCommand(command)];
  if (words.length > 0 && readSource(first).kind === 'command' && !first.includes(' '))
    return [toCommand(words), ...behind];
  return [...words.map(readSource), ...behind];
}

/** One word; a command with arguments may be quoted as one. */
export function readSource(word: string): Source {
  if (/^https?:\/\//i.test(word)) return { kind: 'url', url: word };
  const found = statSync(word, { throwIfNoEntry: false });
  if (found?.isDirectory()) return { kind: 'project', path: word };
  if (found?.isFile() && /\.[cm]?[jt]s$/i.test(word)) return { kind: 'project', path: word };
  const isPlain = found?.isFile() === true && (found.mode & ANY_EXECUTE) === 0;
  if (isPlain || /\.jsonc?$/i.test(word)) return { kind: 'file', path: word };
  return toCommand(found === undefined ? word.split(/\s+/).filter((part) => part !== '') : [word]);
}

/** The default name of a server. */
export function nameOf(source: Source): string {
  if (source.kind === 'url') return URL.canParse(source.url) ? new URL(source.url).hostname : 'url';
  if (source.kind === 'file' || source.kind === 'project') return stem(source.path);
  const words = [source.command, ...source.args];
  const significant = words.find((word) => !RUNNERS.has(word) && !word.startsWith('-'));
  return stem((significant ?? source.command).replace(/(?<=.)@[^/]*$/, ''));
}

const ANY_EXECUTE = 0o111;

const RUNNERS: ReadonlySet<string> = new Set([
  'npx',
  'uvx',
  'node',
  'bunx',
  'bun',
  'python',
  'python3',
  'deno',
  'docker',
  'run',
]);

function toCommand([command = '', ...args]: readonly string[]): Source {
  return { kind: 'command', command, args };
}

function stem(path: string): string {
  return basename(path).replace(/\.(?:jsonc?|[cm]?[jt]s)$/i, '') || 'server';
}

/** A listing: the tools of one server as its source gave them, with their file. */
export interface Listing {
  readonly name: string;
  /** As parsed from JSON. */
  readonly tools: readonly unknown[];
  /** What can be done about a fix: edit the saved list, edit declarations, or only report it. */
  readonly origin: 'saved' | 'project' | 'server';
  readonly file?: SourceFile;
}

export interface Listings {
  readonly listings: readonly Listing[];
  readonly failures: readonly SourceFailure[];
  /** Servers of configurations that were not wanted, and not started. */
  readonly others: readonly string[];
}
