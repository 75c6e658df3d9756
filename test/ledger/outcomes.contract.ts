/** Which outcomes a key keeps, and what is stored of them; run on every store. */
import { randomUUID } from 'node:crypto';
import type { OpenLedger } from 'plimsoll/server';
import {
  createServer,
  creates,
  defineOperation,
  openLedger,
  ProblemError,
  spends,
} from 'plimsoll/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { callInProcess } from '../support/call-in-process.ts';
import { openOperation, receiptsOf, stateOf } from './outcomes-fixture.ts';

const CLASSES = ['local', 'dedup', 'lookup', 'opaque'] as const;
const FRESH = z.object({ text: z.string().describe('What for') });

export function outcomesContract(name: string, address: () => Promise<string>): void {
  let ledger: OpenLedger;

  beforeAll(async () => {
    ledger = await openLedger(await address(), { key: Buffer.alloc(32, 7), report: () => {} });
  }, 60_000);

  afterAll(async () => {
    await ledger[Symbol.asyncDispose]();
  });

  const open = (
    ...args: Parameters<typeof openOperation> extends [unknown, ...infer Rest] ? Rest : never
  ) => openOperation(ledger, ...args);

  describe(`a refusal under a key on ${name}`, () => {
    it.each(['unavailable', 'payment-required', 'rate-limited', 'token-expired'] as const)(
      'that may pass is not kept: the same key runs again (%s)',
      async (code) => {
        let refuse = true;
        const { call, operation } = open({ class: 'opaque' }, () => {
          if (refuse) throw new ProblemError(code, 'Not now.');
          return { text: 'paid' };
        });
        expect(await call()).toMatchObject({ problem: { code } });
        expect(await stateOf(ledger, operation)).toBe('');
        refuse = false;
        expect(await call()).toEqual({ kind: 'success', value: { text: 'paid' } });
      },
    );

    it.each(['forbidden', 'not-found', 'conflict', 'stale-version'] as const)(
      'that is final is replayed (%s)',
      async (code) => {
        let runs = 0;
        const { call } = open({ class: 'opaque' }, () => {
          runs += 1;
          throw new ProblemError(code, 'No.');
        });
        const first = await call();
        expect(await call()).toEqual({ ...first, replayed: true });
        expect(runs).toBe(1);
      },
    );

    it.each(['not-found', 'payment-required', 'unavailable'] as const)(
      'never blocks the content of a derived key (%s)',
      async (code) => {
        let refuse = true;
        const effect = creates('note', { repeat: 'key-derived' });
        const work = () => {
          if (refuse) throw new ProblemError(code, 'Not now.');
          return { text: 'made' };
        };
        const { derived } = open({ class: 'opaque' }, work, { effect });
        expect(await derived()).toMatchObject({ problem: { code } });
        refuse = false;
        expect(await derived()).toEqual({ kind: 'success', value: { text: 'made' } });
        expect(await derived()).toMatchObject({ kind: 'success', replayed: true });
      },
    );

    it('that says the work may have been done leaves the outcome unknown', async () => {
      const { call, operation } = open({ class: 'lookup' }, () => {
        throw new ProblemError('outcome-doubtful', 'The bank did not answer.');
      });
      expect(await call()).toMatchObject({ problem: { code: 'outcome-doubtful' } });
      expect(await stateOf(ledger, operation)).toBe('UNKNOWN');
      expect(await call()).toMatchObject({ problem: { code: 'outcome-unknown' } });
    });
  });

  describe(`what an operation throws or returns on ${name}`, () => {
    const circular = (): object => {
      const error: Record<string, unknown> = {};
      error['self'] = error;
      return error;
    };
    const throwing = FRESH.refine(() => {
      throw new Error('the schema saw hunter2');
    });

    it.each(CLASSES)(
      'a BigInt, which no JSON can hold, is an invalid output (%s)',
      async (kind) => {
        const { call, operation } = open({ class: kind }, () => ({ text: 12n }));
        expect(await call()).toMatchObject({ problem: { code: 'invalid-output' } });
        expect(await stateOf(ledger, operation)).toBe(kind === 'local' ? '' : 'SUCCEEDED');
        expect(await receiptsOf(ledger, operation)).toEqual(['ran invalid-output']);
      },
    );

    it.each([
      ['a circular result', circular],
      ['a function', () => () => 1],
      ['a result whose parts throw', () => new Proxy({}, { ownKeys: () => raise() })],
    ])('%s is an invalid output, and nothing is left open', async (_, work) => {
      const { call, operation } = open({ class: 'opaque' }, work);
      const outcome = await call();
      expect(outcome).toMatchObject({ problem: { code: 'invalid-output' } });
      expect(JSON.stringify(outcome)).not.toContain('hunter2');
      expect(await stateOf(ledger, operation)).toBe('SUCCEEDED');
      expect(await receiptsOf(ledger, operation)).toEqual(['ran invalid-output']);
    });

    it.each(CLASSES)('a result that is not the same twice is read once (%s)', async (kind) => {
      let reads = 0;
      const work = (): object => ({
        get text() {
          reads += 1;
          return reads === 1 ? 'first' : raise();
        },
      });
      const { call, operation } = open({ class: kind }, work);
      const first = await call();
      expect(first).toEqual({ kind: 'success', value: { text: 'first' } });
      expect(await call()).toEqual({ ...first, replayed: true });
      expect(await stateOf(ledger, operation)).toBe('SUCCEEDED');
      expect(await receiptsOf(ledger, operation)).toEqual(['ran success', 'replayed success']);
    });

    it('a result that is changed after it was returned stays what it was', async () => {
      const live = { text: 'first' };
      const { call } = open({ class: 'opaque' }, () => live);
      const first = await call();
      live.text = 'second';
      expect(first).toEqual({ kind: 'success', value: { text: 'first' } });
    });

    it('an output schema that throws is an invalid output', async () => {
      const { call, operation } = open({ class: 'opaque' }, () => ({ text: 'x' }), {
        output: throwing,
      });
      const outcome = await call();
      expect(outcome).toMatchObject({ problem: { code: 'invalid-output' } });
      expect(JSON.stringify(outcome)).not.toContain('hunter2');
      expect(await stateOf(ledger, operation)).toBe('SUCCEEDED');
      expect(await receiptsOf(ledger, operation)).toEqual(['ran invalid-output']);
    });

    it('an input schema that throws is an internal error with a receipt, and nothing runs', async () => {
      let runs = 0;
      const { call, operation } = open({ class: 'opaque' }, () => (runs += 1), {
        input: throwing,
      });
      const outcome = await call();
      expect(outcome).toMatchObject({ problem: { code: 'internal-error' } });
      expect(JSON.stringify(outcome)).not.toContain('hunter2');
      expect(await receiptsOf(ledger, operation)).toEqual(['refused internal-error']);
      expect(runs).toBe(0);
    });

    it.each([
      ['a circular value', circular],
      ['nothing', () => undefined],
      ['a value that cannot be examined', () => new Proxy({}, { getPrototypeOf: () => raise() })],
    ])('throwing %s leaves no key open', async (_, value) => {
      const { call, operation } = open({ class: 'opaque' }, () => {
        // Anything can be thrown in JavaScript, whatever lint says of it here.
        throw value() as Error;
      });
      expect(await call()).toMatchObject({ problem: { code: 'outcome-doubtful' } });
      expect(await stateOf(ledger, operation)).toBe('UNKNOWN');
      expect(await receiptsOf(ledger, operation)).toEqual(['ran outcome-doubtful']);
    });

    it('a problem with fields that no JSON can hold keeps its code and detail', async () => {
      const { call, operation } = open({ class: 'opaque' }, () => {
        throw new ProblemError('conflict', 'Sold.', { current: 12n as never });
      });
      const outcome = await call();
      expect(outcome).toMatchObject({ problem: { code: 'conflict', detail: 'Sold.' } });
      expect(await call()).toEqual({ ...outcome, replayed: true });
      expect(await receiptsOf(ledger, operation)).toEqual(['ran conflict', 'replayed conflict']);
    });

    it('a report that throws changes nothing', async () => {
      const operation = defineOperation({
        name: `loud_${randomUUID().slice(0, 8)}`,
        title: 'Loud',
        description: 'Fails.',
        input: z.object({}),
        effect: spends('EUR'),
        run: () => {
          throw new Error('no');
        },
      });
      const report = (): void => raise();
      const server = createServer({
        name: 's',
        version: '1',
        operations: [operation],
        ledger,
        report,
      });
      const outcome = await callInProcess(server, operation, {}, { key: randomUUID() });
      expect(outcome).toMatchObject({ problem: { code: 'outcome-doubtful' } });
      expect(await receiptsOf(ledger, operation)).toEqual(['ran outcome-doubtful']);
    });

    it('data that looks like a reply is data', async () => {
      const value = { kind: 'reply', content: 'hello', to: 'bob' };
      const { call } = open({ class: 'opaque' }, () => value);
      expect(await call()).toEqual({ kind: 'success', value });
      expect(await call()).toEqual({ kind: 'success', value, replayed: true });
    });
  });

  describe(`a local operation on ${name}`, () => {
    it('with an invalid output has done nothing, and its key runs again', async () => {
      const table = `notes_${randomUUID().replaceAll('-', '')}`;
      await ledger.store.transaction((tx) => tx.execute(`CREATE TABLE ${table} (text TEXT)`));
      const answers: unknown[] = [{ text: 7 }, { text: 'fine' }];
      const { call, operation } = open(
        { class: 'local' },
        async ({ execute }) => {
          await execute(`INSERT INTO ${table} (text) VALUES ('milk')`);
          return answers.shift();
        },
        { output: FRESH },
      );
      expect(await call()).toMatchObject({ problem: { code: 'invalid-output' } });
      expect(await stateOf(ledger, operation)).toBe('');
      expect(await call()).toEqual({ kind: 'success', value: { text: 'fine' } });
      const rows = await ledger.store.transaction((tx) => tx.execute(`SELECT text FROM ${table}`));
      expect(rows).toHaveLength(1);
    });
  });
}

function raise(): never {
  throw new Error('hunter2');
}
