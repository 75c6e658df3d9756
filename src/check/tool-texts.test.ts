import { describe, expect, it } from 'vitest';
import { quote } from './tool-texts.ts';

describe('quote', () => {
  it('shows what is unseen and cuts what is long, never inside a character', () => {
    expect(quote('a\u202Eb\n')).toBe('"a⟨U+202E⟩b⟨U+000A⟩"');
    expect(quote('x'.repeat(60))).toBe(`"${'x'.repeat(60)}"`);
    expect(quote('😀'.repeat(61))).toBe(`"${'😀'.repeat(60)}…"`);
    expect(quote('x'.repeat(100_000)).length).toBeLessThan(70);
  });
});
