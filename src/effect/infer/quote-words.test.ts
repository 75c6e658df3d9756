import { expect, it } from 'vitest';
import { inferEffect } from './infer-effect.ts';
import { quoteWords } from './quote-words.ts';

it.each([
  ['completely overwrites the file', 0, 19, '"completely overwrites"'],
  ['It completely overwrites', 3, 24, '"completely overwrites"'],
  ['undeletes it', 2, 8, '"undeletes"'],
  ['gone, deleting the files', 4, 18, '", deleting the"'],
  ['删除所有文件', 0, 2, '"删除"'],
])('quotes whole words of %j', (text, start, end, quoted) => {
  expect(quoteWords(text, start, end)).toBe(quoted);
});

it('ends after a whole word where it is cut, and says that it is cut', () => {
  const text = 'Writes the given content to the file, and replaces everything in it';
  expect(quoteWords(text)).toBe('"Writes the given content to the file, and replaces…"');
  const fits = 'Writes the given content to the file, and replaces all of it';
  expect(quoteWords(fits)).toBe(`"${fits}"`);
  expect(quoteWords('x'.repeat(99))).toBe(`"${'x'.repeat(60)}…"`);
});

it('a reason quotes the word that its pattern has only the stem of', () => {
  const { reasons } = inferEffect({
    name: 'write_file',
    description: 'Create a new file or completely overwrite an existing file with new content.',
  });
  expect(reasons.map(({ text }) => text)).toContain('the description says "completely overwrite"');
});
