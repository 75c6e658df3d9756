/** The seeded story of `npm start`, with a browser in front of it and somebody signed in. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Cookie } from 'playwright-core';
import type { Demo } from '../../scripts/start/open-demo.ts';
import { CONFIG, openDemo } from '../../scripts/start/open-demo.ts';
import { playAgent } from '../../scripts/start/play-agent.ts';
import { writeStory } from '../../scripts/start/write-story.ts';
import type { Look, Tab } from './browser.ts';
import { Browser } from './browser.ts';

export interface StoryInit {
  /** With receipts, pins and an agent that waits. Default: nothing has happened. */
  readonly seeded?: boolean;
  /** The `asking` part of the policy. Default: as in the examples. */
  readonly asking?: object;
}

export class Story {
  readonly demo: Demo;
  readonly #browser: Browser;
  readonly #cookies: readonly Cookie[];
  readonly #opened: AsyncDisposableStack;

  private constructor(
    demo: Demo,
    browser: Browser,
    cookies: readonly Cookie[],
    opened: AsyncDisposableStack,
  ) {
    this.demo = demo;
    this.#browser = browser;
    this.#cookies = cookies;
    this.#opened = opened;
  }

  static async open({ seeded = false, asking }: StoryInit = {}): Promise<Story> {
    await using opened = new AsyncDisposableStack();
    const folder = mkdtempSync(join(tmpdir(), 'plimsoll-story-'));
    opened.defer(() => rmSync(folder, { recursive: true }));
    if (seeded) await writeStory(folder);
    const config = asking === undefined ? CONFIG : writeConfig(folder, asking);
    const demo = opened.use(await openDemo({ folder, config }));
    if (seeded) opened.use(await playAgent(demo));
    const browser = opened.use(await Browser.open());
    const cookies = await signIn(browser, demo.link);
    return new Story(demo, browser, cookies, opened.move());
  }

  /** The address of a page. */
  at(path: string): string {
    return new URL(path, this.demo.link).href;
  }

  /** A tab of the person who is signed in. */
  openEmptyTab(look: Look = {}): Promise<Tab> {
    return this.#browser.openTab(look, this.#cookies);
  }

  /** The same, at a page. */
  async openTab(path: string, look: Look = {}): Promise<Tab> {
    const tab = await this.openEmptyTab(look);
    await tab.page.goto(this.at(path), { waitUntil: 'domcontentloaded' });
    return tab;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#opened.disposeAsync();
  }
}

/** What a browser holds once the link was followed and its button pressed. */
async function signIn(browser: Browser, link: URL): Promise<readonly Cookie[]> {
  await using tab = await browser.openTab();
  await tab.page.goto(link.href);
  await tab.page.getByRole('button').click();
  await tab.page.getByRole('heading', { level: 1, name: 'Waiting' }).waitFor();
  return tab.page.context().cookies();
}

/** One server, the shop that takes money, under another way of asking. */
function writeConfig(folder: string, asking: object): string {
  const file = join(folder, 'plimsoll.yaml');
  const who = ['--as', 'mara', '--tenant', 'org_reef', '--grant', '*'];
  const args = ['serve', resolve('examples/imagery'), '--stdio', ...who];
  const imagery = { command: resolve('bin/plimsoll'), args, trusted: true, mode: 'sandbox' };
  writeFileSync(file, JSON.stringify({ mcpServers: { imagery }, policy: { asking } }));
  return file;
}
