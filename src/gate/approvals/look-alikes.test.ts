import { describe, expect, it } from 'vitest';
import { findLookAlikes } from './look-alikes.ts';

function warningsOf(text: string): readonly string[] {
  return findLookAlikes(text).map(({ warning }) => warning);
}

describe('look-alikes', () => {
  it.each([
    [
      'Cyrillic in a Latin word',
      'раypal',
      'A word mixes letters that look alike: ⟨U+0440⟩⟨U+0430⟩ypal',
    ],
    ['Greek in a Latin word', 'αpple', 'A word mixes letters that look alike: ⟨U+03B1⟩pple'],
    [
      'a word of nothing but Cyrillic letters',
      'сосо',
      'A word looks like "coco" but has other letters: ⟨U+0441⟩⟨U+043E⟩⟨U+0441⟩⟨U+043E⟩',
    ],
    ['wide letters', 'ａb', 'A word looks like "ab" but has other letters: ⟨U+FF41⟩b'],
    [
      'wide digits',
      '５００',
      'A word looks like "500" but has other letters: ⟨U+FF15⟩⟨U+FF10⟩⟨U+FF10⟩',
    ],
    ['styled letters', '𝐚', 'A word looks like "a" but has other letters: ⟨U+1D41A⟩'],
    ['a dotless i', 'pın', 'A word looks like "pin" but has other letters: p⟨U+0131⟩n'],
    ['foreign digits', '৪০', 'A number has other digits than 0 to 9: ⟨U+09EA⟩⟨U+09E6⟩'],
    ['a wide full stop', 'bank．com', 'A sign looks like "." but is another: ⟨U+FF0E⟩'],
  ])('warn of %s', (_, text, warning) => {
    expect(warningsOf(`pay ${text} now`)).toEqual([warning]);
  });

  it('find nothing in what people write', () => {
    const plain =
      'Grüße, naïve café, Привет мир, Ελλάδα, 日本語x, नमस्ते, 5 µm, 3 m², 12.50 € … “so” – 👍';
    expect(warningsOf(plain)).toEqual([]);
  });

  it('name each word once', () => {
    expect(warningsOf('раypal раypal')).toHaveLength(1);
  });
});
