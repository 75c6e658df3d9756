/**
 * Effects that depend on arguments, declared by a trusted server, behind the real gate. The gate sees
 * what is sent and not what runs: it takes a call for milder only where nothing can come in between.
 */
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { creates, deletes, reads, shares, spends, varies, when } from '../../src/effect/acts.ts';
import { plimsoll } from '../../src/effect/conventions/plimsoll.ts';
import { defineOperation } from '../../src/effect/define-operation.ts';
import type { Effect } from '../../src/effect/effect.ts';
import type { Schema } from '../../src/effect/schema.ts';
import { stamp } from '../../src/effect/stamp.ts';
import type { JsonObject } from '../../src/gate/protocol/frame.ts';
import type { GateFixtureOptions } from './gate-fixture.ts';
import { GateFixture } from './gate-fixture.ts';

let gate: GateFixture;

afterEach(() => gate[Symbol.asyncDispose]());

/** The tool as a server of the kit lists it. */
function toTool(input: Schema, effect: Effect): JsonObject {
  const operation = defineOperation<Schema>({
    name: 'order',
    title: 'Order Something',
    description: 'Orders something.',
    input,
    output: z.object({ link: z.string().optional() }),
    effect,
    run: () => ({}),
  });
  const { name, description, inputSchema } = operation;
  const listed = { name, description, inputSchema, ...stamp(operation, plimsoll) };
  return JSON.parse(JSON.stringify(listed)) as JsonObject;
}

async function open(
  input: Schema,
  effect: Effect,
  more: Partial<GateFixtureOptions> = {},
): Promise<void> {
  gate = await GateFixture.open({ tools: [toTool(input, effect)], trusted: true, ...more });
}

const modes = ['preview', 'buy'] as const;
const buying = varies(reads('quote'), { when: when('mode', 'buy'), effect: spends('EUR') });
const closed = z.object({ mode: z.enum(modes).describe('M') });

describe('a call that may be a spend once the server has read it', () => {
  it.each<readonly [string, Schema, JsonObject]>([
    ['a default', z.object({ mode: z.enum(modes).default('buy').describe('M') }), {}],
    [
      'a default that is not stated',
      z.object({ mode: z.preprocess((mode) => mode ?? 'buy', z.enum(modes)).describe('M') }),
      {},
    ],
    [
      'trimming and lower case',
      z.object({ mode: z.string().trim().toLowerCase().pipe(z.enum(modes)).describe('M') }),
      { mode: ' BUY' },
    ],
    [
      'a step before the schema',
      z.object({ mode: z.preprocess((mode) => String(mode).trim(), z.enum(modes)).describe('M') }),
      { mode: 'buy ' },
    ],
    [
      'other words for callers',
      z.object({
        mode: z
          .enum(['Preview', 'Buy'])
          .transform((mode) => mode.toLowerCase())
          .describe('M'),
      }),
      { mode: 'Buy' },
    ],
    ['keys in two cases', z.looseObject(closed.shape), { mode: 'preview', Mode: 'buy' }],
    ['a key in another case', z.looseObject(closed.shape), { MODE: 'buy' }],
    ['letters of another script', z.looseObject(closed.shape), { mode: 'preview', ｍode: 'buy' }],
    ['an open text', z.object({ mode: z.string().describe('M') }), { mode: 'purchase' }],
  ])('%s: is asked about', async (_, input, args) => {
    await open(input, buying);
    await gate.call('order', args);
    expect(gate.server.ran).toEqual([]);
    expect(await gate.services.approvals.listPending()).toMatchObject([
      { binding: { tier: 'external_spend' } },
    ]);
  });

  it('converted flags are asked about', async () => {
    const effect = varies(reads('quote'), { when: when('pay', true), effect: spends('EUR') });
    await open(z.object({ pay: z.coerce.boolean().describe('P') }), effect);
    await gate.call('order', { pay: 'false' });
    expect(gate.server.ran).toEqual([]);
    await gate.call('order', { pay: false });
    expect(gate.server.ran).toEqual(['order']);
  });

  it('two levels down is asked about', async () => {
    const input = z.object({
      action: z.enum(['look', 'order']).describe('A'),
      pay: z.boolean().default(false).describe('P'),
    });
    const nested = varies(reads('order'), {
      when: when('action', 'order'),
      effect: varies(creates('order'), { when: when('pay', true), effect: spends('EUR') }),
    });
    await open(input, nested);
    await gate.call('order', { action: 'look', pay: true });
    await gate.call('order', { action: 'order' });
    expect(gate.server.ran).toEqual(['order', 'order']);
    await gate.call('order', { action: 'order', pay: true });
    expect(gate.server.ran).toHaveLength(2);
    const acts = (await gate.receipts()).map(({ act }) => act);
    expect(acts.toSorted()).toEqual(['create', 'read', 'spend']);
  });
});

describe('a call that is what it looks like', () => {
  it.each<readonly [string, Schema, JsonObject]>([
    ['one of a list', closed, { mode: 'preview' }],
    ['the stated default', z.object({ mode: z.enum(modes).default('preview').describe('M') }), {}],
    ['another key', z.looseObject(closed.shape), { mode: 'preview', model: 'buy' }],
  ])('%s: runs as a read', async (_, input, args) => {
    await open(input, buying);
    await gate.call('order', args);
    expect(gate.server.ran).toEqual(['order']);
    expect(await gate.receipts()).toMatchObject([{ act: 'read', tier: 'read' }]);
  });

  it('a value that the declaration names is taken as it is, also in an open text', async () => {
    const effect = varies(spends('EUR'), { when: when('mode', 'preview'), effect: reads('quote') });
    await open(z.object({ mode: z.string().describe('M') }), effect);
    await gate.call('order', { mode: 'preview' });
    expect(gate.server.ran).toEqual(['order']);
  });

  it('something given that may turn out empty counts as either', async () => {
    const effect = varies(spends('EUR'), { when: when('quote'), effect: reads('quote') });
    await open(z.object({ quote: z.string().optional().describe('Q') }), effect);
    await gate.call('order', { quote: ' ' });
    expect(gate.server.ran).toEqual([]);
    await gate.call('order', { quote: 'q1' });
    expect(gate.server.ran).toEqual(['order']);
  });
});

describe('a call with several effects at once', () => {
  const input = z.object({
    remove: z.boolean().default(false).describe('R'),
    pay: z.boolean().default(false).describe('P'),
    share: z.boolean().default(false).describe('S'),
  });
  const several = varies(
    creates('order'),
    { when: when('remove', true), effect: deletes('order') },
    { when: when('pay', true), effect: spends('EUR') },
    { when: when('share', true), effect: shares('order', { secrets: ['link'] }) },
  );
  const both = { remove: true, pay: true };

  it('each effect must be allowed', async () => {
    const rules = [
      // oxlint-disable-next-line unicorn/no-thenable -- a key of the policy; its value is a word
      { name: 'may-delete', match: { act: ['delete'] }, then: 'allow' },
      // oxlint-disable-next-line unicorn/no-thenable -- a key of the policy; its value is a word
      { name: 'no-spending', match: { act: ['spend'] }, then: 'deny' },
    ] as const;
    await open(input, several, { policy: { rules } });
    await gate.call('order', both);
    expect(gate.server.ran).toEqual([]);
    await gate.call('order', { remove: true });
    expect(gate.server.ran).toEqual(['order']);
    expect((await gate.receipts()).map(({ rule }) => rule)).toEqual(['no-spending', 'may-delete']);
  });

  it('the question names each, and a grant for the session of one does not cover both', async () => {
    await open(input, several, { policy: { asking: { grants: ['call', 'session'] } } });
    await gate.call('order', { remove: true });
    await gate.answer('approve', { grant: 'session' });
    await gate.call('order', { remove: true });
    expect(gate.server.ran).toHaveLength(1);
    await gate.call('order', both);
    expect(gate.server.ran).toHaveLength(1);
    const [question] = await gate.services.approvals.listPending();
    expect(JSON.stringify(question?.card)).toContain(
      'It deletes something and spends money or credits.',
    );
    await expect(gate.answer('approve', { grant: 'session' })).rejects.toThrow(
      'does not let a yes cover',
    );
  });

  it('an equal spend is noticed, although the delete is graver', async () => {
    await open(input, several);
    await gate.call('order', both);
    await gate.answer();
    await gate.call('order', both);
    expect(gate.server.ran).toHaveLength(1);
    await gate.call('order', both);
    expect((await gate.receipts()).at(-1)).toMatchObject({ rule: 'duplicate-intent' });
  });

  it('what is shown once is not stored, although the spend is graver', async () => {
    const run = () => ({ result: { content: [], structuredContent: { link: 'hush-hush' } } });
    // oxlint-disable-next-line unicorn/no-thenable -- a key of the policy; its value is a word
    const rules = [{ name: 'all', then: 'allow' }] as const;
    await open(input, several, { policy: { rules }, run });
    const key = { _meta: { 'dev.plimsoll/idempotency-key': 'a-key-of-16-letters' } };
    const args = { pay: true, share: true };
    expect(JSON.stringify(await gate.call('order', args, key))).toContain('hush-hush');
    expect(JSON.stringify(await gate.call('order', args, key))).not.toContain('hush-hush');
    expect(gate.server.ran).toHaveLength(1);
  });
});

it('a default of a server that is not trusted lowers nothing', async () => {
  const inputSchema = {
    type: 'object',
    properties: { action: { type: 'string', enum: ['get', 'delete'], default: 'get' } },
  };
  const tools = [{ name: 'manage_note', description: 'Manages notes.', inputSchema }];
  gate = await GateFixture.open({ tools });
  await gate.call('manage_note', {});
  expect(gate.server.ran).toEqual([]);
  await gate.call('manage_note', { action: 'get' });
  expect(gate.server.ran).toEqual(['manage_note']);
});
