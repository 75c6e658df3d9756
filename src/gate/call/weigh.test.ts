import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../lib/json-value.ts';
import { Secret } from '../../lib/secret.ts';
import { findMarkers } from './weigh.ts';

describe('markers in arguments', () => {
  it.each([
    String(new Secret('x')),
    'Bearer [secret]',
    '[secret:api-key]',
    'https://x.example/?token=[secret:share 4]&v=1',
    '[REDACTED]',
    '[redacted]',
    ' <redacted> ',
    '***redacted***',
    '***REDACTED***',
    '[FILTERED]',
    '***',
    '**********',
    '••••••••',
  ])('%j is one', (text) => {
    expect(findMarkers({ value: text })).toEqual(['/value']);
  });

  it.each([
    '',
    '*',
    '**/*.ts',
    '* * *',
    '**bold**',
    '•• two',
    'the word redacted',
    'Logs show [REDACTED] where the key was.',
    'a [secretary] and [secret',
    'secret',
    '****1234',
  ])('%j is none', (text) => {
    expect(findMarkers({ value: text })).toEqual([]);
  });

  it('are found wherever they stand, in the order of the text, by pointer', () => {
    const args: JsonValue = {
      plain: 'x',
      list: ['ok', { deep: '[secret]' }],
      'a/b~c': '[FILTERED]',
      number: 3,
      none: null,
      '[secret]': 'a name is not a value',
    };
    expect(findMarkers(args)).toEqual(['/list/1/deep', '/a~1b~0c']);
    expect(findMarkers('[secret]')).toEqual(['']);
  });

  it('are found in very wide and very deep arguments, in short time', () => {
    const wide = Array.from({ length: 300_000 }, (_, index) => (index === 299_999 ? '***' : 'x'));
    expect(findMarkers(wide)).toEqual(['/299999']);
    let deep: JsonValue = '[secret]';
    for (let level = 0; level < 5000; level += 1) deep = [deep];
    expect(findMarkers(deep)).toEqual(['/0'.repeat(5000)]);
    const began = performance.now();
    expect(findMarkers(['[secret:'.repeat(300_000), '*'.repeat(2_000_000) + '!'])).toEqual([]);
    expect(performance.now() - began).toBeLessThan(1000);
  });
});
