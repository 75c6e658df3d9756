/** The billing store on SQLite. Every change is one transaction, and what has a key is done once for it. */
import { createHash } from 'node:crypto';
import { Database } from './store/database.ts';
import { Deliveries } from './store/deliveries.ts';
import { Objects } from './store/objects.ts';
import { Payments } from './store/payments.ts';
import { SCHEMA, SCHEMA_VERSION } from './store/schema.ts';
import { fillStore } from './seed.ts';

export interface Account {
  readonly id: string;
  readonly merchant_id: string;
  readonly name: string;
  readonly environment: 'test' | 'live';
  /** Nothing is pinned: the latest. */
  readonly api_version: string | null;
}

type Done<T> = { readonly kind: 'done'; readonly result: T } | { readonly kind: 'other-call' };

export class Store implements Disposable {
  readonly objects: Objects;
  readonly payments: Payments;
  readonly deliveries: Deliveries;
  readonly #db: Database;

  /** `path` is a file, or `:memory:`. */
  constructor(path: string) {
    this.#db = new Database(path);
    this.objects = new Objects(this.#db);
    this.payments = new Payments(this.#db);
    this.deliveries = new Deliveries(this.#db);
    this.#prepare();
  }

  atomically<T>(work: () => T): T {
    return this.#db.atomically(work);
  }

  /** Does the work once for each key, in one transaction with the note that it was done. */
  once<T>(account: string, key: string, input: unknown, at: Date, work: () => T): Done<T> {
    const fingerprint = createHash('sha256').update(JSON.stringify(input)).digest('hex');
    return this.#db.atomically(() => {
      const known = this.#db.get('SELECT * FROM done WHERE account = :account AND key = :key', {
        account,
        key,
      });
      if (known !== undefined) {
        if (known['fingerprint'] !== fingerprint) return { kind: 'other-call' };
        return { kind: 'done', result: JSON.parse(String(known['result'])) as T };
      }
      const result = work();
      this.#db.insert('done', {
        account,
        key,
        fingerprint,
        result: JSON.stringify(result ?? null),
        at: at.toISOString(),
      });
      return { kind: 'done', result };
    });
  }

  account(id: string): Account | undefined {
    const row = this.#db.get('SELECT * FROM accounts WHERE id = :id', { id });
    return row === undefined ? undefined : ({ ...row } as unknown as Account); // by the schema
  }

  accounts(): readonly Account[] {
    return this.#db.all('SELECT * FROM accounts ORDER BY id') as unknown as Account[];
  }

  addAccount(account: Account): void {
    this.#db.insert('accounts', { ...account });
  }

  pinVersion(id: string, version: string): void {
    this.#db.update('accounts', id, { api_version: version });
  }

  /** Only the hash of a key is kept. */
  addKey(hash: string, account: string, restricted: boolean): void {
    this.#db.insert('api_keys', { hash, account, restricted: restricted ? 1 : 0 });
  }

  findKey(hash: string): { readonly account: string; readonly restricted: boolean } | undefined {
    const row = this.#db.get('SELECT * FROM api_keys WHERE hash = :hash AND revoked_at IS NULL', {
      hash,
    });
    if (row === undefined) return undefined;
    return { account: String(row['account']), restricted: row['restricted'] === 1 };
  }

  [Symbol.dispose](): void {
    this.#db[Symbol.dispose]();
  }

  /** Of several processes that open a new file at once, one fills it. */
  #prepare(): void {
    const version = () => Number(this.#db.get('PRAGMA user_version')?.['user_version']);
    if (version() === SCHEMA_VERSION) return;
    this.#db.atomically(() => {
      if (version() === SCHEMA_VERSION) return;
      if (version() !== 0)
        throw new Error('the file is of another version; delete it to start over');
      this.#db.execute(SCHEMA);
      fillStore(this);
      this.#db.execute(`PRAGMA user_version = ${SCHEMA_VERSION}`);
    });
  }
}
