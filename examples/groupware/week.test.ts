/** A week of office work with every tool: over both eras, for old clients, and held against the hints. */
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Convention } from 'plimsoll';
import { defineConvention, nextcloud, stamp } from 'plimsoll';
import record from '../../test/fixtures/nextcloud.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import { snapshot } from './snapshot.ts';
import type { Era } from './test-groupware.ts';
import { connect, openRecipePage, openTestGroupware, toCallTool } from './test-groupware.ts';
import { workOnCalendar, workOnContacts, workOnFiles } from './week/days.ts';
import { workAWeek } from './week/work-a-week.ts';
import type { CallTool, Step } from './week/worker.ts';
import { toComparable, Worker } from './week/worker.ts';

/** As a server was before anybody thought of annotations. */
const bare = defineConvention({ ...nextcloud, titleIn: [], hints: () => ({}), exceptions: [] });

async function workWith(convention: Convention, era: Era): Promise<readonly Step[]> {
  await using page = await openRecipePage();
  await using groupware = await openTestGroupware({ allow: [page.host], convention });
  const client = await connect(`${groupware.http.url}/mcp`, { era });
  const worker = new Worker(toCallTool(client));
  await workAWeek(worker, { recipePage: page.url });
  await client.close();
  return worker.steps;
}

describe('a week of office work', () => {
  it('R172: uses every tool, with the same results in the older era and without annotations', async () => {
    const steps = await workWith(nextcloud, 'modern');
    const used = new Set(steps.map(({ tool }) => tool));
    expect(record.map(({ name }) => name).filter((name) => !used.has(name))).toEqual([]);
    expect(used.size).toBe(105);
    const stripped = await workWith(bare, 'legacy');
    expect(toComparable(stripped)).toEqual(toComparable(steps));
  }, 120_000);

  it('R44: a client of the SDK generation before annotations had titles works as ever', async () => {
    await using groupware = await openTestGroupware();
    const client = new OldClient({ name: 'old', version: '1.0.0' });
    const requestInit = { headers: { authorization: 'Bearer mara' } };
    const url = new URL(`${groupware.http.url}/mcp`);
    await client.connect(new OldTransport(url, { requestInit }));
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(105);
    const call: CallTool = async (name, args) => {
      const result = await client.callTool({ name, arguments: { ...args } });
      expect(result.isError).not.toBe(true);
      return result.structuredContent as Record<string, unknown>;
    };
    const worker = new Worker(call);
    await workOnFiles(worker, 'Old');
    await workOnCalendar(worker, 'old');
    await workOnContacts(worker, 'old');
    await client.close();
    expect(worker.steps.length).toBeGreaterThan(40);
  });

  it('R171 R190: does what the hints say: reads change nothing, nor do repeats of what is idempotent', async () => {
    await using page = await openRecipePage();
    await using groupware = await openTestGroupware({ allow: [page.host] });
    const client = await connect(`${groupware.http.url}/mcp`);
    const plain = toCallTool(client);
    const seen = { reads: 0, repeats: 0, changes: 0 };
    const untrue: string[] = [];
    const watched: CallTool = async (name, args) => {
      const operation = groupware.server.operations.get(name);
      if (operation === undefined) throw new Error(`${name} is not served`);
      const { readOnlyHint, idempotentHint } = stamp(operation, nextcloud).annotations;
      const before = snapshot(groupware.folder);
      const result = await plain(name, args);
      const after = snapshot(groupware.folder);
      if (readOnlyHint === true) {
        seen.reads += 1;
        if (after !== before) untrue.push(`${name} is not read-only`);
      } else if (after !== before) {
        seen.changes += 1;
      }
      if (idempotentHint === true) {
        seen.repeats += 1;
        // Its answer may be another one, or a refusal.
        await plain(name, args).catch(() => {});
        if (snapshot(groupware.folder) !== after) untrue.push(`${name} is not idempotent`);
      }
      return result;
    };
    // The account is set up by its first call, whichever that is.
    await groupware.backend.prepare('mara');
    await workAWeek(new Worker(watched), { recipePage: page.url });
    await client.close();
    expect(untrue).toEqual([]);
    expect(seen.reads).toBeGreaterThan(50);
    expect(seen.repeats).toBeGreaterThan(15);
    expect(seen.changes).toBeGreaterThan(50);
  }, 120_000);
});
