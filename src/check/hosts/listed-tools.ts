/**
 * A foreign server's list as the tools of a Markdown table. Its text is made harmless: it cannot end a
 * cell, open a comment or a tag, or hide characters.
 */
import { worstTier } from '../../effect/effect.ts';
import type { HintName } from '../../effect/hints.ts';
import { HINT_NAMES } from '../../effect/hints.ts';
import { showText } from '../../gate/approvals/show-text.ts';
import type { TableTool } from '../../serve/to-tool-tables.ts';
import type { ServerSubject } from '../subject.ts';
import { memberOf } from '../tool-schema.ts';
import { saidHints } from './decide-host.ts';
import { toHostTable } from './host-table.ts';

const MOST_CHARACTERS = 200;

export function toListedTools({ tools }: ServerSubject): readonly TableTool[] {
  return tools.map(({ name, raw, stamp, inferred, pointer }) => ({
    name: toPlain(name).replaceAll('`', "'") || pointer,
    title: toPlain(stamp.title ?? '—'),
    hints: saidHints(raw),
    scopes: stamp.scopes.state === 'claimed' ? stamp.scopes.value.map(toPlain) : [],
    description: toPlain(firstLine(memberOf(raw, 'description'))),
    tier: worstTier(inferred.effect),
  }));
}

function firstLine(description: unknown): string {
  if (typeof description !== 'string') return '—';
  const [line = ''] = description.trim().split(/\r?\n/, 1);
  return line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS - 1)}…` : line;
}

function toPlain(text: string): string {
  return showText(text).replaceAll('\\', '\\\\').replaceAll('<', '&lt;').replaceAll('[', '\\[');
}

/** The hints of a server's tools, and what each host does with them. */
export function toToolDetails(subject: ServerSubject): string {
  const names = subject.tools.map(({ name }) => showText(name));
  const width = Math.max(4, ...names.map(({ length }) => length));
  const head = ['Tool'.padEnd(width), ...HINT_NAMES].join('  ');
  const rows = subject.tools.map(({ raw }, index) =>
    [
      (names[index] ?? '').padEnd(width),
      ...HINT_NAMES.map((hint) => toWord(raw, hint).padEnd(hint.length)),
    ]
      .join('  ')
      .trimEnd(),
  );
  return [head, ...rows, '', toHostTable(subject)].join('\n');
}

function toWord(raw: unknown, hint: HintName): string {
  const said = memberOf(raw, 'annotations', hint);
  if (said === undefined) return '—';
  return typeof said === 'boolean' ? String(said) : 'not a boolean';
}
