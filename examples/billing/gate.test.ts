/** The client rules of the seed, through a real gate in front of the running server. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import type { Tool } from '@modelcontextprotocol/client';
import type { Hints } from 'plimsoll';
import { epd, expandNames, safetyClassOf, stamp } from 'plimsoll';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GatedBilling } from './gated-billing.ts';
import { openGatedBilling } from './gated-billing.ts';
import { runMonth } from './merchant-month.ts';
import { ADDRESS, captureCard, DAY, readBooks, someone, totals } from './test-billing.ts';

let byEffect: GatedBilling;
let byHint: GatedBilling;
let tools: readonly Tool[];

beforeAll(async () => {
  [byEffect, byHint] = await Promise.all([
    openGatedBilling({ mode: 'sandbox' }),
    openGatedBilling({ mode: 'live', retries: 'by-hint' }),
  ]);
  ({ tools } = await byEffect.client.listTools());
});

afterAll(async () => {
  await byEffect[Symbol.asyncDispose]();
  await byHint[Symbol.asyncDispose]();
});

/** A customer who is subscribed. */
async function subscribe({ billing, call }: GatedBilling) {
  const plans = await call('list_plans', { active: true });
  const [plan] = plans.body['data'] as { id: string }[];
  const made = await call('create_customer_and_subscribe', {
    ...someone(),
    shipping: ADDRESS,
    card_token: await captureCard(billing.processor.url),
    plan_id: plan?.id,
    billing_cycle: { interval: 'month', interval_count: 1 },
    idempotency_key: randomUUID(),
  });
  return made.body as { customer: { id: string }; subscription: { id: string } };
}

const safeTools = () => tools.filter(({ annotations }) => annotations?.readOnlyHint === true);

describe('browsing by safety', () => {
  const classed = (name: string) =>
    tools
      .filter(({ annotations }) => safetyClassOf({ ...annotations } as Hints) === name)
      .map((tool) => tool.name);
  const listed = (name: 'safe' | 'needs-approval') =>
    expandNames(
      epd.classes?.[name] ?? [],
      tools.map((tool) => tool.name),
    );

  it('R85 R208: the safe tools of the served list are the expanded read list, and two that it does not name', () => {
    expect(classed('safe').toSorted()).toEqual(
      [...listed('safe'), 'retrieve_coupon', 'validate_coupon'].toSorted(),
    );
  });

  it('R86 R208: the served tools that need approval are the expanded list, and three that are newer than it', () => {
    expect(classed('needs-approval').toSorted()).toEqual(
      [
        ...listed('needs-approval'),
        'archive_coupon',
        'retry_order',
        'rotate_webhook_secret',
      ].toSorted(),
    );
  });

  it('R225: every served tool is in one of three classes', () => {
    const sizes = ['safe', 'mutating', 'needs-approval'].map((name) => classed(name).length);
    expect(sizes).toEqual([29, 22, 16]);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(67);
  });

  it('R87: the served entry of cancel_subscription is that of the example', () => {
    const entry = tools.find(({ name }) => name === 'cancel_subscription');
    expect(entry).toMatchObject({
      description:
        'Cancel an existing subscription. Cancelling at period end keeps access until the period closes.',
      inputSchema: { type: 'object' },
    });
    expect(entry?.annotations).toStrictEqual({
      title: 'Cancel subscription',
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: false,
    });
  });

  it('R209: the served list has destructive tools that are repeatable and others that are not destructive, in both kinds', () => {
    const pairs = tools.map(({ annotations }) =>
      [annotations?.destructiveHint, annotations?.idempotentHint].join(' '),
    );
    expect(new Set(pairs)).toEqual(new Set(['false true', 'true true', 'false false']));
  });

  it('R226: composite tools carry the gravest of their acts', () => {
    const { operations } = byEffect.billing.server;
    const hintsOf = (name: string) => {
      const operation = operations.get(name);
      return operation && stamp(operation, epd).annotations;
    };
    expect(operations.get('refund_and_cancel')?.effect).toMatchObject({
      act: 'cancel',
      tier: 'destructive',
      also: [{ act: 'refund' }],
    });
    expect(hintsOf('refund_and_cancel')?.destructiveHint).toBe(true);
    expect(hintsOf('cancel_subscription_and_report')?.destructiveHint).toBe(true);
    expect(operations.get('create_customer_and_charge')?.effect).toMatchObject({
      act: 'spend',
      also: [{ act: 'create' }, { act: 'create' }],
    });
  });
});

describe('what runs and what asks', () => {
  it('R228: reads, summaries and reports run without a person, in the sandbox and live', async () => {
    for (const gated of [byEffect, byHint]) {
      const { customer } = await subscribe(gated);
      const before = gated.asked.length;
      const period = { from: '2026-01-01T00:00:00Z', to: '2027-01-01T00:00:00Z' };
      expect((await gated.call('get_revenue_summary', period)).status).toBe(200);
      const of = { customer_id: customer.id };
      expect((await gated.call('get_customer_financial_summary', of)).status).toBe(200);
      expect((await gated.call('list_past_due_subscriptions')).status).toBe(200);
      for (const { name, inputSchema } of safeTools()) {
        if ((inputSchema.required ?? []).length === 0) await gated.call(name);
      }
      expect(gated.asked.slice(before)).toEqual([]);
    }
  });

  it('asks before every destructive tool and every charge', async () => {
    for (const gated of [byEffect, byHint]) {
      const { customer, subscription } = await subscribe(gated);
      const before = gated.asked.length;
      const steps = [
        ['refund_and_cancel', { subscription_id: subscription.id, idempotency_key: randomUUID() }],
        ['delete_customer', { id: customer.id }],
      ] as const;
      for (const [name, args] of steps) {
        expect(await gated.call(name, args)).toMatchObject({ status: 200 });
      }
      expect(gated.asked.slice(before)).toEqual(steps.map(([name]) => name));
      expect(gated.asked).toContain('create_customer_and_subscribe');
    }
  });

  it('is stricter in live: what the policy lets run in the sandbox asks there', async () => {
    const make = async (gated: GatedBilling) => {
      const before = gated.asked.length;
      const made = await gated.call('create_product', {
        name: 'Beans',
        description: 'Freshly roasted.',
        pricing: { amount: 1200, currency: 'usd' },
        requires_shipping: false,
        sku: `beans-${randomUUID().slice(0, 8)}`,
      });
      expect(made.status).toBe(200);
      return gated.asked.slice(before);
    };
    expect((await byEffect.call('ping')).body['environment']).toBe('test');
    expect(await make(byEffect)).toEqual([]);
    expect((await byHint.call('ping')).body['environment']).toBe('live');
    expect(await make(byHint)).toEqual(['create_product']);
  });

  it('gives a decline as a 402, over MCP as over HTTP', async () => {
    const { billing, call } = byEffect;
    const token = await captureCard(billing.processor.url, 'card_expired');
    const [plan] = (await call('list_plans', { active: true })).body['data'] as { id: string }[];
    const args = {
      ...someone(),
      card_token: token,
      plan_id: plan?.id,
      billing_cycle: { interval: 'month', interval_count: 1 },
      idempotency_key: randomUUID(),
    };
    const refused = await call('create_customer_and_subscribe', args);
    expect(refused).toMatchObject({ status: 402, body: { code: 'payment-required' } });
    expect(refused.body['detail']).toContain('expired_card');
  });
});

describe('calls that reach out', () => {
  it('are in a log of their own, though no hint says so', async () => {
    const { call, ledger } = byHint;
    const made = await call('create_webhook_endpoint', {
      url: 'https://hooks.harbour.example/own-log',
      enabled_events: ['*'],
    });
    await call('create_customer', someone());
    const events = await call('list_webhook_events', { id: made.body['id'], limit: 1 });
    const [event] = events.body['data'] as { id: string }[];
    await call('test_webhook_endpoint', { id: made.body['id'] });
    await call('replay_webhook_event', { endpoint_id: made.body['id'], event_id: event?.id });
    const out = tools.filter(({ annotations }) => annotations?.openWorldHint === true);
    expect(out).toEqual([]);
    const flags = ['--open-world', '--ledger', ledger, '--json'];
    const { stdout } = await promisify(execFile)('bin/plimsoll', ['audit', 'list', ...flags]);
    const logged = (JSON.parse(stdout) as { operation: string }[]).map(
      ({ operation }) => operation,
    );
    expect(logged).toEqual(
      expect.arrayContaining(['test_webhook_endpoint', 'replay_webhook_event']),
    );
    // The gate goes by what it understands of a tool, which is more than these two; but nothing that only reads.
    expect(safeTools().filter(({ name }) => logged.includes(name))).toEqual([]);
  });
});

describe('a lost answer', () => {
  const sentFor = async (
    gated: GatedBilling,
    tool: string,
    args: object,
    fault: 'cut' | 'bad-gateway',
  ) => {
    const before = gated.sent.get(tool) ?? 0;
    gated.fail(tool, fault);
    const answer = await gated.call(tool, args);
    return { times: (gated.sent.get(tool) ?? 0) - before, answer };
  };

  it.each(['cut', 'bad-gateway'] as const)(
    'R138 R143: after %s a read is sent again, and a delivery that is not repeatable is not',
    async (fault) => {
      expect(await sentFor(byEffect, 'list_orders', {}, fault)).toMatchObject({
        times: 2,
        answer: { status: 200 },
      });
      const url = 'https://hooks.harbour.example/books';
      const made = await byEffect.call('create_webhook_endpoint', { url, enabled_events: ['*'] });
      const id = made.body['id'];
      const move = { id, version: '2026-03-01' };
      const told = await sentFor(byEffect, 'test_webhook_endpoint', { id }, fault);
      expect(told.times).toBe(1);
      expect(told.answer.status).not.toBe(200);
      // Repeatable by its hint, but of a tier that asks: by effect it is not sent again.
      expect((await sentFor(byEffect, 'upgrade_webhook_version', move, fault)).times).toBe(1);
    },
  );

  it.each(['cut', 'bad-gateway'] as const)(
    'R145: after %s every tool that claims idempotentHint is sent again, if the policy leaves it to the hints',
    async (fault) => {
      const { subscription } = await subscribe(byHint);
      const cancel = { id: subscription.id };
      const before = byHint.asked.length;
      expect(await sentFor(byHint, 'cancel_subscription', cancel, fault)).toMatchObject({
        times: 2,
        answer: { status: 200, body: { status: 'canceled' } },
      });
      // One question, one yes, whatever happened to the line.
      expect(byHint.asked.slice(before)).toEqual(['cancel_subscription']);
      const made = await byHint.call('create_webhook_endpoint', {
        url: 'https://hooks.harbour.example/live',
        enabled_events: ['*'],
      });
      const told = await sentFor(byHint, 'test_webhook_endpoint', { id: made.body['id'] }, fault);
      expect(told.times).toBe(1);
    },
  );

  it('charges once, whichever way the answer was lost', async () => {
    for (const gated of [byEffect, byHint]) {
      for (const fault of ['cut', 'bad-gateway'] as const) {
        const count = async () =>
          (
            (await (await fetch(`${gated.billing.processor.url}/charges/count`)).json()) as {
              count: number;
            }
          ).count;
        const before = await count();
        gated.fail('create_customer_and_subscribe', fault);
        await subscribe(gated);
        expect(await count()).toBe(before + 1);
      }
    }
  });
});

describe("the merchant's month", () => {
  it('is the same through the gate, with a yes where one is due', async () => {
    await using gated = await openGatedBilling({ mode: 'sandbox' });
    const { billing, call } = gated;
    const takesKey = new Set(
      tools.flatMap(({ name, inputSchema }) =>
        Object.hasOwn(inputSchema.properties ?? {}, 'idempotency_key') ? [name] : [],
      ),
    );
    const month = await runMonth(
      {
        call: (name, args, key) =>
          call(name, takesKey.has(name) ? { ...args, idempotency_key: key } : args),
        pass: (days) => billing.pass(days * DAY),
        processorUrl: billing.processor.url,
        hookUrl: 'https://hooks.harbour.example/month',
      },
      'gated',
    );
    expect(month.called.size).toBe(67);
    const { sales, refunds } = month;
    expect(totals(await readBooks(billing.processor.url))).toEqual({ sales, refunds });
    const destructive = tools.filter(({ annotations }) => annotations?.destructiveHint === true);
    const yes = new Set(gated.asked);
    expect(destructive.map(({ name }) => name).filter((name) => !yes.has(name))).toEqual([]);
    expect(safeTools().filter(({ name }) => yes.has(name))).toEqual([]);
  }, 60_000);
});
