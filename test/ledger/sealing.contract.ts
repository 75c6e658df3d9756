/** What is stored of secrets in answers that a key keeps; run on every store. */
import { randomInt, randomUUID } from 'node:crypto';
import type { OpenLedger } from 'plimsoll/server';
import { openLedger, ProblemError, Secret, shares } from 'plimsoll/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { parseLossless } from '../../src/lib/lossless-json.ts';
import { everythingIn, openOperation } from './outcomes-fixture.ts';

export function sealingContract(name: string, address: () => Promise<string>): void {
  let ledger: OpenLedger;

  beforeAll(async () => {
    ledger = await openLedger(await address(), { key: Buffer.alloc(32, 7), report: () => {} });
  }, 60_000);

  afterAll(async () => {
    await ledger[Symbol.asyncDispose]();
  });

  describe(`secrets in stored answers on ${name}`, () => {
    const output = z.looseObject({ token: z.string() });
    const effect = shares('link', { secrets: ['token'], repeat: 'key-required' });

    it.each<[string, (text: string) => object]>([
      ['nested', (text) => ({ token: text, link: { token: text } })],
      ['nested alone, under the declared name', (text) => ({ token: '', link: { token: text } })],
      ['in a list', (text) => ({ token: text, all: [text, { url: `https://x.test/?t=${text}` }] })],
      ['as a key', (text) => ({ token: text, by: { [text]: 1 } })],
    ])('are not kept %s', async (_, answer) => {
      const text = `s3cret-${randomUUID()}`;
      const { call } = openOperation(ledger, { class: 'opaque' }, () => answer(text), {
        output,
        effect,
      });
      const keyed = { kind: 'success', value: answer(text) };
      expect(await call()).toEqual(keyed);
      const again = await call();
      expect(again).toMatchObject({ kind: 'success', replayed: true });
      expect(JSON.stringify(again)).not.toContain(text);
      expect(await everythingIn(ledger)).not.toContain(text);
    });

    it.each<[string, (text: string) => unknown]>([
      ['a list', (text) => [text, 'other']],
      ['an object', (text) => ({ user: 'bob', password: text })],
      ['a list of objects', (text) => [{ code: text }]],
      ['a wrapped one in a list', (text) => [new Secret(text)]],
    ])('are not kept where the declared field is %s', async (_, field) => {
      const text = `s3cret-${randomUUID()}`;
      const { call } = openOperation(ledger, { class: 'opaque' }, () => ({ token: field(text) }), {
        output: z.looseObject({ token: z.unknown() }),
        effect,
      });
      expect(JSON.stringify(await call())).toContain(text);
      expect(await call()).toMatchObject({ kind: 'success', replayed: true });
      expect(await everythingIn(ledger)).not.toContain(text);
    });

    it('are not kept where the declared field is a number', async () => {
      const digits = randomInt(1e12, 1e13);
      const answer = { token: digits, also: digits, note: `Code ${digits}`, amount: 100 };
      const { call } = openOperation(ledger, { class: 'opaque' }, () => answer, {
        output: z.looseObject({ token: z.number() }),
        effect,
      });
      expect(await call()).toMatchObject({ value: answer });
      expect(await call()).toMatchObject({ replayed: true, value: { amount: 100 } });
      expect(await everythingIn(ledger)).not.toContain(String(digits));
    });

    it.each<[string, (text: string) => string]>([
      ['a URL', (text) => encodeURIComponent(text)],
      ['hex', (text) => Buffer.from(text).toString('hex')],
      ['base64', (text) => Buffer.from(text).toString('base64')],
      ['base64url', (text) => Buffer.from(text).toString('base64url')],
      ['a header with one letter before', (text) => Buffer.from(`a${text}`).toString('base64')],
      ['a header with two letters before', (text) => Buffer.from(`a:${text}`).toString('base64')],
      ['JSON in a text', (text) => JSON.stringify(text).slice(1, -1)],
    ])('are not kept as part of %s', async (_, encode) => {
      const text = `s3cret-${randomUUID()}/+"ä?>`;
      const answer = { token: text, url: `https://x.test/?t=${encode(text)}&n=1` };
      const { call } = openOperation(ledger, { class: 'opaque' }, () => answer, { output, effect });
      expect(await call()).toMatchObject({ value: answer });
      const stored = await everythingIn(ledger);
      // Without the letters at the ends, which may belong to what is beside it.
      expect(stored).not.toContain(encode(text).slice(4, -4));
      expect(stored).toContain('&n=1');
    });

    it('leave every digit of other numbers as it is', async () => {
      const answer = parseLossless('{"token":"abcdefghijkl","order":12345678901234567890}');
      const standard = output['~standard'];
      const lenient = { '~standard': { ...standard, validate: (value: unknown) => ({ value }) } };
      const { call } = openOperation(ledger, { class: 'opaque' }, () => answer, {
        output: lenient,
        effect,
      });
      await call();
      expect(JSON.stringify(await call())).toContain('"order":12345678901234567890');
    });

    it('are not kept in the detail of a problem', async () => {
      let text = '';
      const { call } = openOperation(ledger, { class: 'opaque' }, async ({ mint }) => {
        text = await mint();
        throw new ProblemError('conflict', `The link ${text} exists.`);
      });
      await call();
      expect(text).not.toBe('');
      expect(JSON.stringify(await call())).not.toContain(text);
      expect(await everythingIn(ledger)).not.toContain(text);
    });

    it('are not kept where an operation that declares none returns what it minted', async () => {
      let text = '';
      const { call } = openOperation(ledger, { class: 'opaque' }, async ({ mint }) => {
        text = await mint();
        return { note: `see ${text}` };
      });
      expect(JSON.stringify(await call())).toContain(text);
      expect(JSON.stringify(await call())).not.toContain(text);
      expect(await everythingIn(ledger)).not.toContain(text);
    });

    it('are not kept where a wrapped one is repeated as text', async () => {
      const text = `s3cret-${randomUUID()}`;
      const { call } = openOperation(
        ledger,
        { class: 'opaque' },
        () => ({ token: new Secret(text), also: [text] }),
        { output, effect },
      );
      expect(await call()).toMatchObject({ value: { token: text, also: [text] } });
      expect(JSON.stringify(await call())).not.toContain(text);
      expect(await everythingIn(ledger)).not.toContain(text);
    });
  });
}
