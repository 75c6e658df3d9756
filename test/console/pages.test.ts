/** Every page in a real browser, over a seeded story: clean, legible, light, and whole without scripts. */
import axe from 'axe-core';
import type { AxeResults } from 'axe-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Look, Tab } from './browser.ts';
import { NO_BROWSER } from './browser.ts';
import { Story } from './story.ts';

const PHONE = 360;
const PHONE_HEIGHT = 640;
const MOST_BYTES = 60_000;
const MOST_LOOKS = 10;

/** By name: the address, or the page whose first link of that form leads there. */
const PAGES = {
  waiting: '/',
  question: { from: '/', to: '/approvals/' },
  tools: '/tools',
  tool: '/tools/imagery/orders.archive.place',
  calls: '/calls',
  call: { from: '/calls?operation=orders.archive.place', to: '/calls/' },
  spend: '/spend',
  servers: '/servers',
  server: '/servers/imagery',
  review: '/servers/imagery/review',
  access: '/access',
  'what-if': '/what-if?server=imagery&tool=orders.archive.place',
} as const;
const NAMES = Object.keys(PAGES) as readonly (keyof typeof PAGES)[]; // the record's own keys

// Texts, because a page's own names are not known here.
const WIDTH = 'document.documentElement.scrollWidth';
/** Only a script can play one. */
const SOUND = /\s*Play a sound in this browser.*/;
/** What scrolls sideways by itself, or reaches over the edge. */
const SIDEWAYS = `[...document.querySelectorAll('main *, body > header *')]
  .filter((element) => !element.closest('svg, datalist, select, input, .skip, [hidden]'))
  .filter((element) => {
    const { right, left, width } = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    const scrolls = element.scrollWidth > element.clientWidth + 1 && !['inline', 'contents'].includes(style.display);
    return width > 0 && right > 0 && (left < 0 || right > document.documentElement.clientWidth + 1 || scrolls);
  })
  .map((element) => element.outerHTML.slice(0, 160))`;
const WEIGHT = `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  .filter(({ name }) => !name.endsWith('.svg'))
  .reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0)`;

let story: Story;

beforeAll(async () => {
  if (NO_BROWSER === undefined) story = await Story.open({ seeded: true });
});

afterAll(async () => {
  await story?.[Symbol.asyncDispose]();
});

async function openPage(name: keyof typeof PAGES, look: Look = {}): Promise<Tab> {
  const place = PAGES[name];
  const tab = await story.openTab(typeof place === 'string' ? place : place.from, look);
  if (typeof place !== 'string') {
    await tab.page.locator(`main tr a[href^="${place.to}"], article a`).first().click();
    await tab.page.waitForURL(`**${place.to}*`);
  }
  await tab.page.waitForLoadState('load');
  expect(await tab.page.locator('h1').count()).toBe(1);
  return tab;
}

/** What axe calls serious or critical. */
async function faultsIn({ page }: Tab, options: object = {}): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const run = `axe.run(document, ${JSON.stringify({ resultTypes: ['violations'], ...options })})`;
  const { violations } = await page.evaluate<AxeResults>(run);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}, ${nodes.length} times: ${nodes[0]?.html}`);
}

describe.skipIf(NO_BROWSER !== undefined).each(NAMES)('the page %s', (name) => {
  it('loads without a complaint, has no serious fault, and weighs little', async () => {
    await using tab = await openPage(name);
    expect(tab.complaints).toEqual([]);
    const bytes = await tab.page.evaluate<number>(WEIGHT);
    expect(bytes).toBeGreaterThan(1000);
    expect(bytes).toBeLessThan(MOST_BYTES);
    expect(await faultsIn(tab)).toEqual([]);
  });

  it('is as good in the dark, and on a phone', async () => {
    await using tab = await openPage(name, { colours: 'dark', width: PHONE, height: PHONE_HEIGHT });
    expect(tab.complaints).toEqual([]);
    expect(await tab.page.evaluate<number>(WIDTH)).toBeLessThanOrEqual(PHONE);
    await tab.page.evaluate(
      "for (const one of document.querySelectorAll('details')) one.open = true",
    );
    expect(await tab.page.locator('details:not([open])').count()).toBe(0);
    expect(await tab.page.evaluate<readonly string[]>(SIDEWAYS)).toEqual([]);
    expect(await faultsIn(tab, { runOnly: ['color-contrast', 'link-in-text-block'] })).toEqual([]);
  });

  it('says the same without scripts', async () => {
    const textWith = async (scripts: boolean): Promise<string> => {
      await using tab = await openPage(name, { scripts });
      const text = await tab.page.locator('main').innerText();
      return text.replaceAll(/\d+/g, '0').replace(SOUND, '');
    };
    // Time goes on: a checkpoint is signed, a last minute begins. Only a page that stood still meanwhile counts.
    let before = await textWith(true);
    for (let tries = 1; ; tries += 1) {
      const without = await textWith(false);
      const after = await textWith(true);
      if (before !== after && tries < MOST_LOOKS) {
        before = after;
        continue;
      }
      expect(without).toBe(after);
      return;
    }
  });
});

describe.skipIf(NO_BROWSER !== undefined)('a phone', () => {
  it('would be found to scroll sideways', async () => {
    await using tab = await openPage('calls', { width: PHONE, height: PHONE_HEIGHT });
    expect(await tab.page.evaluate<readonly string[]>(SIDEWAYS)).toEqual([]);
    await tab.page.evaluate(
      "for (const one of document.querySelectorAll('.wide table')) one.style.minWidth = '40rem'",
    );
    expect(await tab.page.evaluate<readonly string[]>(SIDEWAYS)).not.toEqual([]);
  });

  it.each(['waiting', 'question'] as const)(
    'shows Approve above the fold on the page %s',
    async (name) => {
      await using tab = await openPage(name, { width: PHONE, height: PHONE_HEIGHT });
      const button = tab.page.getByRole('button', { name: 'Approve once' }).first();
      const box = await button.boundingBox();
      expect(box?.y).toBeGreaterThan(0);
      expect((box?.y ?? 0) + (box?.height ?? PHONE_HEIGHT)).toBeLessThanOrEqual(PHONE_HEIGHT);
      const decline = await tab.page.getByRole('button', { name: 'Decline' }).first().boundingBox();
      expect((decline?.y ?? 0) + (decline?.height ?? PHONE_HEIGHT)).toBeLessThanOrEqual(
        PHONE_HEIGHT,
      );
    },
  );
});

it.skipIf(NO_BROWSER !== undefined)(
  'shows times in the zone of the reader, and in UTC without scripts',
  async () => {
    const zone = 'Asia/Kolkata';
    await using tab = await story.openTab('/calls', { zone });
    await using plain = await story.openTab('/calls', { zone, scripts: false });
    const time = tab.page.locator('main time').last();
    const at = (await time.getAttribute('datetime')) ?? '';
    const local = new Date(Date.parse(at) + 5.5 * 3_600_000).toISOString();
    const shown = `${local.slice(0, 10)} ${local.slice(11, 19)} GMT+5:30`;
    await tab.page.getByText(shown).last().waitFor();
    expect(await time.innerText()).toBe(shown);
    expect(await plain.page.locator('main time').last().innerText()).toMatch(/^[-\d]+ [:\d]+ UTC$/);
  },
);
