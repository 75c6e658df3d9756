/**
 * Transitions of key records by time, in every process that uses a ledger: calls whose process crashed
 * become unknown or free to run again, old answers are deleted, and operations that can find out are
 * queried about unknown outcomes.
 */
import type { Discovery, LostCall } from '../../effect/partner.ts';
import { toProblem } from '../../lib/problem.ts';
import type { Query, Store } from '../store.ts';
import { keyRecordMachine } from './key-record-machine.ts';
import type { KeyRecord, KeyRules, Verdict } from './key-record.ts';
import { KEY_RULES, toKeyRecord } from './key-record.ts';
import { apply } from './key-records.ts';
import type { StoredOutcome } from './outcome.ts';
import { encodeOutcome } from './outcome.ts';
import { isProvenDead } from './worker.ts';

type Hook = (lost: LostCall) => Promise<Discovery>;

interface SweepOptions {
  readonly rules?: Partial<KeyRules>;
  /** Rules that differ per operation. */
  readonly rulesFor?: (operation: string) => Partial<KeyRules> | undefined;
}

interface SweeperOptions extends SweepOptions {
  readonly report: (message: string, cause: unknown) => void;
  /** Default: 5 seconds. */
  readonly everyMs?: number;
  /** The hook that finds out about a lost call of this operation, if there is one. */
  readonly reconcile?: (operation: string) => Hook | undefined;
  /** What a replay answers with a value that a hook found. Default: the value as it is. */
  readonly toStored?: (operation: string, value: unknown) => Promise<StoredOutcome>;
  /** Timeout of a hook, which is then called again later. Default: 30 seconds. */
  readonly hookMs?: number;
}

interface Sweeper extends AsyncDisposable {
  /** Sweeps now; resolves when that is done. Hooks may still be running then. */
  sweep(): Promise<void>;
}

const PAGE = 500;
const ASKED_AT_ONCE = 100;

/** Sweeps at once and then every few seconds. */
export function openSweeper(store: Store, options: SweeperOptions): Sweeper {
  const { report, everyMs = 5000 } = options;
  const reconciler = options.reconcile && new Reconciler(store, options, options.reconcile);
  const sweepOnce = async (): Promise<void> => {
    await sweepKeyRecords(store, options).catch((error: unknown) =>
      report('key records could not be swept', error),
    );
    await reconciler
      ?.start()
      .catch((error: unknown) => report('unknown key records could not be read', error));
  };
  let running: Promise<void> = Promise.resolve();
  const sweep = (): Promise<void> => (running = running.then(sweepOnce));
  void sweep();
  let isIdle = true;
  const timer = setInterval(() => {
    if (!isIdle) return;
    isIdle = false;
    void sweep().finally(() => (isIdle = true));
  }, everyMs);
  timer.unref();
  return {
    sweep,
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await running;
      await reconciler?.[Symbol.asyncDispose]();
    },
  };
}

/** One sweep over everything that is due; returns the number of key records that changed state. */
export async function sweepKeyRecords(store: Store, options: SweepOptions = {}): Promise<number> {
  let moved = 0;
  const now = await store.transaction((tx) => tx.now());
  for (const due of dueAt(now)) {
    for await (const page of pagesOf(store, due)) {
      moved += await store.transaction(async (tx) => {
        const at = await tx.now();
        let count = 0;
        for (const keyRecord of page) {
          const rules = rulesOf(keyRecord.operation, options);
          const isDead = isProvenDead(keyRecord.owner);
          const write = keyRecordMachine.sweep(keyRecord, at, rules, isDead);
          if (write !== undefined && (await apply(tx, write))) count += 1;
        }
        return count;
      });
    }
  }
  return moved;
}

type Due = Pick<Query<'key_records'>, 'where' | 'upTo'>;

/** All open ones are checked, because their holder may have died. */
function dueAt(now: number): readonly Due[] {
  const upTo = { column: 'expires_at', value: now } as const;
  return [
    { where: { state: 'CLAIMED' } },
    { where: { state: 'DISPATCHED' } },
    { where: { state: 'SUCCEEDED' }, upTo },
    { where: { state: 'FAILED_FINAL' }, upTo },
  ];
}

/** Page by page, each in its own transaction, so that nothing waits for the whole sweep. */
async function* pagesOf(store: Store, due: Due): AsyncGenerator<readonly KeyRecord[], void> {
  for (let after = ''; ;) {
    const above = { column: 'id', value: after } as const;
    const query = { ...due, above, orderBy: 'id', limit: PAGE } as const;
    const rows = await store.transaction((tx) => tx.list('key_records', query));
    yield rows.map(toKeyRecord);
    after = rows.at(-1)?.id ?? '';
    if (rows.length < PAGE) return;
  }
}

function rulesOf(operation: string, { rules, rulesFor }: SweepOptions): KeyRules {
  return { ...KEY_RULES, ...rules, ...rulesFor?.(operation) };
}

/**
 * Queries calls whose outcome is unknown, outside of any transaction, and settles those whose answer is
 * certain. Operations are queried in parallel, so that a slow or broken hook delays only its own;
 * within one, the least recently queried call comes first.
 */
class Reconciler implements AsyncDisposable {
  readonly #store: Store;
  readonly #options: SweeperOptions;
  readonly #hookOf: (operation: string) => Hook | undefined;
  /** Abandons the hooks that are running. */
  readonly #waiting = new Set<() => void>();
  #isClosing = false;
  readonly #busy = new Map<string, Promise<void>>();
  /** When each unknown record was last queried, as a sequence number. */
  #asked = new Map<string, number>();
  #questions = 0;
  /** When each sender was first seen dead, by the store's clock; after a restart the wait starts over. */
  readonly #deadSince = new Map<string, number>();

  constructor(
    store: Store,
    options: SweeperOptions,
    hookOf: NonNullable<typeof options.reconcile>,
  ) {
    this.#store = store;
    this.#options = options;
    this.#hookOf = hookOf;
  }

  /** Resolves when every query has been started. */
  async start(): Promise<void> {
    const unknown: KeyRecord[] = [];
    for await (const page of pagesOf(this.#store, { where: { state: 'UNKNOWN' } })) {
      unknown.push(...page.filter(({ operation }) => this.#hookOf(operation) !== undefined));
    }
    this.#asked = new Map(unknown.map(({ id }) => [id, this.#asked.get(id) ?? 0]));
    for (const [operation, records] of Map.groupBy(unknown, (record) => record.operation)) {
      if (this.#busy.has(operation) || this.#isClosing) continue;
      const done = this.#askAll(records).finally(() => this.#busy.delete(operation));
      this.#busy.set(operation, done);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosing = true;
    for (const giveUp of this.#waiting) giveUp();
    await Promise.all(this.#busy.values());
  }

  async #askAll(records: readonly KeyRecord[]): Promise<void> {
    const askedAt = ({ id }: KeyRecord): number => this.#asked.get(id) ?? 0;
    const next = records.toSorted((a, b) => askedAt(a) - askedAt(b)).slice(0, ASKED_AT_ONCE);
    for (const keyRecord of next) {
      if (this.#isClosing) return;
      this.#asked.set(keyRecord.id, (this.#questions += 1));
      try {
        await this.#ask(keyRecord);
      } catch (error) {
        this.#options.report(`${keyRecord.operation} failed to look up a lost call`, error);
      }
    }
  }

  async #ask(keyRecord: KeyRecord): Promise<void> {
    const rules = rulesOf(keyRecord.operation, this.#options);
    // Before the partner is queried: what it has not received by then can no longer arrive from that sender.
    const senderIsDead = await this.#hasLongBeenDead(keyRecord.attempt, rules.settleMs);
    const discovery = await this.#discover(keyRecord);
    if (discovery === undefined || this.#isClosing) return;
    const verdict = await this.#toVerdict(keyRecord.operation, discovery, senderIsDead);
    await this.#store.transaction(async (tx) => {
      const write = keyRecordMachine.reconcile(keyRecord, verdict, await tx.now(), rules);
      return write === undefined ? false : apply(tx, write);
    });
  }

  /** `undefined` when the answer is no longer awaited. */
  async #discover(keyRecord: KeyRecord): Promise<Discovery | undefined> {
    const { operation, tenant, principal, partner_key: key, dispatched_at } = keyRecord;
    const { hookMs = 30_000 } = this.#options;
    const dispatchedAt = new Date(dispatched_at);
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    const giveUp = (): void => resolve(undefined);
    const timer = setTimeout(() => reject(new Error(`no answer within ${hookMs} ms`)), hookMs);
    this.#waiting.add(giveUp);
    try {
      const hook = this.#hookOf(operation);
      const answer = hook?.({ operation, tenant, principal, key, dispatchedAt });
      return await Promise.race([answer, promise]);
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(giveUp);
    }
  }

  /** The clock is read after the check, so that the wait never includes time in which it was alive. */
  async #hasLongBeenDead(sender: string, settleMs: number): Promise<boolean> {
    if (!isProvenDead(sender)) return false;
    const now = await this.#store.transaction((tx) => tx.now());
    const since = this.#deadSince.get(sender) ?? now;
    this.#deadSince.set(sender, since);
    return now - since >= settleMs;
  }

  async #toVerdict(
    operation: string,
    discovery: Discovery,
    senderIsDead: boolean,
  ): Promise<Verdict> {
    switch (discovery.kind) {
      case 'executed': {
        const { value } = discovery;
        const found = await this.#options.toStored?.(operation, value);
        return { kind: 'executed', outcome: encodeOutcome(found ?? { kind: 'success', value }) };
      }
      case 'cancelled':
      case 'not-found': {
        const problem = toProblem('not-executed', `${operation} did not happen under this key.`);
        const outcome = encodeOutcome({ kind: 'failure', problem });
        return { kind: 'not-executed', outcome, proof: discovery.kind, senderIsDead };
      }
      case 'cannot-tell':
        return { kind: 'cannot-tell' };
    }
  }
}
