import { describe, expect, it } from 'vitest';
import { toArgumentLines } from '../../gate/approvals/card.ts';
import { showText } from '../../gate/approvals/show-text.ts';
import cases from './argument-rows.cases.json' with { type: 'json' };
import type { ArgumentRow } from './argument-rows.ts';
import { toArgumentRows } from './argument-rows.ts';

function rowsOf(value: unknown): readonly ArgumentRow[] {
  return toArgumentRows(toArgumentLines(JSON.stringify(value)).lines);
}

/** Everything that a row shows, as the leaves that it was made from. */
function leavesOf(row: ArgumentRow): readonly string[] {
  switch (row.kind) {
    case 'leaf':
      return [`${row.pointer} ${row.value}`];
    case 'text':
      return [`${row.pointer} ${showText(JSON.stringify(row.text))}`];
    case 'group':
      return row.members.map(({ key, value }) => `${row.pointer}/${key} ${value}`);
    case 'fold':
      return row.rows.flatMap(leavesOf);
  }
}

describe('the rows of arguments', () => {
  it.each(cases)('$name', ({ arguments: value, rows }) => {
    expect(rowsOf(value)).toEqual(rows);
  });

  it('fold what has many rows, and leave nothing out', () => {
    const ring = Array.from({ length: 40 }, (_, at) => [at, at / 3]);
    const value = { ring, note: 'a\nb', deep: { a: { b: { c: [1, 2, { d: '' }] } } }, empty: [] };
    const { lines } = toArgumentLines(JSON.stringify(value));
    const rows = toArgumentRows(lines);
    expect(rows[0]).toMatchObject({ kind: 'fold', pointer: '/ring' });
    expect(rows.length).toBeLessThan(10);
    expect(rows.flatMap(leavesOf)).toEqual(
      lines.map(({ pointer, value: shown }) => `${pointer} ${shown}`),
    );
  });
});
