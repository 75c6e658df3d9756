/** The sandbox processor as the process that it is, and the client that reads its answers. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProcessorChild } from './processor-child.ts';
import { openProcessorChild } from './processor-child.ts';
import { nowhere } from './nowhere.ts';
import { processorClient, readAnswer, readFailure } from './processor-client.ts';

let folder: string;
let child: ProcessorChild;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'processor-'));
  child = await openProcessorChild({ database: join(folder, 'charges.db'), slowMs: 300 });
});

afterAll(async () => {
  await child[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

async function post(body: unknown, key?: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${child.url}/charges`, {
    method: 'POST',
    headers: { ...(key !== undefined && { 'idempotency-key': key }) },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

async function count(): Promise<number> {
  const response = await fetch(`${child.url}/charges/count`);
  return ((await response.json()) as { count: number }).count;
}

const OK = { card: 'card_ok', amount_cents: 500, currency: 'AUD' };

describe('the processor', () => {
  it('charges once for one key, however often it is asked', async () => {
    const before = await count();
    const first = await post(OK, 'k-1');
    expect(first).toMatchObject({ status: 201, body: { amount_cents: 500 } });
    const all = await Promise.all(Array.from({ length: 20 }, () => post(OK, 'k-1')));
    for (const again of all) expect(again).toEqual({ status: 200, body: first.body });
    expect(await count()).toBe(before + 1);
  });

  it('refuses one key for two charges', async () => {
    await post(OK, 'k-2');
    const other = await post({ ...OK, amount_cents: 501 }, 'k-2');
    expect(other).toEqual({ status: 409, body: { error: 'key_reused' } });
  });

  it.each([
    ['no key', OK, undefined],
    ['a key that is too long', OK, 'k'.repeat(256)],
    ['no JSON', '{', 'k-3'],
    ['no object', '[]', 'k-3'],
    ['a half cent', { ...OK, amount_cents: 0.5 }, 'k-3'],
    ['less than nothing', { ...OK, amount_cents: -1 }, 'k-3'],
    ['a flood', `"${'x'.repeat(70_000)}"`, 'k-3'],
  ])('refuses %s and charges nothing', async (_, body, key) => {
    const before = await count();
    expect((await post(body, key)).status).toBe(400);
    expect(await count()).toBe(before);
  });

  it('remembers its charges after it was killed', async () => {
    const database = join(folder, 'killed.db');
    const one = await openProcessorChild({ database });
    const charged = await processorClient(one.url).charge({
      key: 'k',
      card: 'card_ok',
      amountCents: 1,
    });
    process.kill(one.pid, 'SIGKILL');
    await using other = await openProcessorChild({ database });
    expect(
      await processorClient(other.url).charge({ key: 'k', card: 'card_ok', amountCents: 1 }),
    ).toEqual(charged);
  });
});

describe('cards, refunds and keys that were given up', () => {
  const client = () => processorClient(child.url);
  const ask = async (path: string, body: object) =>
    (await (
      await fetch(child.url + path, { method: 'POST', body: JSON.stringify(body) })
    ).json()) as Record<string, string>;

  it('turns a token into a card once, for one key', async () => {
    const { token = '' } = await ask('/captures', { card: 'card_amex' });
    const kept = await client().keepCard('keep-1', token);
    expect(kept).toMatchObject({ kind: 'kept', brand: 'amex' });
    expect(await client().keepCard('keep-1', token)).toEqual(kept);
    expect(await client().keepCard('keep-2', token)).toEqual({ kind: 'refused' });
    expect(await client().keepCard('keep-3', 'cct_unknown')).toEqual({ kind: 'refused' });
  });

  it('gives back once for a key, and never more than was charged', async () => {
    const charge = { key: 'sale-1', card: 'card_ok', amountCents: 500, currency: 'usd' };
    const charged = await client().charge(charge);
    const chargeId = charged.kind === 'charged' ? charged.chargeId : '';
    const part = { key: 'back-1', chargeId, amountCents: 300 };
    const first = await client().refund(part);
    expect(first.kind).toBe('charged');
    expect(await client().refund(part)).toEqual(first);
    const more = await client().refund({ key: 'back-2', chargeId, amountCents: 201 });
    expect(more).toEqual({ kind: 'refused', reason: 'amount_too_large' });
    const rest = await client().refund({ key: 'back-3', chargeId, amountCents: 200 });
    expect(rest.kind).toBe('charged');
  });

  it('answers with the charge of a key that is given up, or never charges it', async () => {
    const charge = { card: 'card_ok', amountCents: 100 };
    const charged = await client().charge({ key: 'done', ...charge });
    expect(await client().giveUp('done')).toEqual({
      chargeId: charged.kind === 'charged' ? charged.chargeId : '',
    });
    expect(await client().giveUp('never')).toEqual({ chargeId: null });
    const late = await client().charge({ key: 'never', ...charge });
    expect(late).toEqual({ kind: 'refused', reason: 'key_voided' });
  });

  it('stays with a refusal, whatever the bank says later under the same key', async () => {
    const send = (path: string, body: object, key = '') =>
      fetch(new URL(path, child.url), {
        method: 'POST',
        headers: { ...(key !== '' && { 'idempotency-key': key }) },
        body: JSON.stringify(body),
      }).then(async (response) => (await response.json()) as { token: string; id: string });
    const { token } = await send('/captures', { card: 'card_expired' });
    const { id } = await send('/cards', { token }, 'k-expired-card');
    const charge = { ...OK, card: id };
    const refused = { status: 402, body: { error: 'expired_card' } };
    expect(await post(charge, 'k-expired')).toEqual(refused);
    await send('/cards/change', { id, card: 'card_ok' });
    expect(await post(charge, 'k-expired')).toEqual(refused);
    expect(await post(charge, 'k-expired-2')).toMatchObject({ status: 201 });
  });

  it('tells why a card is declined', async () => {
    const asked = await client().charge({
      key: 'd',
      card: 'card_insufficient_funds',
      amountCents: 1,
    });
    expect(asked).toEqual({ kind: 'refused', reason: 'insufficient_funds' });
  });
});

describe('the client', () => {
  const charge = (card: string, key = card) =>
    processorClient(child.url).charge({ key, card, amountCents: 300 });
  const lookUp = (key: string) => processorClient(child.url).lookUp(key);

  it('reads a yes', async () => {
    expect(await charge('card_ok')).toEqual({ kind: 'charged', chargeId: expect.any(String) });
    expect(await charge('card_slow')).toMatchObject({ kind: 'charged' });
  });

  it('reads a no as final', async () => {
    expect(await charge('card_declined')).toEqual({ kind: 'refused', reason: 'card_declined' });
    expect(await charge('card_unheard_of')).toEqual({ kind: 'refused', reason: 'card_declined' });
    expect(await charge('card_ok', 'card_slow')).toEqual({ kind: 'refused', reason: 'key_reused' });
  });

  it.each(['card_reset_after', 'card_500_after'])(
    '%s is in doubt, and was charged',
    async (card) => {
      expect((await charge(card)).kind).toBe('in-doubt');
      expect(await lookUp(card)).toEqual({ chargeId: expect.any(String) });
    },
  );

  it('card_500_before is in doubt, and was not charged', async () => {
    expect((await charge('card_500_before')).kind).toBe('in-doubt');
    expect(await lookUp('card_500_before')).toEqual({ chargeId: null });
  });

  it('a charge that takes too long is in doubt, and stands', async () => {
    const hasty = processorClient(child.url, 50);
    expect(await hasty.charge({ key: 'hasty', card: 'card_slow', amountCents: 1 })).toMatchObject({
      kind: 'in-doubt',
    });
    await expect.poll(() => lookUp('hasty')).toEqual({ chargeId: expect.any(String) });
  });

  it('nobody there is proof that nothing was sent', async () => {
    const client = processorClient(await nowhere());
    expect(await client.charge({ key: 'k', card: 'card_ok', amountCents: 1 })).toEqual({
      kind: 'not-sent',
    });
    expect(await client.lookUp('k')).toBeUndefined();
  });

  it.each([
    [201, {}],
    [200, 'yes'],
    [302, {}],
    [404, {}],
    [503, { error: 'busy' }],
  ])('an answer %i that says neither yes nor no is doubt', (status, body) => {
    expect(readAnswer(status, body).kind).toBe('in-doubt');
  });

  it('a failure without a reason is doubt', () => {
    expect(readFailure('what?').kind).toBe('in-doubt');
    expect(readFailure(new TypeError('fetch failed')).kind).toBe('in-doubt');
  });
});
