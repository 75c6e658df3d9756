/** A server process, as far as the kit's pipeline is concerned: a ledger of its own on the shared store, and a life. */
import type { Operation, PlimsollServer, Recorded } from 'plimsoll/server';
import { createServer } from 'plimsoll/server';
import { openKeyRecords } from '../../src/ledger/idempotency/key-records.ts';
import type { LedgerKeys } from '../../src/ledger/keys.ts';
import { Receipts } from '../../src/ledger/receipts/receipts.ts';
import { openSecrets } from '../../src/ledger/secrets/secrets.ts';
import type { Store } from '../../src/ledger/store.ts';
import { sweepServer } from '../../src/serve/create-server.ts';
import { callInProcess } from '../support/call-in-process.ts';
import { Life, passAs } from './points.ts';

export interface Attempt {
  readonly id: number;
  readonly life: Life;
  /** `undefined` when the process crashed before it answered. */
  readonly answer: Recorded | undefined;
}

const HANGS_MS = 20_000;
const TURNS_TO_UNWIND = 10;
/** Never by itself: sweeps are part of the plan. */
const SWEEP_EVERY_MS = 1_000_000_000;

export class ServerProcess implements AsyncDisposable {
  readonly life: Life = new Life();
  readonly #isCounted: boolean;
  readonly #server: PlimsollServer;
  readonly #operation: Operation;
  readonly #receipts: Receipts;

  constructor(store: Store, keys: LedgerKeys, operation: Operation, isCounted: boolean) {
    const keyRecords = openKeyRecords(store, keys);
    const told = { onLost: () => {}, onKept: () => {} };
    this.#isCounted = isCounted;
    this.#operation = operation;
    this.#receipts = new Receipts(store, { keys, keyRecords, arguments: 'digest', ...told });
    this.#server = createServer({
      name: 'shop',
      version: '1',
      operations: [operation],
      ledger: {
        store,
        keyRecords,
        secrets: openSecrets(store, keys),
        record: (entry, tx) => this.#receipts.record(entry, tx),
      },
      report: () => {},
    });
  }

  async call(id: number, key: string | undefined): Promise<Attempt> {
    const answer = await this.#unlessCrashed(id, () =>
      callInProcess(this.#server, this.#operation, { item: 'milk' }, { key }),
    );
    return { id, life: this.life, answer };
  }

  async flush(): Promise<void> {
    await this.#unlessCrashed(0, () => this.#receipts.flush());
  }

  /** Sweeps once, and waits until what it found out is stored. */
  async sweep(isOver: () => Promise<boolean>): Promise<void> {
    await this.#unlessCrashed(0, async () => {
      await using _ = sweepServer(this.#server, SWEEP_EVERY_MS);
      for (let turns = 0; turns < 200 && !this.life.isDead && !(await isOver()); turns += 1) {
        await new Promise(setImmediate);
      }
    });
  }

  /** Ends what still waits in it. Nothing of it can reach the store or the partner any more. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.flush();
    this.life.bury();
    for (let turns = 0; turns < TURNS_TO_UNWIND; turns += 1) await new Promise(setImmediate);
    await passAs(this.#passer(0), () => this.#receipts[Symbol.asyncDispose]());
  }

  #passer(attempt: number) {
    return { life: this.life, attempt, isCounted: this.#isCounted && !this.life.isDead };
  }

  async #unlessCrashed<T>(attempt: number, work: () => Promise<T>): Promise<T | undefined> {
    const running = passAs(this.#passer(attempt), work);
    running.catch(() => {}); // of a process that has crashed, nobody hears
    const { promise: late, reject } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => reject(new Error('it hangs')), HANGS_MS);
    try {
      return await Promise.race([running, this.life.crashed.then(() => undefined), late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
