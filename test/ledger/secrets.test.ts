/** One-time secrets through the whole kit: shown once, kept nowhere. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { trace } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import type { OpenLedger, PlimsollServer, Recorded } from 'plimsoll/server';
import { createServer, creates, defineOperation, openLedger, reads, shares } from 'plimsoll/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { redactSecrets } from '../../src/lib/find-secret-tokens.ts';
import { callInProcess } from '../support/call-in-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-secrets-'));
const logs: string[] = [];
const spans = new InMemorySpanExporter();
let ledger: OpenLedger;
let server: PlimsollServer;

const share = defineOperation({
  name: 'share.link.create',
  title: 'Create Share Link',
  description: 'Makes a link that can be opened once.',
  input: z.object({ item: z.string().describe('What to share') }),
  output: z.object({ id: z.string(), token: z.string() }),
  effect: shares('link', { secrets: ['token'], repeat: 'key-optional' }),
  partner: { class: 'opaque' },
  run: async ({ item }, { secrets }) => {
    const issued = await secrets?.mint({ prefix: 'canary', subject: item, ttlSeconds: 600 });
    if (issued === undefined) throw new Error('no ledger');
    return { id: issued.id, token: issued.secret.reveal() };
  },
});

const redeem = defineOperation({
  name: 'share.link.redeem',
  title: 'Redeem Share Link',
  description: 'Opens a link.',
  input: z.object({ token: z.string().describe('The secret of the link') }),
  output: z.object({ item: z.string().nullable() }),
  effect: creates('visit'),
  run: async ({ token }, { secrets }) => ({
    item: (await secrets?.redeem(token))?.subject ?? null,
  }),
});

const clumsy = defineOperation({
  name: 'clumsy',
  title: 'Clumsy Tool',
  description: 'Throws its argument about.',
  input: z.object({ text: z.string().describe('Anything') }),
  effect: reads('nothing'),
  run: ({ text }) => {
    throw new Error(`could not use ${text}`);
  },
});

beforeAll(async () => {
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }),
  );
  ledger = await openLedger(`sqlite:${join(folder, 'ledger.sqlite')}`, { arguments: 'redacted' });
  server = createServer({
    name: 'shop',
    version: '1',
    operations: [share, redeem, clumsy],
    ledger,
    report: (message, cause) => void logs.push(redactSecrets(`${message} ${inspect(cause)}`)),
  });
});

afterAll(async () => {
  trace.disable();
  await ledger[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

async function call(name: string, args: object, key?: string): Promise<Recorded> {
  const operation = server.operations.get(name);
  if (operation === undefined) throw new Error(`no ${name}`);
  return callInProcess(server, operation, args, { key });
}

function valueOf(outcome: Recorded): Record<string, string | null> {
  if (outcome.kind !== 'success') throw new Error(inspect(outcome));
  return outcome.value as Record<string, string | null>;
}

describe('a one-time secret', () => {
  it('R146: is shown once; a replay tells only that it was delivered', async () => {
    const key = 'key-of-this-share-1';
    const first = valueOf(await call('share.link.create', { item: 'map' }, key));
    const again = await call('share.link.create', { item: 'map' }, key);
    expect(first['token']).toMatch(/^canary_[0-9A-Za-z]{30,}$/);
    expect(again).toMatchObject({
      replayed: true,
      value: { id: first['id'], token: 'secret-already-delivered' },
    });
  });

  it('R108: without a key, a repeat mints a new one', async () => {
    const [first, second] = [
      valueOf(await call('share.link.create', { item: 'map' })),
      valueOf(await call('share.link.create', { item: 'map' })),
    ];
    expect(first['token']).not.toBe(second['token']);
  });

  it('R149: opens what it was made for, once, for whoever has it', async () => {
    const { token } = valueOf(await call('share.link.create', { item: 'map 7' }));
    expect(valueOf(await call('share.link.redeem', { token }))['item']).toBe('map 7');
    expect(valueOf(await call('share.link.redeem', { token }))['item']).toBeNull();
  });

  it('is redeemed by one of many who try at once', async () => {
    const { token } = valueOf(await call('share.link.create', { item: 'map 8' }));
    const tries = await Promise.all(
      Array.from({ length: 50 }, () => call('share.link.redeem', { token })),
    );
    expect(tries.filter((each) => valueOf(each)['item'] === 'map 8')).toHaveLength(1);
  });

  it('is useless when revoked, expired, mistyped or unknown, and all look the same', async () => {
    const issuer = ledger.secrets.issuerFor(undefined);
    const revoked = await issuer.mint({ prefix: 'share', subject: 'x', ttlSeconds: 600 });
    expect(await issuer.revoke(revoked.id)).toBe(true);
    const expired = await issuer.mint({ prefix: 'share', subject: 'x', ttlSeconds: -1 });
    const bad = [
      revoked.secret.reveal(),
      expired.secret.reveal(),
      'share_nonsense',
      `${revoked.secret.reveal()}x`,
    ];
    for (const text of bad) expect(await issuer.redeem(text)).toBeUndefined();
  });
});

const ENCODINGS: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  base64: (text) => Buffer.from(text).toString('base64').replaceAll('=', ''),
  hex: (text) => Buffer.from(text).toString('hex'),
  percent: (text) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16)}`).join(''),
  escaped: (text) =>
    text.replaceAll(/./g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`),
};

describe('canaries', () => {
  it('R148: 10,000 secrets in five encodings: none in the database file, logs, traces, receipts or errors', async () => {
    const canaries: string[] = [];
    const errors: string[] = [];
    for (let batch = 0; batch < 100; batch += 1) {
      const made = await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          call(
            'share.link.create',
            { item: `item ${batch}.${index}` },
            `canary-key-number-${batch}-${index}`,
          ),
        ),
      );
      canaries.push(...made.map((each) => valueOf(each)['token'] ?? ''));
    }
    expect(new Set(canaries).size).toBe(10_000);
    // Each is thrown about in one encoding, a fifth of them in each.
    const encoders = Object.values(ENCODINGS);
    for (const [index, canary] of canaries.entries()) {
      const encode = encoders[index % encoders.length] ?? String;
      errors.push(JSON.stringify(await call('clumsy', { text: `see ${encode(canary)} there` })));
    }
    await ledger.flush();
    await ledger.store.transaction((tx) => tx.execute('SELECT 1'));

    const files = readdirSync(folder).map((name) =>
      readFileSync(join(folder, name)).toString('latin1'),
    );
    const places = {
      files: files.join('\n'),
      logs: logs.join('\n'),
      errors: errors.join('\n'),
      spans: inspect(
        spans.getFinishedSpans().map(({ name, attributes, status }) => [name, attributes, status]),
        { depth: 5, maxArrayLength: null },
      ),
    };
    expect(files.join('').length).toBeGreaterThan(1_000_000);
    expect(logs).toHaveLength(10_000);
    // Every canary begins alike, in every encoding, so one look for the beginning finds any of them.
    // The last letter of base64 also depends on what follows.
    const beginnings = Object.entries(ENCODINGS).map(([name, encode]) =>
      (name === 'base64' ? encode('canary_').slice(0, -1) : encode('canary_')).toLowerCase(),
    );
    const holds = (text: string) => beginnings.some((each) => text.toLowerCase().includes(each));
    for (const encode of Object.values(ENCODINGS))
      expect(holds(encode(canaries[0] ?? ''))).toBe(true);
    for (const [place, text] of Object.entries(places))
      expect([place, holds(text)]).toEqual([place, false]);
  }, 300_000);
});

describe('traces', () => {
  it('have one span for each call, by the conventions, without arguments', async () => {
    spans.reset();
    await call('share.link.redeem', { token: 'private words' });
    await call('clumsy', { text: 'private words' });
    expect(
      spans.getFinishedSpans().map(({ name, attributes }) => [name, attributes['error.type']]),
    ).toEqual([
      ['tools/call share.link.redeem', undefined],
      ['tools/call clumsy', 'tool_error'],
    ]);
    expect(spans.getFinishedSpans()[0]?.attributes).toMatchObject({
      'mcp.method.name': 'tools/call',
      'gen_ai.tool.name': 'share.link.redeem',
      'gen_ai.operation.name': 'execute_tool',
    });
    expect(inspect(spans.getFinishedSpans()[1]?.attributes)).not.toContain('private');
  });
});
