/** Questions that nobody answers in time, in a real browser. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SpendingAgent } from './agent.ts';
import { NO_BROWSER } from './browser.ts';
import { Story } from './story.ts';

let story: Story;
let agent: SpendingAgent;

beforeAll(async () => {
  if (NO_BROWSER !== undefined) return;
  story = await Story.open({ asking: { expirySeconds: 3, holdSeconds: 1 } });
  agent = await SpendingAgent.connect(story.demo.mcpUrl);
});

afterAll(async () => {
  await agent?.[Symbol.asyncDispose]();
  await story?.[Symbol.asyncDispose]();
});

describe.skipIf(NO_BROWSER !== undefined)('a question that is too old', () => {
  it('leaves the page, and a yes that comes too late does not count', async () => {
    await using live = await story.openTab('/');
    await using still = await story.openTab('/', { scripts: false });
    const answer = agent.order('Late order');
    const card = live.page.getByRole('article');
    await card.waitFor();
    await still.page.reload();
    const late = still.page.getByRole('button', { name: 'Approve once' });
    await late.waitFor();
    expect(await answer).toMatchObject({ code: 'approval-pending' });
    await card.waitFor({ state: 'detached' });
    await live.page.getByText('Nothing is waiting').waitFor();
    await late.click();
    const told = still.page.getByRole('alert');
    await told.waitFor();
    expect(await told.innerText()).toContain('too old');
    expect(await agent.placed()).not.toContain('Late order');
  });
});
