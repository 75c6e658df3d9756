/**
 * Gates in the ledger: which run, what servers are behind them and under which policy. A console shows
 * all of them, and a question whose gate is gone is told from one that somebody waits for.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Store, Tx } from '../ledger/store.ts';
import type { GatedServerRow } from '../ledger/tables.ts';
import type { Mode } from '../effect/effect.ts';
import type { Policy } from './policy/policy.ts';

/** One server as its gate sees it. */
export interface RegisteredServer {
  readonly name: string;
  /** A command or a URL, without secrets. */
  readonly address: string;
  readonly state: 'unused' | 'up' | 'down';
  readonly era?: 'modern' | 'legacy';
  readonly trusted: boolean;
  readonly mode: Mode;
  /** Definitions as the server listed them last. */
  readonly tools: readonly unknown[];
  /** The lock that the gate reads pins from, on its own machine. */
  readonly lock?: string;
}

export interface Registry {
  /** One for each name: that of a gate that runs, and of those the one seen last. */
  readonly servers: readonly RegisteredServer[];
  /** The same, and those of one name behind running gates with other locks. */
  readonly all: readonly RegisteredServer[];
  /** Of the gate that was seen last; absent when none has registered. */
  readonly policy?: Policy;
}

interface RegistrationInit {
  readonly store: Store;
  readonly servers: () => readonly RegisteredServer[];
  readonly policy: () => Policy;
  readonly report: (message: string, cause?: unknown) => void;
  /** Default: 1000. */
  readonly lookEveryMs?: number;
  /** Default: 15 000. */
  readonly beatEveryMs?: number;
}

export interface Registration extends AsyncDisposable {
  readonly id: string;
}

const LOOK_EVERY_MS = 1000;
const BEAT_MS = 15_000;
/** A gate that was not seen for this long has gone: killed, or its machine sleeps. */
export const GATE_GONE_MS = 60_000;
const DAY_MS = 24 * 60 * 60_000;
const KEEP_SERVERS_MS = 30 * DAY_MS;
const MOST = 1000;

export function newGateId(): string {
  return randomBytes(8).toString('hex');
}

/** Writes what changed about once a second, and that the gate is alive every 15 seconds. */
export function openRegistration(id: string, init: RegistrationInit): Registration {
  const { store, servers, policy, report, lookEveryMs = LOOK_EVERY_MS } = init;
  const { beatEveryMs = BEAT_MS } = init;
  const written = new Map<string, RegisteredServer>();
  let policyVersion = '';
  let beatAt = 0;
  let running = Promise.resolve();
  let isFailing = false;

  const look = async (): Promise<void> => {
    const current = policy();
    const all = servers();
    const changed = all.filter((server) => !isSame(written.get(server.name), server));
    const isDue = Date.now() - beatAt >= beatEveryMs;
    if (changed.length === 0 && current.version === policyVersion && !isDue) return;
    await store.transaction(async (tx) => {
      await beat(tx, id, current);
      const lost = await findLost(tx, all);
      for (const server of new Set([...changed, ...lost])) await writeServer(tx, id, server);
    });
    for (const server of changed) written.set(server.name, server);
    policyVersion = current.version;
    beatAt = Date.now();
    isFailing = false;
  };
  const lookSafely = (): void => {
    running = running.then(look).catch((error: unknown) => {
      if (!isFailing) report('the gate could not register in the ledger; trying again', error);
      isFailing = true;
    });
  };
  const timer = setInterval(lookSafely, lookEveryMs);
  timer.unref();
  return {
    id,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await running;
      await store
        .transaction((tx) => leave(tx, id))
        .catch((error: unknown) => report('the gate could not sign off in the ledger', error));
    },
  };
}

function isSame(before: RegisteredServer | undefined, now: RegisteredServer): boolean {
  return (
    before !== undefined &&
    before.state === now.state &&
    before.era === now.era &&
    before.tools === now.tools
  );
}

async function beat(tx: Tx, id: string, policy: Policy): Promise<void> {
  const now = await tx.now();
  const text = JSON.stringify(policy);
  if (await tx.update('gates', { id }, { seen_at: now, policy: text })) {
    await tx.execute('UPDATE gated_servers SET seen_at = ? WHERE gate = ?', [now, id]);
    return;
  }
  await tx.insert('gates', { id, policy: text, started_at: now, seen_at: now });
  await tx.execute('DELETE FROM gates WHERE seen_at < ?', [now - DAY_MS]);
  await tx.execute('DELETE FROM gated_servers WHERE seen_at < ?', [now - KEEP_SERVERS_MS]);
}

/** Those that another gate of the same server wrote last and left as its own when it ended. */
async function findLost(
  tx: Tx,
  servers: readonly RegisteredServer[],
): Promise<readonly RegisteredServer[]> {
  const since = (await tx.now()) - GATE_GONE_MS;
  const rows = await tx.execute(
    'SELECT id FROM gated_servers WHERE gate NOT IN (SELECT id FROM gates WHERE seen_at > ?)',
    [since],
  );
  const lost = new Set(rows.map(({ id }) => id));
  return servers.filter((server) => lost.has(idOf(server)));
}

/** The same server behind two gates is one, unless what was accepted of it is kept in two places. */
function idOf({ name, address, lock = '' }: RegisteredServer): string {
  return createHash('sha256')
    .update(JSON.stringify([name, address, lock]))
    .digest('hex');
}

async function writeServer(tx: Tx, gate: string, server: RegisteredServer): Promise<void> {
  const { name, address, state, era = '', trusted, mode, tools, lock = '' } = server;
  const id = idOf(server);
  const seen = {
    gate,
    state,
    era,
    trusted: Number(trusted),
    mode,
    lock_file: lock,
    seen_at: await tx.now(),
  };
  // A gate that has not listed anything yet knows less than the one before it.
  const listed = tools.length === 0 ? {} : { tools: JSON.stringify(tools) };
  if (await tx.update('gated_servers', { id }, { ...seen, ...listed })) return;
  await tx.insert('gated_servers', { id, name, address, tools: '[]', ...seen, ...listed });
}

/** What it registered stays to be looked at; it is only no longer up. */
async function leave(tx: Tx, id: string): Promise<void> {
  await tx.remove('gates', { id });
  await tx.execute("UPDATE gated_servers SET state = 'down' WHERE gate = ?", [id]);
}

export async function readRegistry(store: Store): Promise<Registry> {
  const { gates, rows, now } = await store.transaction(async (tx) => ({
    now: await tx.now(),
    gates: await tx.list('gates', { orderBy: 'seen_at', descending: true, limit: MOST }),
    rows: await tx.list('gated_servers', { orderBy: 'seen_at', descending: true, limit: MOST }),
  }));
  const alive = new Set(
    gates.filter((gate) => now - gate.seen_at < GATE_GONE_MS).map(({ id }) => id),
  );
  const isAlive = ({ gate }: GatedServerRow): boolean => alive.has(gate);
  const inOrder = rows.toSorted((a, b) => Number(isAlive(b)) - Number(isAlive(a)));
  const byName = Map.groupBy(
    inOrder.toSorted((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name))),
    ({ name }) => name,
  );
  const all = [...byName.values()].map((alike) =>
    alike
      .filter((row, at) => at === 0 || (isAlive(row) && isOtherLock(row, alike.slice(0, at))))
      .map((row) => toServer(row, isAlive(row))),
  );
  const newest = gates[0]?.policy;
  return {
    servers: all.flatMap(([first]) => first ?? []),
    all: all.flat(),
    // Written by a gate from a policy.
    ...(newest !== undefined && { policy: JSON.parse(newest) as Policy }),
  };
}

function isOtherLock(row: GatedServerRow, others: readonly GatedServerRow[]): boolean {
  return others.every((other) => other.lock_file !== row.lock_file);
}

function toServer(row: GatedServerRow, isAlive: boolean): RegisteredServer {
  const { name, address, state, era, trusted, mode, tools, lock_file: lock } = row;
  return {
    name,
    address,
    // Text columns that a gate wrote from these types.
    state: isAlive ? (state as RegisteredServer['state']) : 'down',
    ...(era !== '' && { era: era as 'modern' | 'legacy' }),
    trusted: trusted === 1,
    mode: mode as Mode,
    tools: JSON.parse(tools) as readonly unknown[],
    ...(lock !== '' && { lock }),
  };
}
