import { describe, expect, it } from 'vitest';
import { toSubject } from '../subject.ts';
import { toHostRows, toHostTable } from './host-table.ts';

const tools = [
  {
    name: 'get_note',
    description: 'Returns one note.',
    annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
  },
  {
    name: 'delete_note',
    description: 'Deletes a note for good.',
    annotations: { readOnlyHint: true },
  },
  {
    name: 'add_note',
    description: 'Adds a note.',
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  },
  { name: 'wipe\u202Eall', description: 'Deletes all notes for good.' },
];
const subject = toSubject('notes', tools);

describe('toHostRows', () => {
  const rows = toHostRows(subject);

  it('finds the tools that hosts disagree on, and only those', () => {
    expect(rows.filter(({ disagree }) => disagree).map(({ tool }) => tool)).toEqual(['add_note']);
  });

  it('finds the dangerous tool that runs free because of its hints', () => {
    const found = rows.filter(({ freeThough }) => freeThough.length > 0);
    expect(found.map(({ tool }) => tool)).toEqual(['delete_note']);
    expect(found[0]?.freeThough.map(({ id }) => id)).toContain('codex');
    expect(found[0]?.freeThough.map(({ id }) => id)).not.toContain('goose-auto');
  });

  it('survives whatever a server calls a tool', () => {
    const odd = [null, 7, 'x', [], { name: 3, annotations: 'no', _meta: [] }];
    expect(toHostRows(toSubject('odd', odd))).toHaveLength(odd.length);
  });
});

describe('toHostTable', () => {
  const lines = toHostTable(subject).split('\n');
  const lineOf = (name: string): string => lines.find((line) => line.includes(name)) ?? '';

  it('marks disagreement and danger in front of the tool', () => {
    expect(lineOf('get_note')).toMatch(/^ {5}get_note +free/);
    expect(lineOf('delete_note')).toMatch(/^! {4}delete_note/);
    expect(lineOf('add_note')).toMatch(/^ ≠ {3}add_note/);
  });

  it('tells hosts that treat all tools alike once, not in a column', () => {
    expect(lines[0]).toContain('Codex');
    expect(lines[0]).not.toContain('Zed');
    expect(lineOf('Ask about every tool')).toContain('Zed');
    expect(lineOf('Run every tool free')).toContain('goose (Auto)');
  });

  it('shows what would move the text around it', () => {
    expect(lines.join('\n')).not.toContain('\u202E');
    expect(lines.join('\n')).toContain('wipe⟨U+202E⟩all');
  });
});
