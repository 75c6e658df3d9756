import { describe, expect, it } from 'vitest';
import { breakLine } from './break-line.ts';
import { ISOLATE, ISOLATE_END } from './show-text.ts';

const REASON =
  '  why     - it replaces the old content of a file (the description says "Use with caution")';

describe('a line that is too long', () => {
  it('is broken at spaces where it is prose, with a mark before the rest', () => {
    expect(breakLine(REASON, 80, 'prose')).toEqual([
      '  why     - it replaces the old content of a file (the description says "Use',
      '      … with caution")',
    ]);
  });

  it('loses nothing where it is a literal value', () => {
    const value = `    /note = "${'a b  '.repeat(40)}"`;
    const parts = breakLine(value, 80, 'literal');
    expect(parts.map((part) => part.replace(/^ {6}… /, '')).join('')).toBe(value);
    expect(Math.max(...parts.map((part) => part.length))).toBe(80);
  });

  it('is broken inside a word that fits on no line', () => {
    const parts = breakLine(`  why     ${'x'.repeat(120)} end`, 80, 'prose');
    expect(parts[0]).toHaveLength(80);
    expect(parts.at(-1)).toMatch(/ end$/);
  });

  it('is isolated again after a break inside an isolate', () => {
    const words = `${'\u05d0'.repeat(9)} `.repeat(6);
    for (const part of breakLine(`${ISOLATE}${words}${ISOLATE_END}`, 50, 'prose')) {
      expect(part.split(ISOLATE)).toHaveLength(2);
      expect(part.split(ISOLATE_END)).toHaveLength(2);
    }
  });

  it('is not broken where it fits but for a space at its end', () => {
    const line = 'word '.repeat(16);
    expect(breakLine(line, 79, 'prose')).toEqual([line]);
  });
});
