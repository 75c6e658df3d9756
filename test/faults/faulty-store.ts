/** The real store behind its port, with a point at every verb: what passes it can fail, be lost, be late or die. */
import type { Store, Tx } from '../../src/ledger/store.ts';
import { CommitUnknownError, StoreUnavailableError } from '../../src/ledger/store.ts';
import type { Points } from './points.ts';
import { CrashedError, currentPasser, passAs } from './points.ts';
import type { Clock } from './clock.ts';

export interface StoreFaults {
  readonly points: Points;
  readonly clock: Clock;
  /** What others do while a call is late; not inside a transaction, where the store lets nobody else in. */
  readonly meanwhile: () => Promise<void>;
}

export function withFaults(store: Store, faults: StoreFaults): Store {
  const { points, clock, meanwhile } = faults;

  async function transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const passer = currentPasser();
    const { life } = passer;
    if (life.isDead) return life.crash();
    switch (points.pass('begin')) {
      case 'error':
      case 'lost':
        throw new StoreUnavailableError('the ledger cannot be reached');
      case 'crash':
        return life.crash();
      case 'delay':
        clock.passLease();
        await meanwhile();
        break;
      case undefined:
    }
    let atCommit: ReturnType<Points['pass']>;
    const connection = { isBroken: false };
    const toCommit = async (tx: Tx): Promise<T> => {
      const value = await work(toFaultyTx(tx, connection, faults));
      if (life.isDead) throw new CrashedError('rolled back');
      if (connection.isBroken) throw new StoreUnavailableError('the connection was lost');
      atCommit = points.pass('commit');
      if (atCommit === 'delay') clock.passLease();
      if (atCommit === 'error') throw new CommitUnknownError('the line broke before the commit');
      return value;
    };
    try {
      const value = await store.transaction((tx) => passAs(passer, () => toCommit(tx)));
      if (atCommit === 'lost') throw new CommitUnknownError('the line broke after the commit');
      if (atCommit === 'crash') return await life.crash();
      return value;
    } catch (error) {
      if (life.isDead) return life.crash();
      throw error;
    }
  }

  return { kind: store.kind, transaction, [Symbol.asyncDispose]: async () => {} };
}

/** Whatever verbs the port has: a new one is a point like the others. */
function toFaultyTx(tx: Tx, connection: { isBroken: boolean }, { points, clock }: StoreFaults): Tx {
  const at = async (name: string, run: () => unknown): Promise<unknown> => {
    const { life } = currentPasser();
    if (life.isDead) throw new CrashedError('the process has crashed');
    if (connection.isBroken) throw new StoreUnavailableError('the connection was lost');
    switch (points.pass(name)) {
      case 'error':
        throw new Error('disk I/O error');
      case 'lost':
        await run();
        connection.isBroken = true;
        throw new StoreUnavailableError('the connection was lost');
      case 'crash':
        void life.crash();
        throw new CrashedError('the process has crashed');
      case 'delay':
        clock.passLease();
        return run();
      case undefined:
        return run();
    }
  };
  return new Proxy(tx, {
    get: (target, verb) => {
      if (verb === 'now') return () => at('now', () => clock.now());
      const run: unknown = Reflect.get(target, verb);
      if (typeof run !== 'function') return run;
      return (...args: readonly unknown[]) =>
        at(toName(String(verb), args), () => Reflect.apply(run, target, args));
    },
  });
}

/** The verb and its table; statements of an application are told by their verb alone. */
function toName(verb: string, [table]: readonly unknown[]): string {
  return typeof table === 'string' && verb !== 'execute' ? `${verb} ${table}` : verb;
}
