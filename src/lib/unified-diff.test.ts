import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toUnifiedDiff } from './unified-diff.ts';

const labels = { before: 'a', after: 'b' };

/** Applies a diff the way `patch` does, by line numbers and checking the context. */
function patch(before: readonly string[], diff: string): readonly string[] {
  const after: string[] = [];
  let at = 0;
  for (const line of diff.split('\n').slice(2, -1)) {
    const head = /^@@ -(\d+),(\d+) \+\d+,\d+ @@$/.exec(line);
    if (head !== null) {
      const start = Number(head[1]) - (head[2] === '0' ? 0 : 1);
      after.push(...before.slice(at, start));
      at = start;
      continue;
    }
    if (line[0] !== '+' && before[at] !== line.slice(1)) throw new Error(`line ${at} is another`);
    if (line[0] !== '-') after.push(line.slice(1));
    if (line[0] !== '+') at += 1;
  }
  return [...after, ...before.slice(at)];
}

describe('toUnifiedDiff', () => {
  it('is empty for equal texts', () => {
    expect(toUnifiedDiff('a\n', 'a\n', labels)).toBe('');
  });

  it('shows three lines around each change', () => {
    const before = Array.from({ length: 20 }, (_, at) => `${at + 1}\n`).join('');
    const after = before.replace('2\n', 'two\n').replace('18\n', '');
    expect(toUnifiedDiff(before, after, labels).split('\n')).toEqual([
      '--- a',
      '+++ b',
      '@@ -1,5 +1,5 @@',
      ' 1',
      '-2',
      '+two',
      ' 3',
      ' 4',
      ' 5',
      '@@ -15,6 +15,5 @@',
      ' 15',
      ' 16',
      ' 17',
      '-18',
      ' 19',
      ' 20',
      '',
    ]);
  });

  it('makes one text of the other, with no more lines changed than needed', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const toText = (all: readonly string[]): string => all.map((line) => `${line}\n`).join('');
        const diff = toUnifiedDiff(toText(before), toText(after), labels);
        expect(patch(before, diff)).toEqual(after);
        const changed = diff
          .split('\n')
          .slice(2)
          .filter((line) => /^[-+]/.test(line)).length;
        expect(changed).toBe(before.length + after.length - 2 * longestCommon(before, after));
      }),
    );
  });

  it('says which side lacks the last line end', () => {
    expect(toUnifiedDiff('a\n', 'a', labels).split('\n')).toEqual([
      '--- a',
      '+++ b',
      '@@ -1,1 +1,1 @@',
      '-a',
      '+a',
      '\\ No newline at end of file',
      '',
    ]);
  });

  it('shows a changed line end, and a file that was or becomes empty', () => {
    expect(toUnifiedDiff('a\r\n', 'a\n', labels)).toBe('--- a\n+++ b\n@@ -1,1 +1,1 @@\n-a\r\n+a\n');
    expect(toUnifiedDiff('', 'a\n', labels)).toBe('--- a\n+++ b\n@@ -0,0 +1,1 @@\n+a\n');
    expect(toUnifiedDiff('a\n', '', labels)).toBe('--- a\n+++ b\n@@ -1,1 +0,0 @@\n-a\n');
  });

  it('replaces all lines at once where too many differ, and is a patch all the same', () => {
    const before = Array.from({ length: 3000 }, (_, at) => `old ${at}`);
    const after = Array.from({ length: 2500 }, (_, at) => `new ${at}`);
    const diff = toUnifiedDiff(`${before.join('\n')}\n`, `${after.join('\n')}\n`, labels);
    expect(diff).toContain('@@ -1,3000 +1,2500 @@');
    expect(patch(before, diff)).toEqual(after);
  });

  it('names files as they are', () => {
    const named = { before: 'mcp.json', after: 'mcp.json (wrapped)' };
    expect(toUnifiedDiff('a\n', 'b\n', named)).toMatch(
      /^--- mcp\.json\n\+\+\+ mcp\.json \(wrapped\)\n/,
    );
  });

  it('is quick for a large file', () => {
    const lines = Array.from({ length: 50_000 }, (_, at) => `line ${at}`);
    const changed = lines.map((line, at) => (at % 1000 === 0 ? `${line}!` : line));
    const started = performance.now();
    const diff = toUnifiedDiff(lines.join('\n'), changed.join('\n'), labels);
    expect(diff.match(/^@@/gm)).toHaveLength(50);
    expect(performance.now() - started).toBeLessThan(3000);
  });
});

function longestCommon(a: readonly string[], b: readonly string[]): number {
  const table = Array.from({ length: a.length + 1 }, () => Array<number>(b.length + 1).fill(0));
  const cell = (x: number, y: number): number => table[x]?.[y] ?? 0;
  a.forEach((line, x) => {
    b.forEach((other, y) => {
      const row = table[x + 1] ?? [];
      row[y + 1] = line === other ? cell(x, y) + 1 : Math.max(cell(x, y + 1), cell(x + 1, y));
    });
  });
  return cell(a.length, b.length);
}
