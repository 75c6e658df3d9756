import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { cutText } from './cut-text.ts';

describe('cutText', () => {
  it.each([
    ['abc', 5, 'abc'],
    ['abcdef', 3, 'abc'],
    ['ab\u{1f600}', 3, 'ab\u{fffd}'],
    ['\ud800b', 2, '\u{fffd}b'],
    ['', 3, ''],
  ])('of %j, at most %d units', (text, most, cut) => {
    expect(cutText(text, most)).toBe(cut);
  });

  it('keeps nothing of the rest in memory', () => {
    const module = JSON.stringify(new URL('./cut-text.ts', import.meta.url).href);
    const script = `
      import { cutText } from ${module};
      const cut = Array.from({ length: 50 }, (_, at) => cutText(String(at).repeat(1_000_000), 100));
      gc();
      console.log(process.memoryUsage().heapUsed / 2 ** 20, cut.length);`;
    const flags = ['--expose-gc', '--input-type=module', '-e', script];
    const used = execFileSync(process.execPath, flags, { encoding: 'utf8' });
    expect(Number.parseFloat(used)).toBeLessThan(30);
  });
});
