/**
 * Runs the work of one transaction on a connection, within the limits of the store. When it is over,
 * however it ended, its verbs no longer reach the connection, which others may be using by then.
 */
import type { Connection } from './sql-tx.ts';
import { toTx } from './sql-tx.ts';
import type { StoreLimits, Tx } from './store.ts';
import { TransactionLateError } from './store.ts';

export async function runWithin<T>(
  { idleMs, totalMs }: StoreLimits,
  connection: Connection,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const startedAt = performance.now();
  let [isOver, running, usedAt] = [false, 0, startedAt];
  const end = (message: string): void => {
    isOver = true;
    reject(new TransactionLateError(`${message}; it was rolled back`));
  };
  // Looks at when it was last used: starting a timer anew after each verb costs more than many verbs.
  const watch = (): void => {
    const left = usedAt + idleMs - performance.now();
    if (running > 0 || left > 0) timer = setTimeout(watch, running > 0 ? idleMs : left);
    else end(`a transaction did nothing for ${idleMs} ms`);
  };
  let timer = setTimeout(watch, idleMs);
  const use =
    <A extends readonly unknown[], R>(verb: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      if (!isOver && performance.now() - startedAt > totalMs) {
        end(`a transaction took longer than ${totalMs} ms`);
      }
      if (isOver) throw new Error('the transaction has ended');
      running += 1;
      try {
        return await verb(...args);
      } finally {
        running -= 1;
        usedAt = performance.now();
      }
    };
  const tx = toTx({
    syntax: connection.syntax,
    now: use(connection.now),
    lock: use(connection.lock),
    append: use(connection.append),
    findEqual: use(connection.findEqual),
    run: use(connection.run),
    attempt: use(connection.attempt),
  });
  try {
    return await Promise.race([work(tx), late]);
  } finally {
    isOver = true;
    clearTimeout(timer);
  }
}
