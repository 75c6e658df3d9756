/**
 * Real gates, really killed while calls are under way: several clients, each with a gate and a server of its
 * own on one ledger, send spends, writes and reads; after each kill a new gate is started and what is open
 * is sent again, until the client knows how it stands. Then the effects are counted against the ledger.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Chance } from '../fuzz/chance.ts';
import type { Handwork } from './by-hand.ts';
import { cutOffTwo, resolveByHand } from './by-hand.ts';
import type { GateCounts } from './gate-audit.ts';
import { auditRun } from './gate-audit.ts';
import type { GateSetting } from './gate-client.ts';
import { GateClient } from './gate-client.ts';
import type { SentCall } from './sent-call.ts';
import { newSpend, settle } from './sent-call.ts';

export interface GateRunOptions {
  readonly kills: number;
  readonly seed: number;
  /** The address of a PostgreSQL ledger; without one, SQLite in its own folder. */
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

const IN_FLIGHT = 3;
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
