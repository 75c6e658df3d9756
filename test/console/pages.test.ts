/** Every page in a real browser, over a seeded story: clean, legible, light, and whole without scripts. */
import axe from 'axe-core';
import type { AxeResults } from 'axe-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Look, Tab } from './browser.ts';
import { NO_BROWSER } from './browser.ts';
import { Story } from './story.ts';

const PHONE = 375;
const MOST_BYTES = 60_000;

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
} as const;
const NAMES = Object.keys(PAGES) as readonly (keyof typeof PAGES)[]; // the record's own keys

// Texts, because a page's own names are not known here.
const WIDTH = 'document.documentElement.scrollWidth';
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
    await using tab = await openPage(name, { colours: 'dark', width: PHONE });
    expect(tab.complaints).toEqual([]);
    expect(await tab.page.evaluate<number>(WIDTH)).toBeLessThanOrEqual(PHONE);
    expect(await faultsIn(tab, { runOnly: ['color-contrast', 'link-in-text-block'] })).toEqual([]);
  });

  it('says the same without scripts', async () => {
    const texts = [];
    // Time goes on: a checkpoint is signed, a last minute begins. What is shown lies before or after it.
    for (const scripts of [true, false, true]) {
      await using tab = await openPage(name, { scripts });
      texts.push((await tab.page.locator('main').innerText()).replaceAll(/\d+/g, '0'));
    }
    const [before, without, after] = texts;
    expect(without).toBe(without === after ? after : before);
  });
});
