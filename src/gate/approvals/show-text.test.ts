import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromShown, showText } from './show-text.ts';

/** First and last of each range that must never be seen as itself. */
const HIDDEN: readonly (readonly [string, number, number])[] = [
  ['C0', 0x00, 0x1f],
  ['DEL and C1', 0x7f, 0x9f],
  ['no-break space', 0xa0, 0xa0],
  ['soft hyphen', 0xad, 0xad],
  ['combining marks', 0x300, 0x36f],
  ['Arabic letter mark', 0x61c, 0x61c],
  ['Hangul fillers', 0x115f, 0x1160],
  ['Ogham space', 0x1680, 0x1680],
  ['Mongolian separator', 0x180e, 0x180e],
  ['spaces and zero-width', 0x2000, 0x200f],
  ['separators and bidi', 0x2028, 0x202f],
  ['medium space to isolates', 0x205f, 0x206f],
  ['marks for symbols', 0x20d0, 0x20f0],
  ['Braille blank', 0x2800, 0x2800],
  ['ideographic space', 0x3000, 0x3000],
  ['Hangul filler', 0x3164, 0x3164],
  ['surrogates', 0xd800, 0xdfff],
  ['private use', 0xe000, 0xf8ff],
  ['noncharacters', 0xfdd0, 0xfdef],
  ['variation selectors', 0xfe00, 0xfe0f],
  ['byte order mark', 0xfeff, 0xfeff],
  ['half-width filler', 0xffa0, 0xffa0],
  ['last of the plane', 0xfffe, 0xffff],
  ['tags', 0xe0000, 0xe007f],
  ['more variation selectors', 0xe0100, 0xe01ef],
  ['private planes', 0xf0000, 0x10ffff],
];

describe('shown text', () => {
  it.each(HIDDEN)('makes all of %s visible', (_, first, last) => {
    for (let point = first; point <= last; point += 1) {
      const hex = point.toString(16).toUpperCase().padStart(4, '0');
      expect(showText(`a${String.fromCodePoint(point)}b`)).toBe(`a⟨U+${hex}⟩b`);
    }
  });

  it('leaves alone what people read', () => {
    const plain = 'Grüße, Ελλάδα, Привет, 日本語, नमस्ते, 12.50 € (100 %) 👍 \\ " ~ <b>';
    expect(showText(plain)).toBe(plain);
  });

  it('gives back every code point', () => {
    const lost: string[] = [];
    for (let point = 0; point <= 0x10ffff; point += 1) {
      const text = String.fromCodePoint(point);
      if (fromShown(showText(text)) !== text) lost.push(`U+${point.toString(16)}`);
    }
    expect(lost).toEqual([]);
    expect(fromShown(showText('⟨U+0041⟩'))).toBe('⟨U+0041⟩');
  });

  it('gives back every text, torn pairs and markers in it included', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('⟨', '⟩', 'U+', '202E', '⟨U+202E⟩', '\ud83d', '\udc4d'),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('');
        expect(fromShown(showText(text))).toBe(text);
        // Its own isolates come in pairs and hold nothing else.
        const plain = showText(text).replaceAll(/\u2067([^\p{C}]+)\u2069/gu, '$1');
        expect(plain).toMatch(/^[^\p{C}\p{Zl}\p{Zp}]*$/u);
      }),
      { numRuns: 2000 },
    );
  });

  it('isolates letters from right to left, so that digits around them stay in order', () => {
    expect(showText('100 \u05d0\u05d1 200')).toBe('100 \u2067\u05d0\u05d1\u2069 200');
    expect(showText('\u05d012')).toBe('\u2067\u05d0\u206912');
    expect(showText('\u0627\u0661\u0662')).toBe('\u2067\u0627\u2069\u2067\u0661\u0662\u2069');
    expect(fromShown(showText('\u2067a\u05d0\u2069'))).toBe('\u2067a\u05d0\u2069');
  });

  it('makes marks visible that pile up', () => {
    expect(showText('\u0e01\u0e34\u0e49\u0e4d')).toBe('\u0e01\u0e34\u0e49⟨U+0E4D⟩');
  });
});
