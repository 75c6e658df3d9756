import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { creates, deletes, reads, shares } from '../effect/acts.ts';
import { defineOperation } from '../effect/define-operation.ts';
import type { Effect } from '../effect/effect.ts';
import { closient } from '../effect/conventions/closient.ts';
import type { Operation } from '../effect/operation.ts';
import { createServer } from './create-server.ts';
import { toTableTools, toToolTables } from './to-tool-tables.ts';

function define(name: string, title: string, effect: Effect, scopes: string[] = []): Operation {
  const input = z.object({});
  return defineOperation({
    name,
    title,
    description: 'One | two.',
    input,
    effect,
    scopes,
    run: () => undefined,
  });
}

const server = createServer({
  name: 's',
  version: '1',
  convention: closient,
  authenticate: () => undefined,
  operations: [
    define('drop', 'Drop It', deletes('x')),
    define('look', 'Look Up', reads('x')),
    define('list', 'List All', reads('x')),
    define('link', 'Share Link', shares('x')),
    define('add', 'Add One', creates('x'), ['x:write', 'x:add']),
  ],
});

describe('tool tables', () => {
  const tables = toToolTables(toTableTools(server));

  it('R183 R175: have a row with the title and the sent hints for each tool', () => {
    const rows = tables.tools.split('\n');
    expect(rows).toHaveLength(7);
    expect(rows[2]).toBe(
      '| `drop` | Drop It | `false` | `true` | `true` | `false` | — | One \\| two. |',
    );
    expect(rows[3]).toBe('| `look` | Look Up | `true` | — | `true` | `false` | — | One \\| two. |');
  });

  it('R89 R192: list the tools by safety, harmless first', () => {
    const rows = tables.safety.split('\n').slice(2);
    expect(
      rows.map((row) =>
        row
          .split('|')
          .slice(1, 4)
          .map((cell) => cell.trim()),
      ),
    ).toEqual([
      ['`read`', 'Returns data and changes nothing.', '`look`, `list`'],
      ['`compute`', expect.any(String), '`add`'],
      ['`share_export`', expect.any(String), '`link`'],
      ['`destructive`', expect.any(String), '`drop`'],
    ]);
  });

  it('list the tools in three classes by the hints as sent', () => {
    const rows = tables.classes.split('\n').slice(2);
    expect(rows.map((row) => row.split('|').map((cell) => cell.trim()))).toEqual([
      ['', 'safe', 'Only reads; an agent may call it freely.', '`look`, `list`', ''],
      ['', 'needs approval', 'A person approves each call first.', '`drop`, `link`, `add`', ''],
    ]);
  });

  it('list the tools that each scope opens, and those that need none', () => {
    expect(tables.scopes.split('\n').slice(2)).toEqual([
      '| `x:add` | `add` |',
      '| `x:write` | `add` |',
      '| none | `drop`, `look`, `list`, `link` |',
    ]);
  });
});
