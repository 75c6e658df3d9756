/** Screenshots of every page of the console with the demo data, light and dark, into `docs/images`. */
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Story } from '../test/console/story.ts';

const FOLDER = 'docs/images';
const LOOKS = ['light', 'dark'] as const;
const SIZE = { width: 1000, height: 680 };
/** Down to the buttons. */
const CARD_HEIGHT = 900;

const PAGES: readonly (readonly [name: string, path: string])[] = [
  ['waiting', '/'],
  ['tools', '/tools'],
  ['tool', '/tools/imagery/orders.archive.place'],
  ['calls', '/calls'],
  ['spend', '/spend'],
  ['servers', '/servers'],
  ['server', '/servers/imagery'],
];

mkdirSync(FOLDER, { recursive: true });
await using story = await Story.open({ seeded: true });
const pages = [...PAGES, ['call', await newestSpend()] as const];
for (const colours of LOOKS) {
  for (const [name, path] of pages) {
    await using tab = await story.openTab(path, {
      colours,
      ...SIZE,
      ...(path === '/' && { height: CARD_HEIGHT }),
    });
    await tab.page.waitForLoadState('load');
    const file = join(FOLDER, `${name}-${colours}.png`);
    await tab.page.screenshot({ path: file });
    process.stdout.write(`${file} ${Math.ceil(statSync(file).size / 1024)} kB\n`);
  }
}

/** A call with a full history: it waited, was approved, and ran. */
async function newestSpend(): Promise<string> {
  await using tab = await story.openTab('/calls?operation=orders.archive.place&decision=ran');
  const link = tab.page.locator('main tbody a[href^="/calls/"]').first();
  return (await link.getAttribute('href')) ?? '/calls';
}
