import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mixedScripts, spellOut, fromShown, showText } from './show-text.ts';

/** First and last of each range that must never be seen as itself. */
const HIDDEN: readonly (readonly [string, number, number])[] = [
  ['C0', 0x00, 0x1f],
  ['DEL and C1', 0x7f, 0x9f],
  ['no-break space', 0xa0, 0xa0],
  ['soft hyphen', 0xad, 0xad],
  ['grapheme joiner', 0x34f, 0x34f],
  ['Arabic letter mark', 0x61c, 0x61c],
  ['Hangul fillers', 0x115f, 0x1160],
  ['Ogham space', 0x1680, 0x1680],
  ['Mongolian separator', 0x180e, 0x180e],
  ['spaces and zero-width', 0x2000, 0x200f],
  ['separators and bidi', 0x2028, 0x202f],
  ['medium space to isolates', 0x205f, 0x206f],
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
        expect(showText(text)).toMatch(/^[^\p{C}\p{Zl}\p{Zp}]*$/u);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('mixed scripts', () => {
  it('finds words that pass for Latin', () => {
    expect(mixedScripts('pay раypal or αpple at once')).toEqual(['раypal', 'αpple']);
    expect(spellOut('раypal')).toBe('⟨U+0440⟩⟨U+0430⟩ypal');
  });

  it('finds nothing in words of one alphabet', () => {
    expect(mixedScripts('pay Привет Ελλάδα naïve 日本語x 12')).toEqual([]);
  });
});
