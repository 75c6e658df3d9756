import { describe, expect, it } from 'vitest';
import { toToolTables } from '../../serve/to-tool-tables.ts';
import { toSubject } from '../subject.ts';
import { toListedTools } from './to-listed-tools.ts';

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
