/** Every text of a tool that a model or a person reads, with its place: names, prose, offered values. */
import { toPointer } from '../../gate/pins/drift.ts';
import type { ToolSubject } from '../subject.ts';
import { memberOf } from './member-of.ts';

export interface ToolText {
  /** A JSON pointer into the tools/list result. */
  readonly pointer: string;
  readonly text: string;
  /** A name is what code matches by; prose is read. */
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
