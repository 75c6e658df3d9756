/** One yes, many that want to use it at the same moment: exactly one does. On both stores. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Approvals } from '../../src/gate/approvals/approvals.ts';
import { openApprovals } from '../../src/gate/approvals/approvals.ts';
import { openStore } from '../../src/ledger/open-ledger.ts';
import type { Store } from '../../src/ledger/store.ts';
import type { Postgres } from '../support/postgres.ts';
import { openPostgres } from '../support/postgres.ts';
import { toTestAnswer, toTestQuestion } from './approval-fixture.ts';

interface Race {
  readonly name: string;
  readonly address: () => Promise<string>;
  /** How many open the same ledger. Within a process, a SQLite file has one writer. */
  readonly stores: number;
  readonly approvals: number;
  readonly racers: number;
  readonly crowd: number;
}

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-races-'));
let postgres: Postgres | undefined;

afterAll(async () => {
  await postgres?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const RACES: readonly Race[] = [
  {
    name: 'SQLite',
    address: async () => `sqlite:${join(folder, 'ledger.sqlite')}`,
    stores: 1,
    approvals: 1000,
    racers: 8,
    crowd: 1000,
  },
  {
    name: 'PostgreSQL',
    address: async () => {
      postgres ??= await openPostgres();
      return postgres.url;
    },
    stores: 3,
    approvals: 50,
    racers: 8,
    crowd: 100,
  },
];

async function approve(approvals: Approvals, text: string): Promise<string> {
  const { id, display } = await approvals.request(toTestQuestion(text));
  await approvals.answer(id, toTestAnswer(display));
  return id;
}

function storeFor(stores: readonly Store[], racer: number): Store {
  const store = stores[racer % stores.length];
  if (store === undefined) throw new Error('there is no store');
  return store;
}

async function race(
  stores: readonly Store[],
  id: string,
  text: string,
  racers: number,
): Promise<readonly string[]> {
  const { binding } = toTestQuestion(text);
  return Promise.all(
    Array.from({ length: racers }, async (_, index) => {
      const store = storeFor(stores, index);
      const approvals = openApprovals(store);
      const end = await store.transaction((tx) =>
        approvals.consume(tx, id, binding, `keyRecord${index}`),
      );
      return end.kind;
    }),
  );
}

describe.each(RACES)('racing uses on $name', ({ address, stores: open, ...size }) => {
  async function withStores(work: (stores: readonly Store[]) => Promise<void>): Promise<void> {
    const url = await address();
    const stores = await Promise.all(Array.from({ length: open }, () => openStore(url)));
    try {
      await work(stores);
    } finally {
      await Promise.all(stores.map((store) => store[Symbol.asyncDispose]()));
    }
  }

  const wins = (ends: readonly string[]): number => ends.filter((end) => end === 'consumed').length;

  it('have one winner for each of many approvals', async () => {
    await withStores(async (stores) => {
      const approvals = openApprovals(storeFor(stores, 0));
      const texts = Array.from({ length: size.approvals }, (_, index) => `{"n":${index}}`);
      const ids = await Promise.all(texts.map((text) => approve(approvals, text)));
      expect(new Set(ids).size).toBe(size.approvals);
      const ends = await Promise.all(
        ids.map((id, index) => race(stores, id, texts[index] ?? '', size.racers)),
      );
      expect(ends.map(wins)).toEqual(ids.map(() => 1));
    });
  }, 120_000);

  it('have one winner for one approval', async () => {
    await withStores(async (stores) => {
      const id = await approve(openApprovals(storeFor(stores, 0)), '{"crowd":1}');
      const ends = await race(stores, id, '{"crowd":1}', size.crowd);
      expect(ends).toHaveLength(size.crowd);
      expect(wins(ends)).toBe(1);
    });
  }, 120_000);

  it('ask one question when many ask it at once', async () => {
    await withStores(async (stores) => {
      const asked = await Promise.all(
        Array.from({ length: 30 }, (_, index) =>
          openApprovals(storeFor(stores, index)).request(toTestQuestion('{"asked":1}')),
        ),
      );
      expect(new Set(asked.map(({ id }) => id)).size).toBe(1);
    });
  }, 120_000);
});
