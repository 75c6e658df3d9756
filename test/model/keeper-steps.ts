/** The sweeper and the reconciler: each reads, then writes, and others may act in between. */
import type { KeyRecord, Verdict, Write } from '../../src/ledger/idempotency/key-record.ts';
import type { Step } from './search.ts';
import type { Setting } from './setting.ts';
import type { Keeper, World } from './world.ts';
import { NOW, RULES, withRow } from './world.ts';

const IDLE: Keeper = Object.freeze({ kind: 'idle' });

export function keeperSteps(world: World, setting: Setting): readonly Step<World>[] {
  const { keeper, row } = world;
  switch (keeper.kind) {
    case 'idle':
      return row === undefined ? [] : [...sweep(world, row, setting), ...look(world, row, setting)];
    case 'writing':
      return [...write(world, keeper.write, setting), turn(world, 'lets it be', IDLE)];
    case 'asking': {
      const { keyRecord, senderIsDead } = keeper;
      const wasFound = world.partner.effects > 0;
      const verdict = verdictOf(wasFound, senderIsDead);
      return [
        judge(
          world,
          wasFound ? 'is told: done' : 'is told: not found',
          keyRecord,
          verdict,
          setting,
        ),
        cancel(world, keyRecord, setting),
      ];
    }
    case 'told':
      return [lookAfter(world, keeper.wasFound, setting)];
  }
}

function sweep(world: World, row: KeyRecord, { machine }: Setting): readonly Step<World>[] {
  const swept = machine.sweep(row, NOW, RULES, isOwnerDead(world, row));
  if (swept === undefined) return [];
  return [turn(world, `sees an old ${row.state}`, { kind: 'writing', write: swept })];
}

function isOwnerDead({ workers }: World, { owner }: KeyRecord): boolean {
  const kind = workers.find(({ name }) => name === owner)?.phase.kind;
  return kind === 'gone' || kind === 'dead';
}

/** Only an unknown outcome is asked about, and only of a partner that can be asked. */
function look(world: World, row: KeyRecord, setting: Setting): readonly Step<World>[] {
  if (row.state !== 'UNKNOWN' || setting.effectClass === 'opaque') return [];
  if (!setting.looksBeforeAsking) {
    const wasFound = world.partner.effects > 0;
    const label = wasFound ? 'asks first: done' : 'asks first: not found';
    return [turn(world, label, { kind: 'told', wasFound })];
  }
  const senderIsDead = isProvenDead(world, row, setting);
  const label = `sees UNKNOWN, its sender ${senderIsDead ? 'dead' : 'perhaps alive'}`;
  return [turn(world, label, { kind: 'asking', keyRecord: row, senderIsDead })];
}

function lookAfter(world: World, wasFound: boolean, setting: Setting): Step<World> {
  const { row } = world;
  if (row?.state !== 'UNKNOWN') return turn(world, 'lets it be', IDLE);
  const senderIsDead = isProvenDead(world, row, setting);
  const label = `looks at the sender: ${senderIsDead ? 'dead' : 'perhaps alive'}`;
  return judge(world, label, row, verdictOf(wasFound, senderIsDead), setting);
}

function isProvenDead(world: World, row: KeyRecord, { proofOfDeath }: Setting): boolean {
  const sender = world.workers.find(({ name }) => name === row.attempt);
  switch (proofOfDeath) {
    case 'for-a-window':
      return sender?.phase.kind === 'gone';
    case 'just-now':
      return sender?.phase.kind === 'gone' || sender?.phase.kind === 'dead';
    case 'none':
      return true;
  }
}

function cancel(world: World, keyRecord: KeyRecord, setting: Setting): Step<World> {
  if (world.partner.effects > 0) {
    return judge(world, 'cannot cancel: done', keyRecord, verdictOf(true, false), setting);
  }
  const verdict: Verdict = {
    kind: 'not-executed',
    outcome: 'cancelled',
    proof: 'cancelled',
    senderIsDead: false,
  };
  const cancelled: World = { ...world, partner: { ...world.partner, isCancelled: true } };
  return judge(cancelled, 'has it cancelled', keyRecord, verdict, setting);
}

function verdictOf(wasFound: boolean, senderIsDead: boolean): Verdict {
  return wasFound
    ? { kind: 'executed', outcome: 'done' }
    : { kind: 'not-executed', outcome: 'not found', proof: 'not-found', senderIsDead };
}

function judge(
  world: World,
  label: string,
  keyRecord: KeyRecord,
  verdict: Verdict,
  { machine }: Setting,
): Step<World> {
  const resolution = machine.reconcile(keyRecord, verdict, NOW, RULES);
  const keeper: Keeper = resolution === undefined ? IDLE : { kind: 'writing', write: resolution };
  return turn(world, label, keeper);
}

function write(world: World, intended: Write, { store }: Setting): readonly Step<World>[] {
  const { row, matched } = store(world.row, intended);
  if (!matched) return [];
  const verb = `writes ${intended.kind === 'change' ? (intended.set.state ?? 'an early end of the lease') : intended.kind}`;
  const next: World = { ...withRow(world, row), keeper: IDLE };
  return [{ label: `the keeper ${verb}`, next, mark: `the keeper ${verb}` }];
}

function turn(world: World, verb: string, keeper: Keeper): Step<World> {
  return { label: `the keeper ${verb}`, next: { ...world, keeper } };
}
