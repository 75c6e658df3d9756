/** What key records promise on every store, with two that use it at once. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Discovery } from '../../src/effect/partner.ts';
import type { KeyRecord } from '../../src/ledger/idempotency/key-record.ts';
import { KEY_RULES } from '../../src/ledger/idempotency/key-record.ts';
import type {
  Admission,
  KeyRecords,
  KeyRequest,
} from '../../src/ledger/idempotency/key-records.ts';
import { openKeyRecords } from '../../src/ledger/idempotency/key-records.ts';
import { decodeOutcome, encodeOutcome } from '../../src/ledger/idempotency/outcome.ts';
import { openSweeper } from '../../src/ledger/idempotency/sweeper.ts';
import { deriveKeys } from '../../src/ledger/keys.ts';
import type { Store } from '../../src/ledger/store.ts';
import { keyRecordRow } from '../contract/store.contract.ts';
import type { Fate } from '../support/commit-faults.ts';
import { withCommitFaults } from '../support/commit-faults.ts';

const KEYS = deriveKeys(Buffer.alloc(32, 7));
const HOUR = 3_600_000;
const nothing = async (): Promise<void> => {};

export function keyRecordsContract(
  name: string,
  address: () => Promise<string>,
  open: (address: string) => Promise<Store>,
): void {
  describe(`key records on ${name}`, () => {
    let where: string;
    let store: Store;
    let other: Store;
    let keyRecords: KeyRecords;

    beforeAll(async () => {
      where = await address();
      [store, other] = [await open(where), await open(where)];
      keyRecords = openKeyRecords(store, KEYS);
    }, 60_000);

    afterAll(async () => {
      await store[Symbol.asyncDispose]();
      await other[Symbol.asyncDispose]();
    });

    const find = async (id: string): Promise<KeyRecord | undefined> =>
      (await store.transaction((tx) => tx.find('key_records', { id }))) as KeyRecord | undefined;

    const settle = (admission: Admission, kind: 'succeeded' | 'failed' | 'doubt' | 'release') => {
      if (admission.kind !== 'held') throw new Error(`it is ${admission.kind}`);
      const { held, rules } = admission;
      const outcome = encodeOutcome({ kind: 'success', value: kind });
      return store.transaction((tx) =>
        keyRecords.settle(tx, { held, rules, kind, outcome: kind === 'doubt' ? '' : outcome }),
      );
    };

    it('admits one of many equal calls that come at once, over two connections', async () => {
      const others = openKeyRecords(other, KEYS);
      for (let round = 0; round < 5; round += 1) {
        const fingerprint = randomUUID();
        const admissions = await Promise.all(
          Array.from({ length: 12 }, (_, index) =>
            (index % 2 === 0 ? keyRecords : others).begin(
              requestOf({ fingerprint, duplicates: { withinMs: HOUR } }),
              nothing,
            ),
          ),
        );
        const kinds = admissions.map(({ kind }) => kind);
        expect(kinds.filter((kind) => kind === 'held')).toHaveLength(1);
        expect(kinds.filter((kind) => kind === 'duplicate')).toHaveLength(11);
      }
    });

    it.each([
      ['open', undefined, true],
      ['done', 'succeeded', true],
      ['of unknown outcome', 'doubt', true],
      ['failed for certain', 'failed', false],
      ['given back', 'release', false],
    ] as const)('of an equal call that is %s (%s), is a duplicate: %s', async (_, end, isOne) => {
      const request = requestOf({ duplicates: { withinMs: HOUR } });
      const first = await keyRecords.begin(request, nothing);
      if (end !== undefined) await settle(first, end);
      const found = await keyRecords.findDuplicate(request, HOUR);
      expect(found?.id).toBe(isOne ? request.id : undefined);
      const second = { ...request, id: randomUUID() };
      const admission = await keyRecords.begin(second, nothing);
      expect(admission).toMatchObject(
        isOne ? { kind: 'duplicate', record: { id: request.id } } : { kind: 'held' },
      );
      expect((await find(second.id)) === undefined).toBe(isOne);
    });

    it('takes neither an old call, nor that of another, nor the same key for a duplicate', async () => {
      const request = requestOf({ duplicates: { withinMs: HOUR } });
      await settle(await keyRecords.begin(request, nothing), 'succeeded');
      const again = (changes: Partial<KeyRequest>) =>
        keyRecords.begin({ ...request, id: randomUUID(), ...changes }, nothing);
      expect(await again({ id: request.id })).toMatchObject({ standing: { kind: 'replay' } });
      expect(await again({ principal: 'bob' })).toMatchObject({ kind: 'held' });
      expect(await again({ operation: 'other' })).toMatchObject({ kind: 'held' });
      await new Promise((done) => setTimeout(done, 20));
      expect(await again({ duplicates: { withinMs: 1 } })).toMatchObject({ kind: 'held' });
    });

    it.each(['opaque', 'dedup'] as const)(
      'keep an answer that arrives after the doubt (%s), and replay it',
      async (effectClass) => {
        const request = requestOf({ effectClass });
        const admission = await keyRecords.begin(request, nothing);
        expect(await settle(admission, 'doubt')).toBe(true);
        expect(await settle(admission, 'succeeded')).toBe(true);
        const again = await keyRecords.begin(request, nothing);
        if (again.kind !== 'standing' || again.standing.kind !== 'replay') throw new Error('no');
        expect(decodeOutcome(again.standing.outcome)).toEqual({
          kind: 'success',
          value: 'succeeded',
        });
      },
    );

    it.each<{ readonly fates: readonly Fate[]; readonly isNew: boolean }>(
      [true, false].flatMap((isNew) =>
        ([['committed'], ['lost'], ['lost', 'committed']] as const).map((fates) => ({
          fates,
          isNew,
        })),
      ),
    )(
      'begun by a commit that did not say so ($fates, new: $isNew) are a first attempt, which can be given back',
      async ({ fates, isNew }) => {
        const left = [...fates];
        const faulty = withCommitFaults(store, () => left.shift() ?? 'fine');
        let alongside = 0;
        const request = requestOf({ effectClass: 'opaque', isNew });
        const admission = await openKeyRecords(faulty, KEYS).begin(request, async () => {
          alongside += 1;
        });
        expect(admission).toMatchObject({ kind: 'held', held: { isResend: false } });
        expect(alongside).toBe(fates.filter((fate) => fate === 'lost').length + 1);
        expect(await find(request.id)).toMatchObject({ state: 'DISPATCHED' });
        expect(await settle(admission, 'release')).toBe(true);
        expect(await find(request.id)).toBeUndefined();
      },
    );

    it('are settled within 20 seconds of a crash, wherever it happened', () => {
      // A lease, one sweep, and a second for both.
      expect(KEY_RULES.leaseMs + 5000 + 1000).toBeLessThanOrEqual(20_000);
    });

    it('of a process that was killed are unknown, or free to run again, at the next sweep', async () => {
      const [opaque, dedup, claimed] = [randomUUID(), randomUUID(), randomUUID()];
      await holdAndDie(where, [
        ['begin', requestOf({ id: opaque })],
        ['begin', requestOf({ id: dedup, effectClass: 'dedup' })],
        ['admit', requestOf({ id: claimed })],
      ]);
      expect((await find(opaque))?.lease_until).toBeGreaterThan(Date.now());
      await using sweeper = openSweeper(store, { report });
      await sweeper.sweep();
      expect(await find(opaque)).toMatchObject({ state: 'UNKNOWN' });
      const fingerprint = 'f';
      const again = await keyRecords.begin(
        requestOf({ id: dedup, effectClass: 'dedup', fingerprint }),
        nothing,
      );
      expect(again).toMatchObject({ kind: 'held', held: { isResend: true } });
      expect(await keyRecords.begin(requestOf({ id: claimed }), nothing)).toMatchObject({
        kind: 'held',
        held: { isResend: false },
      });
    }, 30_000);

    it('that nobody can resolve do not keep a hook from those that can be', async () => {
      const [stuck, slow, broken, quick] = [0, 1, 2, 3].map(() => `op-${randomUUID()}`);
      const found = await addUnknown(store, stuck, 251);
      await addUnknown(store, slow, 1);
      await addUnknown(store, broken, 120);
      const others = await addUnknown(store, quick, 1);
      const target = found.toSorted().at(-1) ?? '';
      const told: string[] = [];
      const hooks = new Map<string | undefined, (key: string) => Promise<Discovery>>([
        [stuck, async (key) => (key === target ? DONE : { kind: 'cannot-tell' })],
        [slow, () => new Promise(() => {})],
        [broken, () => Promise.reject(new Error('out of order'))],
        [quick, async () => DONE],
      ]);
      await using _sweeper = openSweeper(store, {
        report: (message) => void told.push(message),
        everyMs: 20,
        reconcile: (operation) => {
          const hook = hooks.get(operation);
          return hook && (({ key }) => hook(key));
        },
      });
      await expect.poll(async () => (await find(others[0] ?? ''))?.state).toBe('SUCCEEDED');
      await expect
        .poll(async () => (await find(target))?.state, { timeout: 20_000 })
        .toBe('SUCCEEDED');
      expect(told).toContain(`${broken} failed to look up a lost call`);
    }, 40_000);
  });
}

const DONE: Discovery = { kind: 'executed', value: 'found' };

function requestOf(changes: Partial<KeyRequest>): KeyRequest {
  return {
    id: randomUUID(),
    tenant: 't',
    principal: 'alice',
    operation: 'pay',
    keyHint: 'hint',
    fingerprint: changes.id === undefined ? randomUUID() : 'f',
    effectClass: 'opaque',
    ...changes,
  };
}

function report(message: string, cause: unknown): void {
  throw new Error(message, { cause });
}

async function addUnknown(store: Store, operation = '', count: number): Promise<readonly string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  await store.transaction((tx) =>
    tx.insertAll(
      'key_records',
      ids.map((id) => keyRecordRow({ id, operation, state: 'UNKNOWN', partner_key: id })),
    ),
  );
  return ids;
}

/** Another process takes the key records, says so, and is killed. */
async function holdAndDie(
  address: string,
  requests: readonly (readonly ['begin' | 'admit', KeyRequest])[],
): Promise<void> {
  const from = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);
  const program = `
    import { openStore } from ${from('../../src/ledger/open-ledger.ts')};
    import { openKeyRecords } from ${from('../../src/ledger/idempotency/key-records.ts')};
    import { deriveKeys } from ${from('../../src/ledger/keys.ts')};
    const store = await openStore(process.argv[1]);
    const keyRecords = openKeyRecords(store, deriveKeys(Buffer.alloc(32, 7)));
    for (const [verb, request] of JSON.parse(process.argv[2]))
      await keyRecords[verb](request, async () => {});
    process.stdout.write('held');
    setInterval(() => {}, 1000);`;
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      '--input-type=module',
      '-e',
      program,
      address,
      JSON.stringify(requests),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const exited = once(child, 'exit');
  await Promise.race([once(child.stdout, 'data'), exited]);
  child.kill('SIGKILL');
  await exited;
}
