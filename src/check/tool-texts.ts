/** Every text of a tool that a model or a person reads, with its pointer: names, prose, enum values. */
import { showText } from '../gate/approvals/show-text.ts';
import type { Profile, Severity } from './rule.ts';
import type { ToolSubject } from './subject.ts';
import { memberOf } from './tool-schema.ts';
import { toPointer } from '../gate/tools/drift-change.ts';

export interface ToolText {
  /** A JSON pointer into the tools/list result. */
  readonly pointer: string;
  readonly text: string;
  /** Code matches names; people and models read prose. */
  readonly kind: 'name' | 'prose';
}

/** Bounds on what a hostile definition can cost. */
const DEEPEST = 16;
const MOST = 5000;
const TEXTS = new WeakMap<ToolSubject, readonly ToolText[]>();

export function toolTexts(tool: ToolSubject): readonly ToolText[] {
  let texts = TEXTS.get(tool);
  if (texts === undefined) {
    texts = collect(tool);
    TEXTS.set(tool, texts);
  }
  return texts;
}

function collect({ raw, pointer }: ToolSubject): readonly ToolText[] {
  const texts: ToolText[] = [];
  const add = (kind: ToolText['kind'], at: string, text: unknown): void => {
    if (typeof text === 'string' && texts.length < MOST) texts.push({ pointer: at, text, kind });
  };
  add('name', `${pointer}/name`, memberOf(raw, 'name'));
  add('prose', `${pointer}/title`, memberOf(raw, 'title'));
  add('prose', `${pointer}/description`, memberOf(raw, 'description'));
  add('prose', `${pointer}/annotations/title`, memberOf(raw, 'annotations', 'title'));
  for (const key of ['inputSchema', 'outputSchema'])
    walk(memberOf(raw, key), { at: `${pointer}/${key}`, named: false, depth: 0 }, add);
  return texts;
}

interface Place {
  readonly at: string;
  /** The keys of this object are names that the server chose. */
  readonly named: boolean;
  readonly depth: number;
}

function walk(
  value: unknown,
  { at, named, depth }: Place,
  add: (kind: ToolText['kind'], at: string, text: unknown) => void,
): void {
  if (typeof value === 'string') return add('prose', at, value);
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return;
  for (const [key, part] of Object.entries(value)) {
    const inner = `${at}${toPointer(key)}`;
    if (named) add('name', inner, key);
    const names = !named && (key === 'properties' || key === '$defs' || key === 'definitions');
    walk(part, { at: inner, named: names, depth: depth + 1 }, add);
  }
}

/** The description of a tool, or an empty one. */
export function descriptionOf({ raw }: ToolSubject): string {
  const description = memberOf(raw, 'description');
  return typeof description === 'string' ? description : '';
}

/** Text of a server for use in our messages: in quotes, short, with hidden characters visible. */
const LONGEST_QUOTE = 60;

export function quote(text: string): string {
  const characters = Array.from(text.slice(0, 4 * LONGEST_QUOTE));
  const short = characters.slice(0, LONGEST_QUOTE).join('');
  const isCut = characters.length > LONGEST_QUOTE || text.length > 4 * LONGEST_QUOTE;
  return `"${showText(short)}${isCut ? '…' : ''}"`;
}

/** The words of a text as a set. */
export function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ''));
}

/** A name without what readers overlook: case, separators, and letters that look like Latin ones. */
/* Cyrillic and Greek letters above the Latin ones that they look like. */
const ALIKE = 'аеорсухіјѕһԁԛԝοανκιτρυ';
const LATIN = 'aeopcyxijshdqwoavkitpu';

const PLAIN: ReadonlyMap<string, string> = new Map(
  Array.from(ALIKE, (letter, at) => [letter, LATIN.charAt(at)]),
);

export function foldName(name: string): string {
  const letters = name
    .slice(0, 256)
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\p{P}\p{S}\p{Z}\p{C}\p{Default_Ignorable_Code_Point}]/gu, '');
  return Array.from(letters, (letter) => PLAIN.get(letter) ?? letter).join('');
}

/** Severities of a rule that applies to one convention only. */
const ALL: readonly Profile[] = [
  'spec',
  'anthropic-directory',
  'openai-apps',
  'closient',
  'geopera',
  'nextcloud',
  'epd',
  'strict',
];

export function onlyIn(
  convention: Profile,
  severity: Severity = 'warning',
): Readonly<Partial<Record<Profile, Severity | 'off'>>> {
  const rows = ALL.map((profile): [Profile, Severity | 'off'] => [
    profile,
    profile === convention ? severity : 'off',
  ]);
  return Object.fromEntries(rows);
}
