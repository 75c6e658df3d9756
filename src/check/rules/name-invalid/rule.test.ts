import { describe, expect, it } from 'vitest';
import { codesOf, goodTool, tryRule } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

const of = (name: unknown): readonly string[] => codesOf(rule, [goodTool({ name })]);

describe('name-invalid', () => {
  it('finds a name that is missing or no text', () => {
    expect(of(undefined)).toEqual(['name-invalid/missing']);
    expect(of(7)).toEqual(['name-invalid/missing']);
    expect(of(null)).toEqual(['name-invalid/missing']);
  });

  it('finds an empty one and one beyond 128 characters', () => {
    expect(of('')).toEqual(['name-invalid/empty']);
    expect(of('x'.repeat(129))).toEqual(['name-invalid/too-long']);
    expect(of('x'.repeat(128))).toEqual([]);
  });

  it.each(['get note', 'get/note', 'größe', 'get_note\u200B', 'gеt_note', 'get_note\n'])(
    'finds characters that are not allowed in %j',
    (name) => {
      expect(of(name)).toEqual(['name-invalid/characters']);
    },
  );

  it('shows what cannot be seen', () => {
    expect(tryRule(rule, [goodTool({ name: 'a\u200Bb' })])[0]?.message).toContain('⟨U+200B⟩');
  });

  it.each(['getNote', 'get_note', 'notes.get', 'get-note', 'X9'])('allows %s', (name) => {
    expect(of(name)).toEqual([]);
  });
});
