/**
 * Counts over time as stacked bars, one bar per span of time, with the same figures as a table; and
 * counts by name as rows of bars. Drawn with attributes only, because the page allows no inline style.
 */
import { html } from 'hono/html';
import type { Markup } from '../page.ts';

interface StackedBarsInit {
  /** Identifies the chart within its page. */
  readonly id: string;
  /** One sentence on what is drawn. */
  readonly title: string;
  /** What a bar represents. */
  readonly unit: string;
  readonly series: readonly Series[];
  readonly bars: readonly Bar[];
}

interface Bar {
  readonly label: string;
  /** By the key of the series; a missing one is zero. */
  readonly values: ReadonlyMap<string, number>;
}

const WIDTH = 720;
const HEIGHT = 200;
const LEFT = 44;
const BOTTOM = 22;
const TOP = 8;
const PLOT_HEIGHT = HEIGHT - TOP - BOTTOM;
/** This many labels fit below the bars. */
const MOST_LABELS = 8;

export function stackedBars(init: StackedBarsInit): Markup {
  const { id, title, series, bars } = init;
  const tallest = Math.max(0, ...bars.map((bar) => sumOf(bar, series)));
  const scale = toScale(tallest);
  const yOf = (value: number): number => TOP + PLOT_HEIGHT * (1 - value / scale.top);
  const step = (WIDTH - LEFT) / Math.max(1, bars.length);
  const every = Math.ceil(bars.length / MOST_LABELS);
  return html`<figure>
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="${id}-title">
      <title id="${id}-title">${title}</title>
      ${scale.ticks.map(
        (tick) =>
          html`<path
              d="M${LEFT} ${toPlace(yOf(tick))}H${WIDTH}"
              stroke="currentColor"
              stroke-opacity="0.15"
            ></path>
            <text
              x="${LEFT - 6}"
              y="${toPlace(yOf(tick) + 4)}"
              text-anchor="end"
              font-size="11"
              fill="currentColor"
              >${tick}</text
            >`,
      )}
      ${bars.map((bar, index) => toColumn(bar, { series, x: LEFT + index * step, step, yOf }))}
      ${bars.map((bar, index) =>
        index % every === 0
          ? html`<text
              x="${toPlace(LEFT + (index + 0.5) * step)}"
              y="${HEIGHT - 6}"
              text-anchor="middle"
              font-size="11"
              fill="currentColor"
              >${bar.label}</text
            >`
          : '',
      )}
    </svg>
    <figcaption>${series.map(toKey)}</figcaption>
    <details>
      <summary>The same as a table</summary>
      ${toTable(init)}
    </details>
  </figure>`;
}

interface Column {
  readonly series: readonly Series[];
  readonly x: number;
  readonly step: number;
  readonly yOf: (value: number) => number;
}

function toColumn(bar: Bar, { series, x, step, yOf }: Column): readonly Markup[] {
  const gap = step * 0.15;
  let below = 0;
  return series.flatMap(({ key, word, colour }) => {
    const value = bar.values.get(key) ?? 0;
    if (value === 0) return [];
    const [bottom, top] = [yOf(below), yOf(below + value)];
    below += value;
    return html`<rect
      x="${toPlace(x + gap)}"
      y="${toPlace(top)}"
      width="${toPlace(step - 2 * gap)}"
      height="${toPlace(Math.max(1, bottom - top - 1))}"
      fill="var(${colour})"
      ><title>${bar.label}: ${value} ${word}</title></rect
    >`;
  });
}

function toKey({ word, shape, colour }: Series): Markup {
  return html`<span class="key"
    ><svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
      <rect width="10" height="10" fill="var(${colour})"></rect></svg
    >${shape} ${word}</span
  > `;
}

function toTable({ title, unit, series, bars }: StackedBarsInit): Markup {
  const sums = series.map(({ key }) =>
    bars.reduce((sum, { values }) => sum + (values.get(key) ?? 0), 0),
  );
  return html`<table>
    <caption>
      ${title}
    </caption>
    <thead>
      <tr>
        <th scope="col">${unit}</th>
        ${series.map(({ word }) => html`<th scope="col">${word}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${bars.map(
        ({ label, values }) =>
          html`<tr>
            <th scope="row">${label}</th>
            ${series.map(({ key }) => html`<td>${values.get(key) ?? 0}</td>`)}
          </tr>`,
      )}
    </tbody>
    <tfoot>
      <tr>
        <th scope="row">all</th>
        ${sums.map((sum) => html`<td>${sum}</td>`)}
      </tr>
    </tfoot>
  </table>`;
}

function sumOf({ values }: Bar, series: readonly Series[]): number {
  return series.reduce((sum, { key }) => sum + (values.get(key) ?? 0), 0);
}

function toPlace(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** Round numbers for the axis of a chart of counts: never a fraction, always from zero. */

interface Scale {
  /** The value at the top edge; at least 1. */
  readonly top: number;
  /** From zero to the top. */
  readonly ticks: readonly number[];
}

const PARTS = 4;

export function toScale(largest: number): Scale {
  const rough = Math.max(1, largest / PARTS);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough) ?? rough;
  const count = Math.max(1, Math.ceil(largest / step));
  return { top: count * step, ticks: Array.from({ length: count + 1 }, (_, at) => at * step) };
}

/** One kind of thing in a chart: a word, a sign and a colour. */

export interface Series {
  readonly key: string;
  readonly word: string;
  /** Next to the word, so that nothing depends on colour alone. */
  readonly shape: string;
  /** The name of a CSS variable. */
  readonly colour: string;
}

/** A table with a bar in each row, for counts by name. The figure is next to its bar. */
interface RowsOfBarsInit {
  readonly caption: string;
  readonly name: string;
  readonly rows: readonly BarRow[];
  /** The name of a CSS variable. */
  readonly colour: string;
}

interface BarRow {
  /** Untrusted text must already be made visible. */
  readonly label: string;
  readonly count: number;
}

const ROW_WIDTH = 240;

export function rowsOfBars({ caption, name, rows, colour }: RowsOfBarsInit): Markup {
  const largest = Math.max(1, ...rows.map(({ count }) => count));
  return html`<table>
    <caption>
      ${caption}
    </caption>
    <thead>
      <tr>
        <th scope="col">${name}</th>
        <th scope="col">Calls</th>
        <td aria-hidden="true"></td>
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ({ label, count }) =>
          html`<tr>
            <th scope="row">${label}</th>
            <td>${count}</td>
            <td aria-hidden="true">
              <svg viewBox="0 0 ${ROW_WIDTH} 10" width="${ROW_WIDTH}" height="10">
                <rect
                  width="${Math.max(1, Math.round((count / largest) * ROW_WIDTH))}"
                  height="10"
                  fill="var(${colour})"
                ></rect>
              </svg>
            </td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}
