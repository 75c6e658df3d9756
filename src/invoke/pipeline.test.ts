import { inputRequired } from '@modelcontextprotocol/server';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { creates, deletes, delivers, puts, reads, spends, varies, when } from '../effect/acts.ts';
import type { OperationInit } from '../effect/define-operation.ts';
import { defineOperation } from '../effect/define-operation.ts';
import { reply } from '../effect/operation.ts';
import type { Operation } from '../effect/operation.ts';
import type { Schema } from '../effect/schema.ts';
import type { Entry } from '../ledger/ledger.ts';
import { openLedger } from '../ledger/open-ledger.ts';
import type { Receipt } from '../ledger/receipt.ts';
import { Recorder } from '../ledger/receipts/recorder.ts';
import { ProblemError } from '../lib/problem.ts';
import type { CallRequest, Services } from './flow.ts';
import { ANONYMOUS } from './identity.ts';
import { invoke } from './pipeline.ts';

const NOW = new Date('2026-11-15T12:00:00Z');

function define(changes: Partial<OperationInit<Schema, Schema>> = {}): Operation {
  return defineOperation<Schema>({
    name: 'op',
    title: 'Operation',
    description: 'Does it.',
    input: z.object({ text: z.string().describe('Some text') }),
    effect: reads('thing'),
    run: () => ({}),
    ...changes,
  });
}

function harness(): { services: Services; receipts: Receipt[]; reports: string[] } {
  const receipts: Receipt[] = [];
  const reports: string[] = [];
  let ids = 0;
  const services: Services = {
    now: () => NOW,
    newId: () => `id-${(ids += 1)}`,
    ledger: { record: ({ receipt }) => void receipts.push(receipt) },
    recorder: new Recorder(() => {}),
    report: (message) => void reports.push(message),
  };
  return { services, receipts, reports };
}

function request(operation: Operation, changes: Partial<CallRequest> = {}): CallRequest {
  return {
    operation,
    args: { text: 'hi' },
    identity: ANONYMOUS,
    via: 'in-process',
    signal: new AbortController().signal,
    progress: async () => {},
    ...changes,
  };
}

function signedIn(...scopes: readonly string[]): CallRequest['identity'] {
  return { kind: 'known', principal: { id: 'alice', tenant: 'acme', scopes } };
}

describe('authenticate and authorize', () => {
  const scoped = define({ scopes: ['notes:write', 'files:read'] });

  it('R90 R92: refuses a caller who lacks a scope, and runs nothing', async () => {
    let ran = false;
    const operation = define({ scopes: ['notes:write'], run: () => ((ran = true), {}) });
    const { services } = harness();
    const outcome = await invoke(
      request(operation, { identity: signedIn('notes:read') }),
      services,
    );
    expect(outcome).toMatchObject({
      kind: 'failure',
      problem: { code: 'scope-missing', status: 403, missing: ['notes:write'] },
    });
    expect(ran).toBe(false);
  });

  it('R14 R91: no hint blocks a call; the scope decides alone', async () => {
    const { services } = harness();
    const drop = define({ effect: deletes('everything'), scopes: ['all:write'] });
    const held = await invoke(request(drop, { identity: signedIn('all:write') }), services);
    expect(held.kind).toBe('success');
  });

  it('R91: a harmless hint opens nothing either', async () => {
    const { services } = harness();
    const read = define({ effect: reads('secret'), scopes: ['secrets:read'] });
    const outcome = await invoke(request(read), services);
    expect(outcome).toMatchObject({ kind: 'failure', problem: { code: 'unauthenticated' } });
  });

  it('R93 R203: every one of several scopes is needed', async () => {
    const { services } = harness();
    const half = await invoke(request(scoped, { identity: signedIn('notes:write') }), services);
    expect(half).toMatchObject({ problem: { missing: ['files:read'] } });
    const both = await invoke(
      request(scoped, { identity: signedIn('notes:*', 'files:read') }),
      services,
    );
    expect(both.kind).toBe('success');
  });

  it('refuses without a sign-in where no auth information is present', async () => {
    const { services } = harness();
    const outcome = await invoke(request(scoped), services);
    expect(outcome).toMatchObject({ problem: { code: 'unauthenticated', status: 401 } });
  });

  it('refuses an expired token even for an operation that needs none', async () => {
    const { services } = harness();
    const expiresAt = NOW.getTime() / 1000;
    const identity = { kind: 'known', principal: { id: 'a', scopes: [], expiresAt } } as const;
    const outcome = await invoke(request(define(), { identity }), services);
    expect(outcome).toMatchObject({ problem: { code: 'token-expired', status: 401 } });
  });
});

describe('validate input', () => {
  it.each([
    ['a wrong type', { text: 3 }, '/text'],
    ['a missing argument', {}, '/text'],
    ['an extra argument', { text: 'a', extra: 1 }, '/extra'],
    ['a dangerous key', JSON.parse('{"text":"a","__proto__":{"x":1}}'), '/__proto__'],
  ])('refuses %s and says where', async (_, args: unknown, pointer) => {
    let ran = false;
    const { services } = harness();
    const operation = define({ run: () => ((ran = true), {}) });
    const outcome = await invoke(request(operation, { args }), services);
    expect(outcome).toMatchObject({ problem: { code: 'invalid-input', errors: [{ pointer }] } });
    expect(ran).toBe(false);
  });

  it.each([[[]], ['text'], [7], [true]])(
    'refuses arguments that are no object: %j',
    async (args) => {
      const { services } = harness();
      const outcome = await invoke(request(define(), { args }), services);
      expect(outcome).toMatchObject({ problem: { code: 'invalid-request' } });
    },
  );

  it('bounds what it says about a flood of faults', async () => {
    const { services } = harness();
    const args = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, i]));
    const outcome = await invoke(request(define(), { args }), services);
    expect(JSON.stringify(outcome).length).toBeLessThan(10_000);
  });
});

describe('execute', () => {
  it('carries a payment problem out as 402', async () => {
    const { services } = harness();
    const run = () => {
      throw new ProblemError('payment-required', 'The balance is 3 credits; 240 are needed.');
    };
    const outcome = await invoke(request(define({ run })), services);
    expect(outcome).toMatchObject({ problem: { code: 'payment-required', status: 402 } });
  });

  it('keeps the cause of an unexpected failure to itself, with a reference to it', async () => {
    const { services, reports } = harness();
    const run = () => {
      throw new Error('password is hunter2');
    };
    const outcome = await invoke(request(define({ run })), services);
    expect(outcome).toMatchObject({ problem: { code: 'internal-error', reference: 'id-1' } });
    expect(JSON.stringify(outcome)).not.toContain('hunter2');
    expect(reports).toEqual(['op failed, reference id-1']);
  });

  it('does not begin for a caller who has left', async () => {
    let ran = false;
    const { services } = harness();
    const operation = define({ run: () => ((ran = true), {}) });
    const signal = AbortSignal.abort();
    expect(await invoke(request(operation, { signal }), services)).toMatchObject({
      problem: { code: 'cancelled' },
    });
    expect(ran).toBe(false);
  });

  it('passes the signal on, so that work can stop', async () => {
    const { services } = harness();
    const abort = new AbortController();
    const operation = define({ run: async (_, call) => wait(10_000, {}, { signal: call.signal }) });
    const pending = invoke(request(operation, { signal: abort.signal }), services);
    await wait(5);
    abort.abort();
    expect(await pending).toMatchObject({ problem: { code: 'cancelled' } });
  });
});

describe('validate output', () => {
  const output = z.object({ count: z.number() });

  it('R204: lets out only what the operation declared', async () => {
    const { services } = harness();
    const good = define({ output, run: () => ({ count: 1 }) });
    expect(await invoke(request(good), services)).toEqual({ kind: 'success', value: { count: 1 } });
    const bad = define({ output, run: () => ({ count: 'many', secret: 'x' }) });
    const outcome = await invoke(request(bad), services);
    expect(outcome).toMatchObject({ problem: { code: 'invalid-output', status: 500 } });
    expect(JSON.stringify(outcome)).not.toContain('secret');
  });

  it('checks the data of a reply that also has content', async () => {
    const { services } = harness();
    const run = () => reply([{ type: 'text', text: 'one' }], { count: 1 });
    expect(await invoke(request(define({ output, run })), services)).toMatchObject({
      kind: 'success',
      value: { count: 1 },
      content: [{ type: 'text', text: 'one' }],
    });
  });
});

describe('a question of an operation that holds a key', () => {
  it.each(['local', 'dedup', 'lookup', 'opaque'] as const)(
    'is no outcome: the same key runs again with the answer (%s)',
    async (effectClass) => {
      await using ledger = await openLedger('sqlite::memory:');
      await ledger.store.transaction((tx) => tx.execute('CREATE TABLE notes (text TEXT)'));
      let runs = 0;
      const pay = define({
        effect: spends('EUR'),
        partner: { class: effectClass },
        run: async (_, { transaction }) => {
          runs += 1;
          await transaction?.execute("INSERT INTO notes (text) VALUES ('paid')");
          return runs < 3 ? inputRequired({ requestState: `asked ${runs}` }) : { paid: true };
        },
      });
      const { services } = harness();
      const call = () =>
        invoke(request(pay, { keys: ['a-key-of-16-letters'] }), { ...services, ledger });
      for (const asked of ['asked 1', 'asked 2']) {
        expect(await call()).toMatchObject({
          kind: 'input-required',
          result: { requestState: asked },
        });
      }
      expect(await call()).toEqual({ kind: 'success', value: { paid: true } });
      expect(await call()).toMatchObject({ kind: 'success', replayed: true });
      const notes = await ledger.store.transaction((tx) => tx.execute('SELECT text FROM notes'));
      expect(notes).toHaveLength(effectClass === 'local' ? 1 : 0);
      const receipts = await ledger.store.transaction((tx) =>
        tx.execute('SELECT decision, outcome FROM receipts ORDER BY seq'),
      );
      expect(receipts.map((row) => [row['decision'], row['outcome']].join(' '))).toEqual([
        'ran input-required',
        'ran input-required',
        'ran success',
        'replayed success',
      ]);
    },
  );
});

describe('record', () => {
  it('R155: leaves one receipt for each call, refused ones too', async () => {
    const { services, receipts } = harness();
    const operation = define({ scopes: ['a:b'] });
    await invoke(request(operation, { identity: signedIn('a:b') }), services);
    await invoke(request(operation), services);
    expect(receipts).toMatchObject([
      { operation: 'op', tier: 'read', outcome: 'success', principal: 'alice', tenant: 'acme' },
      { operation: 'op', outcome: 'unauthenticated' },
    ]);
    expect(receipts[1]).not.toHaveProperty('principal');
  });

  it('holds no arguments and no results', async () => {
    const { services, receipts } = harness();
    const run = () => ({ answer: 'top secret' });
    await invoke(request(define({ run }), { args: { text: 'private words' } }), services);
    expect(JSON.stringify(receipts)).not.toMatch(/private|secret/);
  });

  it('R152: tells calls that leave the convention, by fact and not by hint', async () => {
    const { services, receipts } = harness();
    await invoke(request(define({ effect: delivers('hook', { reach: 'user-url' }) })), services);
    await invoke(request(define({ effect: creates('note') })), services);
    expect(receipts.map(({ openWorld }) => openWorld)).toEqual([true, false]);
  });

  it('records the effect that the arguments had', async () => {
    const { services, receipts } = harness();
    const operation = define({
      input: z.object({ mode: z.enum(['add', 'replace', 'drop']).describe('What to do') }),
      effect: varies(
        creates('file'),
        { when: when('mode', 'replace'), effect: puts('file') },
        { when: when('mode', 'drop'), effect: deletes('file') },
      ),
    });
    for (const mode of ['add', 'replace', 'drop']) {
      await invoke(request(operation, { args: { mode } }), services);
    }
    expect(receipts.map(({ act }) => act)).toEqual(['create', 'put', 'delete']);
  });

  it('says `ran` only where the operation was run', async () => {
    const { services, receipts } = harness();
    const failing = define({
      run: () => {
        throw new Error('no');
      },
    });
    const ran = define({ effect: creates('note'), run: () => wait(20, {}) });
    await invoke(request(failing), services);
    await invoke(request(define(), { args: {} }), services);
    await invoke(request(define(), { signal: AbortSignal.abort() }), services);
    await invoke(request(ran, { signal: AbortSignal.timeout(5) }), services);
    expect(receipts).toMatchObject([
      { decision: 'ran', outcome: 'internal-error' },
      { decision: 'refused', outcome: 'invalid-input' },
      { decision: 'cancelled', outcome: 'cancelled', sent: false },
      { decision: 'ran', outcome: 'success', delivered: false },
    ]);
  });

  it('tells a read that was cancelled while it ran from one that was not begun', async () => {
    const { services, receipts } = harness();
    const run = (_: unknown, { signal }: { readonly signal: AbortSignal }) =>
      wait(10_000, {}, { signal });
    const signal = () => AbortSignal.timeout(5);
    await invoke(request(define({ run }), { signal: signal() }), services);
    await invoke(request(define({ run, effect: creates('note') }), { signal: signal() }), services);
    expect(receipts).toMatchObject([
      { decision: 'cancelled', outcome: 'cancelled', sent: true },
      { decision: 'ran', outcome: 'cancelled', delivered: false },
    ]);
  });

  it.each(['in-flight', 'unavailable'] as const)(
    'says `refused` where a key was held and nothing was run (%s)',
    async (outcome) => {
      await using open = await openLedger('sqlite::memory:');
      const dispatch = async (): Promise<boolean> => {
        if (outcome === 'unavailable') throw new Error('gone');
        return false;
      };
      const receipts: Receipt[] = [];
      const ledger = {
        keyRecords: { ...open.keyRecords, dispatch },
        record: ({ receipt }: Entry) => void receipts.push(receipt),
      };
      const pay = define({ effect: spends('EUR') });
      const { services } = harness();
      await invoke(request(pay, { keys: ['a-key-of-16-letters'] }), { ...services, ledger });
      expect(receipts).toMatchObject([{ decision: 'refused', outcome }]);
    },
  );

  it('fails the call when the receipt cannot be kept', async () => {
    const { services } = harness();
    const ledger = { record: () => Promise.reject(new Error('disk full')) };
    const outcome = await invoke(request(define()), { ...services, ledger });
    expect(outcome).toMatchObject({ problem: { code: 'receipt-lost', status: 500 } });
  });
});
