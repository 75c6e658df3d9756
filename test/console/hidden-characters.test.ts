/** Nothing in a card can hide: every character that a reader could miss is drawn as a marker. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApprovals } from '../../src/gate/approvals/approvals.ts';
import { openStore } from '../../src/ledger/open-ledger.ts';
import { toTestQuestion } from '../gate/approval-fixture.ts';
import { NO_BROWSER } from './browser.ts';
import { Story } from './story.ts';

const RANGES: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  control: [
    [0x00, 0x1f],
    [0x7f, 0x9f],
  ],
  bidi: [
    [0x061c, 0x061c],
    [0x200e, 0x200f],
    [0x202a, 0x202e],
    [0x2066, 0x2069],
  ],
  'zero-width': [
    [0x00ad, 0x00ad],
    [0x034f, 0x034f],
    [0x180b, 0x180e],
    [0x200b, 0x200d],
    [0x2028, 0x2029],
    [0x2060, 0x2064],
    [0xfe00, 0xfe0f],
    [0xfeff, 0xfeff],
    [0xfff9, 0xfffb],
  ],
  tag: [[0xe0000, 0xe007f]],
};

const LINE_END = 0x0a;

let story: Story;
let title: string;
let table: string;
let text: string;
let drawn: string;
let elements: number;
let complaints: readonly string[];

function pointsIn(kind: string): readonly number[] {
  return (RANGES[kind] ?? []).flatMap(([from, to]) =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index),
  );
}

/** A title is cut after 200 characters, so that it has room for the first of each range only. */
const TITLE = Object.keys(RANGES).flatMap((kind) => pointsIn(kind).slice(0, 3));

function toMarker(point: number): string {
  return `\u27E8U+${point.toString(16).toUpperCase().padStart(4, '0')}\u27E9`;
}

beforeAll(async () => {
  if (NO_BROWSER !== undefined) return;
  story = await Story.open();
  const args = Object.keys(RANGES).flatMap((kind) => [
    [kind, String.fromCodePoint(...pointsIn(kind))],
    // Names of fields are the agent's, too.
    [`a\u202E\u200B${kind}`, '<img src=x onerror=alert(1)> <b>bold</b> &lt;'],
  ]);
  const changes = {
    title: `Pay${String.fromCodePoint(...TITLE)}`,
    principal: 'age\u200Bnt',
    session: 's\u{E0041}1',
  };
  const question = toTestQuestion(JSON.stringify(Object.fromEntries(args)), changes);
  await using store = await openStore(story.demo.ledger);
  await openApprovals(store).request(question);
  await using tab = await story.openTab('/');
  const card = tab.page.getByRole('article');
  await card.waitFor();
  title = await card.getByText('Pay').innerText();
  // What is long is folded, and opens in full.
  for (const summary of await card.locator('.long > summary').all()) await summary.click();
  table = await card.getByRole('table').innerText();
  text = await card.innerText();
  drawn = (await card.textContent()) ?? '';
  elements = await card.locator('img, b').count();
  complaints = tab.complaints;
});

afterAll(async () => {
  await story?.[Symbol.asyncDispose]();
});

describe.skipIf(NO_BROWSER !== undefined)('a card with characters that hide', () => {
  it('shows them in titles', () => {
    expect(TITLE.filter((point) => !title.includes(toMarker(point)))).toEqual([]);
  });

  it.each(Object.keys(RANGES))('shows every %s character in arguments', (kind) => {
    const points = pointsIn(kind);
    // A text with a line end is shown as lines: that one ends a line, and nothing else does.
    const toShown = (point: number): string =>
      point === LINE_END ? `${toMarker(0x09)}\n${toMarker(0x0b)}` : toMarker(point);
    expect(points.filter((point) => !table.includes(toShown(point)))).toEqual([]);
  });

  it('draws none of them', () => {
    // The page's own line ends lie between elements.
    const hidden = Object.keys(RANGES)
      .flatMap(pointsIn)
      .filter((point) => point !== LINE_END);
    const found = hidden.filter((point) => drawn.includes(String.fromCodePoint(point)));
    expect(found.map(toMarker)).toEqual([]);
  });

  it('shows them in names of callers as well, and markup as it is written', () => {
    expect(text).toContain('age\u27E8U+200B\u27E9nt');
    expect(text).toContain('s\u27E8U+E0041\u27E91');
    expect(text).toContain('<img src=x onerror=alert(1)> <b>bold</b> &lt;');
    expect({ elements, complaints }).toEqual({ elements: 0, complaints: [] });
  });
});
