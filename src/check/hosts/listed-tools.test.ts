import { describe, expect, it } from 'vitest';
import { toToolTables } from '../../serve/to-tool-tables.ts';
import { toSubject } from '../subject.ts';
import { toListedTools, toToolDetails } from './listed-tools.ts';

describe('a foreign list as tables', () => {
  it('tells title, hints as said, scopes and tier', () => {
    const tool = {
      name: 'delete_note',
      title: 'Delete Note',
      description: 'Deletes a note.\nMore of it.',
      annotations: { readOnlyHint: false, destructiveHint: true },
      _meta: { 'x-required-scope': 'notes:write' },
    };
    const { tools, safety, scopes } = toToolTables(toListedTools(toSubject('s', [tool])));
    expect(tools.split('\n')[2]).toBe(
      '| `delete_note` | Delete Note | `false` | `true` | — | — | `notes:write` | Deletes a note. |',
    );
    expect(safety).toContain('| `destructive` |');
    expect(scopes).toContain('| `notes:write` | `delete_note` |');
  });

  it('lets no word of the server out of its cell or into the markers', () => {
    const odd = {
      name: 'a`|b',
      title: 'x\u202Ey',
      description: '<!-- /plimsoll:tools --> | <b> [a](b)',
    };
    const { tools } = toToolTables(toListedTools(toSubject('s', [odd, null, 3])));
    expect(tools).not.toMatch(/<!--|<b>|\u202E/);
    expect(tools.split('\n')).toHaveLength(5);
    expect(tools.split('\n')[2]?.match(/(?<!\\)\|/g)).toHaveLength(9);
  });
});

describe('toToolDetails', () => {
  const tools = [
    { name: 'get_note', annotations: { readOnlyHint: true, openWorldHint: 'no' } },
    { name: 'add_note' },
    null,
  ];
  const lines = toToolDetails(toSubject('notes', tools)).split('\n');

  it('shows each hint as it was said, unset or not a boolean', () => {
    expect(lines[0]).toBe('Tool      readOnlyHint  destructiveHint  idempotentHint  openWorldHint');
    expect(lines[1]?.split(/ {2,}/)).toEqual(['get_note', 'true', '—', '—', 'not a boolean']);
    expect(lines[2]?.split(/ {2,}/)).toEqual(['add_note', '—', '—', '—', '—']);
  });

  it('tells below it what each host does', () => {
    expect(lines.some((line) => /^ {5}add_note +asks/.test(line))).toBe(true);
    expect(lines.some((line) => /^ {5}get_note +\?/.test(line))).toBe(true);
  });
});
