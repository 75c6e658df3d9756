/**
 * Real gates, really killed while calls are under way: several clients, each with a gate and a server of its
 * own on one ledger, send spends, writes and reads; after each kill a new gate is started and what is open
 * is sent again, until the client knows its outcome. Then the effects are counted against the ledger.
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
import { Disturbances } from './disturbances.ts';
import type { FaultCounts, FaultName, LedgerFault, LedgerKind } from './fault.ts';
import { isLedgerFault } from './fault.ts';
import { openFaultyLedger } from './open-faulty-ledger.ts';
import type { GateSetting } from './gate-client.ts';
import { GateClient } from './gate-client.ts';
import type { SentCall } from './sent-call.ts';
import { newSpend, settle } from './sent-call.ts';

export interface GateRunOptions {
  readonly ledger: LedgerKind;
  readonly faults: readonly FaultName[];
  /** How many faults are injected. */
  readonly count: number;
  readonly seed: number;
  readonly clients?: number;
  readonly progress?: (faults: number, calls: number) => void;
  /** Told of each call that must not have ended as it did. */
  readonly report?: (fault: string) => void;
}

export interface GateRunResult extends GateCounts, Pick<Handwork, 'resolved'> {
  readonly faults: FaultCounts;
  readonly calls: number;
}

const IN_FLIGHT = 3;
// Spends are allowed, equal ones a short while later are not.
const POLICY = 'rules:\n  - name: all\n    then: allow\n';

export async function gateRun(options: GateRunOptions): Promise<GateRunResult> {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-crash-'));
  const key = randomBytes(32);
  const disturbances = new Disturbances();
  try {
    await using faulty = await openFaultyLedger(options.ledger, folder, options.faults);
    const setting: GateSetting = {
      folder,
      ledger: faulty.address,
      env: { ...faulty.env, PLIMSOLL_LEDGER_KEY: key.toString('base64') },
      disturbances,
    };
    writeFileSync(join(folder, 'policy.yaml'), POLICY);
    const calls: SentCall[] = [];
    const plan = openPlan(options, (fault, chance) => {
      return disturbances.during(faulty.inject(fault, chance));
    });
    const works = Array.from({ length: options.clients ?? 2 }, async (_, index) => {
      const chance = new Chance(options.seed * 1000 + index);
      const take = (): FaultName | undefined => plan.take(chance, calls.length);
      const inject = (fault: LedgerFault): void => plan.inject(fault, chance);
      await using client = new GateClient(setting, { chance, take, inject });
      const workers = Array.from({ length: IN_FLIGHT }, async () => {
        while (!plan.isDone()) {
          const call = newCall(chance, calls.length);
          calls.push(call);
          await settle(call, client, disturbances);
        }
      });
      await Promise.all(workers);
    });
    await Promise.all(works);
    const faults = await plan.end();
    calls.push(...(await cutOffTwo(setting)));
    const report = options.report ?? (() => {});
    const counts = await auditRun(calls, setting, key, report);
    const hand = await resolveByHand(calls, setting);
    for (const fault of hand.faults) report(fault);
    const lost = counts.lost + hand.faults.length;
    return { faults, calls: calls.length, ...counts, lost, resolved: hand.resolved };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Plan {
  readonly isDone: () => boolean;
  readonly take: (chance: Chance, calls: number) => FaultName | undefined;
  readonly inject: (fault: LedgerFault, chance: Chance) => void;
  readonly end: () => Promise<FaultCounts>;
}

/** Draws faults until there were enough; the ledger has one at a time. */
function openPlan(
  { faults, count, progress }: GateRunOptions,
  inject: (fault: LedgerFault, chance: Chance) => Promise<void>,
): Plan {
  const counts: FaultCounts = {};
  const failures: unknown[] = [];
  let taken = 0;
  let pending: Promise<void> | undefined;
  return {
    isDone: () => taken >= count,
    take: (chance, calls) => {
      const possible = faults.filter((name) => pending === undefined || !isLedgerFault(name));
      if (taken >= count || possible.length === 0) return undefined;
      const name = chance.pick(possible);
      counts[name] = (counts[name] ?? 0) + 1;
      taken += 1;
      progress?.(taken, calls);
      return name;
    },
    inject: (fault, chance) => {
      pending = inject(fault, chance)
        .catch((error: unknown) => void failures.push(error))
        .finally(() => (pending = undefined));
    },
    end: async () => {
      await pending;
      if (failures.length > 0) throw new AggregateError(failures, 'faults could not be injected');
      return counts;
    },
  };
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
