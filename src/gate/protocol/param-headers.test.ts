import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromHeaderText, toHeaderText } from './param-headers.ts';

describe('header text', () => {
  it('comes back as it went in, and only has bytes that a header may have', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const value = toHeaderText(text);
        expect(value).toMatch(/^[\x20-\x7e]*$/);
        expect(value.trim()).toBe(value);
        expect(fromHeaderText(value)).toBe(text);
      }),
    );
  });

  it('stays plain where it can, and hides what looks like a mark', () => {
    expect(toHeaderText('get_note')).toBe('get_note');
    expect(toHeaderText('naïve')).toBe('=?base64?bmHDr3Zl?=');
    expect(fromHeaderText(toHeaderText('=?base64?YQ==?='))).toBe('=?base64?YQ==?=');
  });

  it.each(['=?base64?YQ?=', '=?base64?*?=', '=?base64?/w==?='])('does not read %s', (value) => {
    expect(fromHeaderText(value)).toBeUndefined();
  });
});
