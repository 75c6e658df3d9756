/** A week of office work with every tool, over MCP of both eras. */
import record from '../../test/fixtures/nextcloud.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import { connect, openRecipePage, openTestGroupware, toCallTool } from './test-groupware.ts';
import { workAWeek } from './week/work-a-week.ts';
import { Worker } from './week/worker.ts';

describe('a week of office work', () => {
  it.each(['modern', 'legacy'] as const)('uses every tool, %s era', async (era) => {
    await using page = await openRecipePage();
    await using groupware = await openTestGroupware({ allow: [page.host] });
    const client = await connect(`${groupware.http.url}/mcp`, { era });
    const worker = new Worker(toCallTool(client));
    await workAWeek(worker, { recipePage: page.url });
    await client.close();
    const used = new Set(worker.steps.map(({ tool }) => tool));
    expect(record.map(({ name }) => name).filter((name) => !used.has(name))).toEqual([]);
    expect(used.size).toBe(105);
  });
});
