/**
 * Real gates, really killed while calls are under way: several clients, each with a gate and a server of its
 * own on one ledger, send spends, writes and reads; after each kill a new gate is started and what is open
 * is sent again, until the client knows how it stands. Then the effects are counted against the ledger.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Chance } from '../fuzz/chance.ts';
import type { Handwork } from './by-hand.ts';
import { cutOffTwo, resolveByHand } from './by-hand.ts';
import type { GateCounts } from './gate-audit.ts';
import { auditRun } from './gate-audit.ts';
import type { Answer, GateSetting } from './gate-client.ts';
import { GateClient } from './gate-client.ts';

export interface GateRunOptions {
  readonly kills: number;
  readonly seed: number;
  /** The address of a PostgreSQL ledger; without one, SQLite in a folder of its own. */
  readonly postgres?: string;
  readonly clients?: number;
  readonly progress?: (kills: number, calls: number) => void;
  /** Told of each call that must not have ended as it did. */
  readonly report?: (fault: string) => void;
}

export interface GateRunResult extends GateCounts, Pick<Handwork, 'resolved'> {
  readonly kills: number;
  readonly calls: number;
}

/**
 * - `done`: answered, perhaps from what was stored. `refused`: nothing was run for it.
 * - `unknown`: told that it may have happened.
 * - `unanswered`: a write that was cut off; without a key nobody may send it again.
 */
export type CallEnd = 'open' | 'done' | 'refused' | 'unknown' | 'unanswered' | 'stuck';

export interface SentCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, string>> & { readonly item: string };
  /** What the client may do when it does not know: send it again, or leave it. */
  readonly kind: 'spend' | 'write' | 'read';
  readonly answers: Answer[];
  /** Requests that were sent and got no answer. */
  unheard: number;
  /** How long it took in the end, from when a gate was up. */
  settleMs: number;
  end: CallEnd;
}

export const KEYLESS = 'place_order';
const IN_FLIGHT = 3;
/** Every call is settled within this long after a gate is up again. */
const SETTLE_MS = 20_000;
const PAUSE_MS = 100;

// Spends are allowed, equal ones a short while later are not.
const POLICY = 'rules:\n  - name: all\n    then: allow\n';

export async function gateRun(options: GateRunOptions): Promise<GateRunResult> {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-crash-'));
  const key = randomBytes(32);
  const setting: GateSetting = {
    folder,
    ledger: options.postgres ?? `sqlite:${join(folder, 'ledger.sqlite')}`,
    env: { PLIMSOLL_LEDGER_KEY: key.toString('base64') },
  };
  writeFileSync(join(folder, 'policy.yaml'), POLICY);
  try {
    const calls: SentCall[] = [];
    let kills = 0;
    const take = (): boolean => {
      if (kills >= options.kills) return false;
      kills += 1;
      options.progress?.(kills, calls.length);
      return true;
    };
    const works = Array.from({ length: options.clients ?? 2 }, async (_, index) => {
      const chance = new Chance(options.seed * 1000 + index);
      await using client = new GateClient(setting, String(index), { chance, take });
      const workers = Array.from({ length: IN_FLIGHT }, async () => {
        while (kills < options.kills) {
          const call = newCall(chance, calls.length);
          calls.push(call);
          await settle(call, client);
        }
      });
      await Promise.all(workers);
    });
    await Promise.all(works);
    calls.push(...(await cutOffTwo(setting)));
    const report = options.report ?? (() => {});
    const counts = await auditRun(calls, setting, key, report);
    const { faults, resolved } = await resolveByHand(calls, setting);
    for (const fault of faults) report(fault);
    return { kills, calls: calls.length, ...counts, lost: counts.lost + faults.length, resolved };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const KINDS = ['spend', 'spend', 'keyed', 'own-key', 'write', 'read'] as const;

function newCall(chance: Chance, index: number): SentCall {
  const item = `i${index}-b${chance.below(60)}-a${chance.below(60)}`;
  const base = newSpend(item);
  const kind = chance.pick(KINDS);
  switch (kind) {
    case 'spend':
      return base;
    case 'keyed':
      return { ...base, tool: 'place_keyed_order' };
    case 'own-key': {
      const args = { item, idempotency_key: randomUUID() };
      return { ...base, tool: 'place_keyed_order', args };
    }
    case 'write':
      return { ...base, kind, tool: 'add_note' };
    case 'read':
      return { ...base, kind, tool: 'get_order' };
  }
}

/** Without a key, and so never sent twice by anybody. */
export function newSpend(item: string): SentCall {
  const args = { item };
  return { kind: 'spend', tool: KEYLESS, args, answers: [], unheard: 0, settleMs: 0, end: 'open' };
}

/** What any careful client does: the same call again, until it is told how it stands. */
export async function settle(call: SentCall, client: GateClient): Promise<void> {
  let since = Date.now();
  while (call.end === 'open') {
    const life = await client.life();
    if (life === undefined) continue;
    // Nobody can settle anything while no gate is up.
    since = Math.max(since, life.upSince ?? 0);
    const left = since + SETTLE_MS - Date.now();
    if (left <= 0) {
      call.end = 'stuck';
      return;
    }
    const answer = await client.call(call.tool, call.args, left);
    if (answer !== undefined) {
      call.answers.push(answer);
      call.end = endOf(call, answer);
      if (call.end === 'open') await wait(PAUSE_MS);
      continue;
    }
    call.unheard += 1;
    if (call.kind === 'write') call.end = 'unanswered';
  }
  call.settleMs = Date.now() - since;
}

/** Nothing was run, or it can be sent again without harm. */
const AGAIN: ReadonlySet<string> = new Set(['in-flight', 'retry-same-key', 'unavailable']);

function endOf({ kind }: SentCall, { code }: Answer): CallEnd {
  if (code === 'success') return 'done';
  if (AGAIN.has(code)) return 'open';
  if (code === 'outcome-unknown') return 'unknown';
  // The next answer to the same call names the key record; what has none is left as it is.
  if (code === 'outcome-doubtful') return kind === 'spend' ? 'open' : 'unknown';
  if (code === 'server-stopped') return kind === 'write' ? 'unknown' : 'open';
  return 'refused';
}
