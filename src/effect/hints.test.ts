import { describe, expect, it } from 'vitest';
import { worstHints } from './hints.ts';

describe('worstHints', () => {
  it('keeps a promise only if every effect makes it', () => {
    expect(worstHints([{ readOnlyHint: true }, { readOnlyHint: false }])).toEqual({
      readOnlyHint: false,
    });
    expect(worstHints([{ idempotentHint: true }, {}])).toEqual({});
  });

  it('keeps a warning if one effect gives it', () => {
    expect(worstHints([{ destructiveHint: true }, {}])).toEqual({ destructiveHint: true });
    expect(worstHints([{ openWorldHint: false }, { openWorldHint: true }])).toEqual({
      openWorldHint: true,
    });
  });

  it('leaves one effect as it is', () => {
    const hints = { readOnlyHint: true, openWorldHint: false };
    expect(worstHints([hints])).toEqual(hints);
  });
});
