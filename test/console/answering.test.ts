/** The whole path, from an agent that wants to spend to the receipt, with a person at a browser in between. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Said } from './agent.ts';
import { SpendingAgent } from './agent.ts';
import { NO_BROWSER } from './browser.ts';
import { Story } from './story.ts';

let story: Story;
let agent: SpendingAgent;

beforeAll(async () => {
  if (NO_BROWSER !== undefined) return;
  story = await Story.open({ asking: { grants: ['call', 'session'], holdSeconds: 15 } });
  agent = await SpendingAgent.connect(story.demo.mcpUrl);
});

afterAll(async () => {
  await agent?.[Symbol.asyncDispose]();
  await story?.[Symbol.asyncDispose]();
});

function cardOf(page: Page, name: string): Locator {
  return page.getByRole('article').filter({ hasText: name });
}

/** The agent asks, and the card comes to a page that is open already. */
async function ask(page: Page, name: string): Promise<{ card: Locator; answer: Promise<Said> }> {
  const answer = agent.order(name);
  const card = cardOf(page, name);
  await card.waitFor();
  return { card, answer };
}

/** An answer leads back to the queue, or to the page of its question if it was not accepted. */
async function press(card: Locator, name: string): Promise<void> {
  await card.getByRole('button', { name, exact: true }).click();
  await card.page().waitForURL(/\/approvals\/|\?answered=/, { waitUntil: 'commit' });
}

/** In place of the speaker: counts the tones that were started on this page. */
const SPEAKER = `window.heard = 0;
  window.AudioContext = class {
    currentTime = 0;
    destination = {};
    createGain() {
      return { gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect: (to) => to };
    }
    createOscillator() {
      return { frequency: {}, connect: (to) => to, start: () => { window.heard += 1; }, stop() {} };
    }
  };`;

describe.skipIf(NO_BROWSER !== undefined)('a call that waits', () => {
  it('comes without a reload, runs when approved, and leaves a receipt', async () => {
    await using tab = await story.openTab('/');
    const { page, complaints } = tab;
    await page.getByText('Nothing is waiting').waitFor();
    const loads: string[] = [];
    page.on('framenavigated', (frame) => loads.push(frame.url()));
    const { card, answer } = await ask(page, 'Order one');
    expect(loads).toEqual([]);
    const text = await card.innerText();
    for (const part of ['spends', 'imagery', 'orders.archive.place', '240', 'reef-survey']) {
      expect(text).toContain(part);
    }
    expect(await agent.placed()).not.toContain('Order one');
    await press(card, 'Approve once');
    expect(await answer).toMatchObject({ code: 'ran' });
    // Back at the queue, the result comes by itself.
    await page.locator('#answered').getByText('It ran').waitFor();
    expect(await page.locator('#queue .card').count()).toBe(0);
    expect(await agent.placed()).toContain('Order one');
    await page.goto(story.at('/calls'));
    const row = page.getByRole('row').filter({ hasText: 'orders.archive.place' }).first();
    expect(await row.innerText()).toMatch(/ran|success/);
    expect(complaints).toEqual([]);
  });

  it('is refused with a reason that the agent gets, and does not run', async () => {
    await using tab = await story.openTab('/');
    const { card, answer } = await ask(tab.page, 'Order two');
    await card.getByRole('textbox').fill('Too dear this month.');
    await press(card, 'Decline');
    const said = await answer;
    expect(said.code).toBe('approval-declined');
    expect(said.text).toContain('Too dear this month.');
    expect(await agent.placed()).not.toContain('Order two');
  });

  it('keeps a reason that is half typed when another call comes', async () => {
    await using tab = await story.openTab('/');
    const { card, answer } = await ask(tab.page, 'Order three');
    const reason = card.getByRole('textbox');
    await reason.fill('Not before');
    const other = await ask(tab.page, 'Order four');
    expect(await reason.inputValue()).toBe('Not before');
    await reason.pressSequentially(' Monday');
    expect(await reason.inputValue()).toBe('Not before Monday');
    await reason.press('Enter');
    expect(await answer).toMatchObject({ code: 'approval-declined' });
    await tab.page.goto(story.at('/'));
    await press(cardOf(tab.page, 'Order four'), 'Decline');
    expect(await other.answer).toMatchObject({ code: 'approval-declined' });
  });

  it('is answered by one of two tabs; the other is told so', async () => {
    await using left = await story.openTab('/');
    await using right = await story.openTab('/', { scripts: false });
    const { card, answer } = await ask(left.page, 'Order five');
    await right.page.reload();
    const stale = cardOf(right.page, 'Order five');
    await press(card, 'Approve once');
    expect(await answer).toMatchObject({ code: 'ran' });
    await press(stale, 'Decline');
    await right.page.getByRole('alert').waitFor();
    expect(await right.page.getByRole('alert').innerText()).toContain('was not accepted');
    expect((await agent.placed()).filter((name) => name === 'Order five')).toHaveLength(1);
  });

  it('two tabs at the same moment: one wins, and the call does what that one said', async () => {
    await using watching = await story.openTab('/');
    const { answer } = await ask(watching.page, 'Order six');
    // Without scripts, or the slower one would see the card go before it could press.
    await using left = await story.openTab('/', { scripts: false });
    await using right = await story.openTab('/', { scripts: false });
    const presses = [
      press(cardOf(left.page, 'Order six'), 'Approve once'),
      press(cardOf(right.page, 'Order six'), 'Decline'),
    ];
    await Promise.all(presses);
    const { code } = await answer;
    expect(['ran', 'approval-declined']).toContain(code);
    const pages = [left.page, right.page];
    await Promise.all(pages.map((page) => page.waitForLoadState()));
    const alerts = await Promise.all(pages.map((page) => page.getByRole('alert').count()));
    expect(alerts).toEqual(code === 'ran' ? [0, 1] : [1, 0]);
    expect((await agent.placed()).includes('Order six')).toBe(code === 'ran');
  });

  it('leaves the other open pages when it is answered', async () => {
    await using left = await story.openTab('/');
    await using right = await story.openTab('/');
    const { card, answer } = await ask(left.page, 'Order seven');
    const twin = cardOf(right.page, 'Order seven');
    await twin.waitFor();
    await press(card, 'Decline');
    await answer;
    await twin.waitFor({ state: 'detached' });
    expect(await right.page.getByText('Nothing is waiting').count()).toBe(1);
  });

  it('a double click answers one call, not the next one', async () => {
    await using tab = await story.openTab('/');
    const first = await ask(tab.page, 'Order eight');
    const second = await ask(tab.page, 'Order nine');
    await first.card.getByRole('button', { name: 'Approve once' }).dblclick();
    await tab.page.waitForURL('**/?answered=*');
    expect(await first.answer).toMatchObject({ code: 'ran' });
    await tab.page.goto(story.at('/'));
    await press(cardOf(tab.page, 'Order nine'), 'Decline');
    expect(await second.answer).toMatchObject({ code: 'approval-declined' });
    expect((await agent.placed()).filter((name) => name === 'Order eight')).toHaveLength(1);
  });

  it('plays a sound where somebody has switched that on, and nowhere else', async () => {
    await using silent = await story.openEmptyTab();
    await using tab = await story.openEmptyTab();
    for (const { page } of [silent, tab]) await page.addInitScript(SPEAKER);
    const heard = ({ page }: typeof tab): Promise<number> => page.evaluate<number>('window.heard');
    await tab.page.goto(story.at('/access'));
    await tab.page.getByLabel('Play a sound').check();
    expect(await heard(tab)).toBe(1);
    for (const { page } of [silent, tab]) await page.goto(story.at('/'));
    const { card, answer } = await ask(tab.page, 'Order loud');
    await cardOf(silent.page, 'Order loud').waitFor();
    expect(await heard(tab)).toBe(1);
    expect(await heard(silent)).toBe(0);
    await press(card, 'Decline');
    expect(await answer).toMatchObject({ code: 'approval-declined' });
  });

  it('is approved by no GET', async () => {
    await using tab = await story.openTab('/');
    const { card, answer } = await ask(tab.page, 'Order ten');
    const form = card.locator('form').filter({ hasText: 'Approve once' });
    const fields = await form.evaluate<string, unknown>(
      '(form) => new URLSearchParams(new FormData(form)) + ""',
    );
    const path = (await form.getAttribute('action')) ?? '';
    await using other = await story.openTab(`${path}?${fields}&grant=call`);
    await other.page.getByRole('button', { name: 'Approve once' }).waitFor();
    await press(cardOf(other.page, 'Order ten'), 'Decline');
    expect(await answer).toMatchObject({ code: 'approval-declined' });
  });
});

describe.skipIf(NO_BROWSER !== undefined)('with little to go by', () => {
  it('can be answered without scripts', async () => {
    await using tab = await story.openTab('/', { scripts: false });
    const answer = agent.order('Order eleven');
    await expect
      .poll(async () => {
        await tab.page.reload();
        return cardOf(tab.page, 'Order eleven').count();
      })
      .toBe(1);
    await press(cardOf(tab.page, 'Order eleven'), 'Approve once');
    expect(await answer).toMatchObject({ code: 'ran' });
  });

  it('can be answered before scripts have come', async () => {
    await using watching = await story.openTab('/');
    const { answer } = await ask(watching.page, 'Order twelve');
    await using tab = await story.openEmptyTab();
    await tab.page.route('**/assets/console.js', () => new Promise(() => {}));
    await tab.page.goto(story.at('/'), { waitUntil: 'commit' });
    await press(cardOf(tab.page, 'Order twelve'), 'Approve once');
    expect(await answer).toMatchObject({ code: 'ran' });
  });
});
