/** Every page in a real browser, over a seeded story: clean, legible, light, and usable without scripts. */
import axe from 'axe-core';
import type { AxeResults } from 'axe-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_BROWSER } from './browser.ts';
import type { Tab } from './browser.ts';
import { Story } from './story.ts';

const TOOL = '/tools/imagery/orders.archive.place';
const LISTS = ['/', '/tools', '/calls', '/spend', '/servers'];
/** Pages of one thing, by the page that links to it and where the link leads. */
const ONE_OF = [
  ['/', '/approvals/'],
  ['/calls', '/calls/'],
] as const;
const PHONE = 375;
const MOST_BYTES = 60_000;

let story: Story;
let pages: readonly string[];

beforeAll(async () => {
  if (NO_BROWSER !== undefined) return;
  story = await Story.open({ seeded: true });
  const found: string[] = [];
  for (const [list, prefix] of ONE_OF) {
    await using tab = await story.openTab(list);
    const link = tab.page.locator(`main a[href^="${prefix}"]:not([href*="export"])`).first();
    found.push((await link.getAttribute('href')) ?? '');
  }
  pages = [...LISTS, TOOL, ...found];
});

afterAll(async () => {
  await story?.[Symbol.asyncDispose]();
});

/** Visits every page under one look, and gives what is wrong with each. */
async function visit(
  look: Parameters<Story['openTab']>[1],
  findFaults: (tab: Tab, path: string) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const path of pages) {
    await using tab = await story.openTab(path, look);
    const title = await tab.page.locator('h1').count();
    const found = title === 1 ? await findFaults(tab, path) : ['it has no title'];
    faults.push(...found.map((fault) => `${path}: ${fault}`));
  }
  return faults;
}

/** What a browser complained about once all is loaded. */
async function complaintsOf({ page, complaints }: Tab): Promise<readonly string[]> {
  await page.waitForLoadState('load');
  return complaints;
}

// Texts, because the page's own names are not known here.
const WIDTH = 'document.documentElement.scrollWidth';
const WEIGHT = `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  .filter(({ name }) => !name.endsWith('.svg'))
  .reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0)`;

describe.skipIf(NO_BROWSER !== undefined)('every page', () => {
  it('is there', () => {
    expect(pages).toHaveLength(8);
    expect(pages).not.toContain('');
  });

  it.each(['light', 'dark'] as const)('loads without a complaint, %s', async (colours) => {
    expect(await visit({ colours }, complaintsOf)).toEqual([]);
  });

  it('fits the width of a phone', async () => {
    const findWide = async (tab: Tab): Promise<readonly string[]> => {
      const wide = await tab.page.evaluate<number>(WIDTH);
      return wide > PHONE ? [`${wide} pixels wide`] : complaintsOf(tab);
    };
    expect(await visit({ width: PHONE }, findWide)).toEqual([]);
  });

  it.each(['light', 'dark'] as const)('axe finds no serious fault, %s', async (colours) => {
    const findFaults = async ({ page }: Tab): Promise<readonly string[]> => {
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate<AxeResults>('axe.run()');
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => `${id}, ${nodes.length} times: ${nodes[0]?.html}`);
    };
    expect(await visit({ colours }, findFaults)).toEqual([]);
  });

  it('weighs less than 60 kB without images', async () => {
    const weigh = async ({ page }: Tab): Promise<readonly string[]> => {
      await page.waitForLoadState('load');
      const bytes = await page.evaluate<number>(WEIGHT);
      expect(bytes).toBeGreaterThan(1000);
      return bytes > MOST_BYTES ? [`${bytes} bytes`] : [];
    };
    expect(await visit({}, weigh)).toEqual([]);
  });

  it('says the same without scripts', async () => {
    const textOf = async ({ page }: Tab): Promise<string> => {
      await page.waitForLoadState('load');
      // Times go on by themselves.
      return (await page.locator('main').innerText()).replaceAll(/\d+/g, '0');
    };
    const texts = new Map<string, string>();
    const differs = async (tab: Tab, path: string): Promise<readonly string[]> => {
      const text = await textOf(tab);
      return text === texts.get(path) ? [] : [`${texts.get(path)} is without scripts ${text}`];
    };
    await visit({}, async (tab, path) => {
      texts.set(path, await textOf(tab));
      return [];
    });
    expect(await visit({ scripts: false }, differs)).toEqual([]);
  });
});
