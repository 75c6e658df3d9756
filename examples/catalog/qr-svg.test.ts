import { decodeQR } from 'qr/decode.js';
import { describe, expect, it } from 'vitest';

import { buildDigitalLink } from './digital-link.ts';
import { qrSvg } from './qr-svg.ts';

const PIXELS_PER_MODULE = 4;

describe('qrSvg', () => {
  it.each([
    { gtin: '09506000134352' },
    { gtin: '00614141123452', lot: 'LOT-42' },
    { gtin: '00012345678905', lot: 'A/B%C', serial: '"<&\'>"', expiry: '271200' },
    { gtin: '19506000134359', lot: '/'.repeat(20), serial: '%'.repeat(20), expiry: '271231' },
  ])('draws a code that a decoder reads back to the same URL: %o', (item) => {
    const link = buildDigitalLink({ host: 'id.example.com', ...item });
    if (link.kind !== 'link') throw new Error(link.reason);
    expect(decodeQR(rasterise(qrSvg(link.url)))).toBe(link.url);
  });

  it('names the URL for people who cannot see it, with every mark of XML escaped', () => {
    const svg = qrSvg('https://id.example.com/?a=<script>&b="\'');
    expect(svg).toContain(
      '<title>https://id.example.com/?a=&#60;script&#62;&#38;b=&#34;&#39;</title>',
    );
  });

  it('gives the same picture for the same URL', () => {
    const url = 'https://id.example.com/01/09506000134352';
    expect(qrSvg(url)).toBe(qrSvg(url));
  });

  it('leaves four modules free on each side', () => {
    const svg = qrSvg('https://id.example.com/01/09506000134352');
    const size = sizeOf(svg);
    const runs = darkRuns(svg);
    expect(Math.min(...runs.map(({ x }) => x))).toBe(4);
    expect(Math.min(...runs.map(({ y }) => y))).toBe(4);
    expect(Math.max(...runs.map(({ x, length }) => x + length))).toBe(size - 4);
    expect(Math.max(...runs.map(({ y }) => y + 1))).toBe(size - 4);
  });

  it.each(['', 'javascript:alert(1)', 'http://id.example.com', `https://${'a'.repeat(600)}`])(
    'refuses what is no https URL of a fair length: %s',
    (url) => {
      expect(() => qrSvg(url)).toThrow(RangeError);
    },
  );
});

interface Run {
  readonly x: number;
  readonly y: number;
  readonly length: number;
}

function sizeOf(svg: string): number {
  return Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1]);
}

function darkRuns(svg: string): readonly Run[] {
  const path = /<path fill="#000" d="([^"]+)"/.exec(svg)?.[1] ?? '';
  return [...path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)].map(([, x, y, length]) => ({
    x: Number(x),
    y: Number(y),
    length: Number(length),
  }));
}

/** The dark path of the SVG as RGBA pixels on white. */
function rasterise(svg: string) {
  const side = sizeOf(svg) * PIXELS_PER_MODULE;
  const data = new Uint8ClampedArray(side * side * 4).fill(255);
  for (const run of darkRuns(svg)) {
    for (let row = 0; row < PIXELS_PER_MODULE; row += 1) {
      const start = (run.y * PIXELS_PER_MODULE + row) * side + run.x * PIXELS_PER_MODULE;
      for (let pixel = start; pixel < start + run.length * PIXELS_PER_MODULE; pixel += 1) {
        data.fill(0, pixel * 4, pixel * 4 + 3);
      }
    }
  }
  return { width: side, height: side, data };
}
