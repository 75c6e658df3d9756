/** What is stored of secrets in answers that a key keeps; run on every store. */
import { randomUUID } from 'node:crypto';
import type { OpenLedger } from 'plimsoll/server';
import { openLedger, ProblemError, Secret, shares } from 'plimsoll/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
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
