/**
 * A foreign server's list as the tools of a table in Markdown. Its words are made harmless: nothing in
 * them ends a cell, opens a comment or a tag, or stays unseen.
 */
import { worstTier } from '../../effect/effect.ts';
import { showText } from '../../gate/approve/show-text.ts';
import type { TableTool } from '../../serve/to-tool-tables.ts';
import { memberOf } from '../look/member-of.ts';
import type { ServerSubject } from '../subject.ts';
import { saidHints } from './said-hints.ts';

const MOST_CHARACTERS = 200;

export function toListedTools({ tools }: ServerSubject): readonly TableTool[] {
  return tools.map(({ name, raw, stamp, reading, pointer }) => ({
    name: toPlain(name).replaceAll('`', "'") || pointer,
    title: toPlain(stamp.title ?? '—'),
    hints: saidHints(raw),
    scopes: stamp.scopes.state === 'claimed' ? stamp.scopes.value.map(toPlain) : [],
    description: toPlain(firstLine(memberOf(raw, 'description'))),
    tier: worstTier(reading.effect),
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
