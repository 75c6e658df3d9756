import { describe, expect, it } from 'vitest';
import { codesOf, goodTool, tryRule } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

const bare = (name: string): Readonly<Record<string, unknown>> =>
  goodTool({ name, annotations: undefined });

describe('annotations-missing', () => {
  it('tells what each host makes of a tool without annotations', () => {
    const [draft] = tryRule(rule, [bare('tidy_up')]);
    expect(draft).toMatchObject({ code: 'annotations-missing', pointer: '/tools/0/annotations' });
    for (const host of ['Claude Desktop', 'Claude Code', 'ChatGPT', 'Codex', 'VS Code', 'Cursor'])
      expect(draft?.message).toContain(host);
  });

  it('counts annotations without a hint as none', () => {
    const tools = [{}, { title: 'Get note' }, { priority: 1 }].map((annotations) =>
      goodTool({ annotations }),
    );
    expect(codesOf(rule, tools)).toEqual(Array(3).fill('annotations-missing/no-hint'));
  });

  it('is silent where one hint is said, in whatever way, and where annotations are no object', () => {
    const tools = [{ openWorldHint: true }, { readOnlyHint: 'yes' }, null, 'x', []].map(
      (annotations) => goodTool({ annotations }),
    );
    expect(codesOf(rule, [goodTool(), ...tools])).toEqual([]);
  });

  it('offers the hints of a plain read and of a plain removal, and of nothing else', () => {
    const names = ['get_note', 'delete_note', 'update_note', 'charge_card', 'notes'];
    const fixes = tryRule(rule, names.map(plain)).map(({ fix }) => fix);
    expect(fixes[0]).toEqual({
      kind: 'set',
      pointer: '/tools/0/annotations',
      value: { readOnlyHint: true, destructiveHint: false },
    });
    expect(fixes[1]).toMatchObject({ value: { readOnlyHint: false, destructiveHint: true } });
    expect(fixes.slice(2)).toEqual([undefined, undefined, undefined]);
  });

  it('offers nothing for a read that can write a file', () => {
    const properties = { id: { type: 'string' }, file_path: { type: 'string' } };
    const tool = { ...bare('get_note'), inputSchema: { type: 'object', properties } };
    expect(tryRule(rule, [tool])[0]?.fix).toBeUndefined();
  });
});

function plain(name: string): Readonly<Record<string, unknown>> {
  return { ...bare(name), title: undefined, description: undefined };
}
