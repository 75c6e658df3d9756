/** Which outcomes a key keeps, and what is stored of them; run on every store. */
import { randomUUID } from 'node:crypto';
import type { OpenLedger, Operation, Partner, PlimsollServer, Recorded } from 'plimsoll/server';
import {
  createServer,
  creates,
  defineOperation,
  openLedger,
  ProblemError,
  Secret,
  shares,
  spends,
} from 'plimsoll/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { callInProcess } from '../support/call-in-process.ts';

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

  function serve(operation: Operation): PlimsollServer {
    const operations = [operation];
    return createServer({ name: 's', version: '1', operations, ledger, report: () => {} });
  }

  type Work = (call: {
    readonly execute: (sql: string) => Promise<unknown>;
    readonly mint: () => Promise<string>;
  }) => unknown;

  /** A keyed operation that does what the test puts into `work`, and the calls of one key. */
  function open(partner: Partner, work: Work, changes: object = {}) {
    const operation = defineOperation({
      name: `pay_${randomUUID().slice(0, 8)}`,
      title: 'Pay',
      description: 'Pays.',
      input: z.object({ text: z.string().describe('What for') }),
      effect: spends('EUR cents'),
      partner,
      run: async (_: unknown, { transaction, secrets }) =>
        work({
          execute: async (sql) => transaction?.execute(sql),
          mint: async () => {
            const init = { prefix: 'share', subject: 'x', ttlSeconds: 60 };
            return (await secrets?.mint(init))?.secret.reveal() ?? '';
          },
        }) as never,
      ...changes,
    });
    const server = serve(operation);
    const key = randomUUID();
    const call = (): Promise<Recorded> =>
      callInProcess(server, operation, { text: 'milk' }, { key });
    const derived = (): Promise<Recorded> => callInProcess(server, operation, { text: 'milk' });
    return { operation, call, derived };
  }

  async function stateOf({ name: operation }: Operation): Promise<string | undefined> {
    const rows = await ledger.store.transaction((tx) =>
      tx.execute('SELECT state FROM key_records WHERE operation = ?', [operation]),
    );
    return rows.map((row) => String(row['state'])).join();
  }

  async function receiptsOf({ name: operation }: Operation): Promise<readonly string[]> {
    await ledger.flush();
    const rows = await ledger.store.transaction((tx) =>
      tx.execute('SELECT decision, outcome FROM receipts WHERE operation = ? ORDER BY seq', [
        operation,
      ]),
    );
    return rows.map((row) => [row['decision'], row['outcome']].join(' '));
  }

  async function everything(): Promise<string> {
    const rows = await ledger.store.transaction(async (tx) => [
      ...(await tx.execute('SELECT * FROM key_records')),
      ...(await tx.execute('SELECT * FROM receipts')),
    ]);
    return JSON.stringify(rows);
  }

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
        expect(await stateOf(operation)).toBe('');
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
      expect(await stateOf(operation)).toBe('UNKNOWN');
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
        expect(await stateOf(operation)).toBe(kind === 'local' ? '' : 'SUCCEEDED');
        expect(await receiptsOf(operation)).toEqual(['ran invalid-output']);
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
      expect(await stateOf(operation)).toBe('SUCCEEDED');
      expect(await receiptsOf(operation)).toEqual(['ran invalid-output']);
    });

    it('an output schema that throws is an invalid output', async () => {
      const { call, operation } = open({ class: 'opaque' }, () => ({ text: 'x' }), {
        output: throwing,
      });
      const outcome = await call();
      expect(outcome).toMatchObject({ problem: { code: 'invalid-output' } });
      expect(JSON.stringify(outcome)).not.toContain('hunter2');
      expect(await stateOf(operation)).toBe('SUCCEEDED');
      expect(await receiptsOf(operation)).toEqual(['ran invalid-output']);
    });

    it('an input schema that throws is an internal error with a receipt, and nothing runs', async () => {
      let runs = 0;
      const { call, operation } = open({ class: 'opaque' }, () => (runs += 1), {
        input: throwing,
      });
      const outcome = await call();
      expect(outcome).toMatchObject({ problem: { code: 'internal-error' } });
      expect(JSON.stringify(outcome)).not.toContain('hunter2');
      expect(await receiptsOf(operation)).toEqual(['refused internal-error']);
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
      expect(await stateOf(operation)).toBe('UNKNOWN');
      expect(await receiptsOf(operation)).toEqual(['ran outcome-doubtful']);
    });

    it('a problem with fields that no JSON can hold keeps its code and detail', async () => {
      const { call, operation } = open({ class: 'opaque' }, () => {
        throw new ProblemError('conflict', 'Sold.', { current: 12n as never });
      });
      const outcome = await call();
      expect(outcome).toMatchObject({ problem: { code: 'conflict', detail: 'Sold.' } });
      expect(await call()).toEqual({ ...outcome, replayed: true });
      expect(await receiptsOf(operation)).toEqual(['ran conflict', 'replayed conflict']);
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
      expect(await receiptsOf(operation)).toEqual(['ran outcome-doubtful']);
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
      expect(await stateOf(operation)).toBe('');
      expect(await call()).toEqual({ kind: 'success', value: { text: 'fine' } });
      const rows = await ledger.store.transaction((tx) => tx.execute(`SELECT text FROM ${table}`));
      expect(rows).toHaveLength(1);
    });
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
      const { call } = open({ class: 'opaque' }, () => answer(text), { output, effect });
      const keyed = { kind: 'success', value: answer(text) };
      expect(await call()).toEqual(keyed);
      const again = await call();
      expect(again).toMatchObject({ kind: 'success', replayed: true });
      expect(JSON.stringify(again)).not.toContain(text);
      expect(await everything()).not.toContain(text);
    });

    it('are not kept in the detail of a problem', async () => {
      let text = '';
      const { call } = open({ class: 'opaque' }, async ({ mint }) => {
        text = await mint();
        throw new ProblemError('conflict', `The link ${text} exists.`);
      });
      await call();
      expect(text).not.toBe('');
      expect(JSON.stringify(await call())).not.toContain(text);
      expect(await everything()).not.toContain(text);
    });

    it('are not kept where an operation that declares none returns what it minted', async () => {
      let text = '';
      const { call } = open({ class: 'opaque' }, async ({ mint }) => {
        text = await mint();
        return { note: `see ${text}` };
      });
      expect(JSON.stringify(await call())).toContain(text);
      expect(JSON.stringify(await call())).not.toContain(text);
      expect(await everything()).not.toContain(text);
    });

    it('are not kept where a wrapped one is repeated as text', async () => {
      const text = `s3cret-${randomUUID()}`;
      const { call } = open(
        { class: 'opaque' },
        () => ({ token: new Secret(text), also: [text] }),
        { output, effect },
      );
      expect(await call()).toMatchObject({ value: { token: text, also: [text] } });
      expect(JSON.stringify(await call())).not.toContain(text);
      expect(await everything()).not.toContain(text);
    });
  });
}

function raise(): never {
  throw new Error('hunter2');
}
