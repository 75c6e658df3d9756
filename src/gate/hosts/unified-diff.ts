/** The differences of two texts by line, in the unified form that people know from patches. */

interface DiffLabels {
  readonly before: string;
  readonly after: string;
}

const CONTEXT = 3;
/** Beyond so many differences the rest counts as replaced; nobody reads it line by line. */
const MOST_STEPS = 2000;

interface Line {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
}

/** Empty when the texts are equal. */
export function toUnifiedDiff(before: string, after: string, labels: DiffLabels): string {
  if (before === after) return '';
  const lines = compareLines(toLines(before), toLines(after));
  const hunks = toHunks(lines);
  return [`--- ${labels.before}`, `+++ ${labels.after}`, ...hunks, ''].join('\n');
}

function toLines(text: string): readonly string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function compareLines(before: readonly string[], after: readonly string[]): readonly Line[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1;
  let tail = 0;
  const most = Math.min(before.length, after.length) - head;
  while (tail < most && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const mark = (sign: Line['mark'], texts: readonly string[]): readonly Line[] =>
    texts.map((text) => ({ mark: sign, text }));
  const old = before.slice(head, before.length - tail);
  const now = after.slice(head, after.length - tail);
  return [
    ...mark(' ', before.slice(0, head)),
    ...(walkBack(old, now) ?? [...mark('-', old), ...mark('+', now)]),
    ...mark(' ', before.slice(before.length - tail)),
  ];
}

/** Myers' greedy search for the fewest differences, and the way back through it. */
function walkBack(a: readonly string[], b: readonly string[]): readonly Line[] | undefined {
  const trail: Map<number, number>[] = [];
  let reach = new Map([[1, 0]]);
  for (let steps = 0; steps <= MOST_STEPS; steps += 1) {
    trail.push(reach);
    const next = new Map(reach);
    for (let k = -steps; k <= steps; k += 2) {
      let x = goesDown(reach, k, steps) ? at(reach, k + 1) : at(reach, k - 1) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x += 1;
      next.set(k, x);
      if (x >= a.length && x - k >= b.length) return toScript(a, b, trail);
    }
    reach = next;
  }
  return undefined;
}

function toScript(
  a: readonly string[],
  b: readonly string[],
  trail: readonly ReadonlyMap<number, number>[],
): readonly Line[] {
  const script: Line[] = [];
  let x = a.length;
  let y = b.length;
  for (let steps = trail.length - 1; steps >= 0; steps -= 1) {
    const reach = trail[steps] ?? new Map<number, number>();
    const down = goesDown(reach, x - y, steps);
    const k = down ? x - y + 1 : x - y - 1;
    const fromX = steps === 0 ? 0 : at(reach, k);
    const fromY = steps === 0 ? 0 : fromX - k;
    for (; x > fromX && y > fromY; x -= 1, y -= 1) script.push({ mark: ' ', text: a[x - 1] ?? '' });
    if (steps === 0) break;
    script.push(down ? { mark: '+', text: b[y - 1] ?? '' } : { mark: '-', text: a[x - 1] ?? '' });
    x = fromX;
    y = fromY;
  }
  return script.toReversed();
}

function goesDown(reach: ReadonlyMap<number, number>, k: number, steps: number): boolean {
  return k === -steps || (k !== steps && at(reach, k - 1) < at(reach, k + 1));
}

function at(reach: ReadonlyMap<number, number>, k: number): number {
  return reach.get(k) ?? 0;
}

function toHunks(lines: readonly Line[]): readonly string[] {
  const near = lines.map((_, index) =>
    lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(({ mark }) => mark !== ' '),
  );
  const hunks: string[] = [];
  let old = 1;
  let now = 1;
  for (let index = 0; index < lines.length;) {
    if (near[index] !== true) {
      index += 1;
      old += 1;
      now += 1;
      continue;
    }
    const end = near.indexOf(false, index);
    const hunk = lines.slice(index, end === -1 ? lines.length : end);
    const olds = hunk.filter(({ mark }) => mark !== '+').length;
    const news = hunk.filter(({ mark }) => mark !== '-').length;
    hunks.push(`@@ -${toRange(old, olds)} +${toRange(now, news)} @@`);
    hunks.push(...hunk.map(({ mark, text }) => mark + text));
    index += hunk.length;
    old += olds;
    now += news;
  }
  return hunks;
}

function toRange(start: number, count: number): string {
  return `${count === 0 ? start - 1 : start},${count}`;
}
