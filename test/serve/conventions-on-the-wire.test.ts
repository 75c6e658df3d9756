/** One operation under each convention, as a client receives it over HTTP. */
import type { Convention } from 'plimsoll/server';
import {
  cancels,
  closient,
  createServer,
  defineOperation,
  epd,
  geopera,
  nextcloud,
  openHttpApp,
  plimsoll,
} from 'plimsoll/server';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';

const cancelSubscription = defineOperation({
  name: 'cancel_subscription',
  title: 'Cancel subscription',
  description: 'Cancels an existing subscription.',
  input: z.object({ id: z.string().describe('Which subscription') }),
  output: z.object({ status: z.literal('canceled') }),
  effect: cancels('subscription', { repeat: 'same', reach: 'own-account' }),
  produces: ['cancellation'],
  run: () => ({ status: 'canceled' as const }),
});

async function listed(convention: Convention): Promise<Record<string, unknown> | undefined> {
  const server = createServer({
    name: 's',
    version: '1',
    convention,
    operations: [cancelSubscription],
  });
  await using app = openHttpApp(server);
  const response = await app.fetch(
    new Request('http://127.0.0.1/mcp', {
      method: 'POST',
      headers: { host: '127.0.0.1', 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","method":"tools/list","id":1}',
    }),
  );
  const { result } = (await response.json()) as { result: { tools: Record<string, unknown>[] } };
  return result.tools[0];
}

const entry = {
  name: 'cancel_subscription',
  description: 'Cancels an existing subscription.',
  inputSchema: cancelSubscription.inputSchema,
};
const title = 'Cancel subscription';
const outputSchema = cancelSubscription.outputSchema;

describe('tools/list', () => {
  it('R64: epd sends name, description, schema and annotations with a title and four booleans', async () => {
    expect(await listed(epd)).toEqual({
      ...entry,
      title,
      outputSchema,
      annotations: {
        title,
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: true,
        openWorldHint: false,
      },
    });
  });

  it('R23 R59: geopera sends all four hints, and _meta beside them', async () => {
    expect(await listed(geopera)).toEqual({
      ...entry,
      title,
      outputSchema,
      annotations: {
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: false,
        openWorldHint: false,
      },
      _meta: { 'x-side-effect': 'destructive', 'x-produces': ['cancellation'] },
    });
  });

  it('R55: closient and nextcloud send only the hints that they set', async () => {
    expect(await listed(closient)).toEqual({
      ...entry,
      title,
      annotations: {
        title,
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: true,
        openWorldHint: false,
      },
    });
    expect(await listed(nextcloud)).toEqual({
      ...entry,
      title,
      outputSchema,
      annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: true },
    });
  });

  it('plimsoll sends everything, and makes hosts ask', async () => {
    expect(await listed(plimsoll)).toMatchObject({
      title,
      annotations: { title, destructiveHint: true },
      _meta: {
        'x-side-effect': 'destructive',
        'dev.plimsoll/effect': { act: 'cancel', object: 'subscription' },
        'anthropic/requiresUserInteraction': true,
      },
    });
  });
});
