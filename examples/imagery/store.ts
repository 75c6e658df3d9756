/**
 * The shop on SQLite, one part per kind of object. Fills itself with the invented world when it is new.
 * Every mutation is one transaction; every one that moves credits has a key.
 */
import { SCHEMA, SCHEMA_VERSION } from './schema.ts';
import { makeScenes, ORGANISATIONS } from './seed.ts';
import { ApiKeys } from './store/api-keys.ts';
import { Collections } from './store/collections.ts';
import { ComputeBudget } from './store/compute-budget.ts';
import { Credits } from './store/credits.ts';
import { Database } from '../shared/database.ts';
import { Events } from './store/events.ts';
import { Exports } from './store/exports.ts';
import { Inbox } from './store/inbox.ts';
import { Items } from './store/items.ts';
import { Jobs } from './store/jobs.ts';
import { Orders } from './store/orders.ts';
import { Projects } from './store/projects.ts';
import { PurchaseRequests } from './store/purchase-requests.ts';
import { Reconciliation } from './store/reconciliation.ts';
import { Scenes } from './store/scenes.ts';
import { ShareLinks } from './store/share-links.ts';
import { Topups } from './store/topups.ts';
import { Usage } from './store/usage.ts';

export interface Store extends Disposable {
  readonly apiKeys: ApiKeys;
  readonly collections: Collections;
  readonly computeBudget: ComputeBudget;
  readonly credits: Credits;
  readonly events: Events;
  readonly exports: Exports;
  readonly inbox: Inbox;
  readonly items: Items;
  readonly jobs: Jobs;
  readonly orders: Orders;
  readonly projects: Projects;
  readonly purchaseRequests: PurchaseRequests;
  readonly reconciliation: Reconciliation;
  readonly scenes: Scenes;
  readonly shareLinks: ShareLinks;
  readonly topups: Topups;
  readonly usage: Usage;
  /** Several steps, all or nothing. */
  atomically<T>(work: () => T): T;
  isOrganisation(id: string): boolean;
  close(): void;
}

/** `path` is a file, or `:memory:`. */
export function openStore(path: string): Store {
  const db = new Database(path);
  try {
    const store = makeStore(db);
    prepareTables(db, store);
    return store;
  } catch (error) {
    db.close();
    throw error;
  }
}

function makeStore(db: Database): Store {
  const events = new Events(db);
  const inbox = new Inbox(db);
  const credits = new Credits(db);
  const scenes = new Scenes(db);
  const items = new Items(db, events);
  const computeBudget = new ComputeBudget(db);
  return Object.freeze({
    events,
    inbox,
    credits,
    scenes,
    items,
    computeBudget,
    apiKeys: new ApiKeys(db, events),
    collections: new Collections(db, events),
    exports: new Exports(db, events),
    jobs: new Jobs(db, { credits, events, inbox, items }),
    orders: new Orders(db, { credits, events, inbox, items, scenes }),
    projects: new Projects(db, events),
    purchaseRequests: new PurchaseRequests(db, events),
    reconciliation: new Reconciliation(db, credits),
    shareLinks: new ShareLinks(db, events),
    topups: new Topups(db, credits, events, inbox),
    usage: new Usage(db, credits, computeBudget),
    atomically: <T>(work: () => T) => db.atomically(work),
    isOrganisation: (id: string) =>
      db.get('SELECT 1 FROM organisations WHERE id = :id', { id }) !== undefined,
    close: () => db.close(),
    [Symbol.dispose]: () => db.close(),
  });
}

/** All or nothing, and only one of several processes that open a new file at the same time. */
function prepareTables(db: Database, store: Store): void {
  if (versionOf(db) === SCHEMA_VERSION) return;
  db.atomically(() => {
    const version = versionOf(db);
    if (version === SCHEMA_VERSION) return;
    if (version !== 0) {
      throw new Error(`this shop has version ${version}; delete the file to start over`);
    }
    db.execute(SCHEMA);
    fill(db, store);
    db.execute(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  });
}

const OPENED_AT = new Date('2026-01-01T00:00:00Z');

function fill(db: Database, store: Store): void {
  for (const scene of makeScenes()) store.scenes.add(scene);
  store.credits.openConvention();
  for (const { id, name, card, credits, members } of ORGANISATIONS) {
    db.insert('organisations', { id, name, card });
    for (const { userId, role } of members) {
      db.insert('members', { organisation_id: id, user_id: userId, role });
    }
    const acting = { organisation: id, user: members[0]?.userId ?? id, at: OPENED_AT };
    store.credits.openAccounts(id);
    if (credits > 0) store.credits.add(acting, 'opening', id, credits);
    store.projects.create(acting, {
      id: id.replace('org_', 'prj_'),
      name: `${name}, first project`,
    });
  }
}

function versionOf(db: Database): number {
  return Number(db.get('PRAGMA user_version')?.['user_version']);
}
