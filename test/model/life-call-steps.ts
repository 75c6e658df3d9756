/** What the gate does for one call: decides on it, asks, admits it in one transaction, and records it. */
import type { LifeState } from '../../src/gate/call/life.ts';
import type { KeyRecord } from '../../src/ledger/idempotency/key-record.ts';
import type { Driver } from './life-driver.ts';
import { LIFE_FAULTS } from './life-driver.ts';
import type { LifeCall, LifeSetting, LifeWorld, Question } from './life-world.ts';
import { isLeftOpen } from './life-world.ts';
import { arrivingOf, NOW, RULES } from './world.ts';

export type Take = (label: string, go: (driver: Driver) => void) => void;

export function callSteps(
  call: LifeCall,
  world: LifeWorld,
  setting: LifeSetting,
  take: Take,
): void {
  const { name, life, work, admission } = call;
  if (life === undefined) {
    take(`${name} is sent`, (driver) => {
      driver.set(name, { life: { kind: 'identifying' } });
      driver.perform(name, { kind: 'identify' });
    });
    return;
  }
  // Mostly nothing follows from it, so that it is no step at all.
  if (life.kind !== 'sent' && changes(setting.step(life, { kind: 'answer' }, WRITES), life)) {
    take(`the server answers ${name}, which it was not sent`, (driver) => {
      driver.on(name, { kind: 'answer' });
    });
  }
  if (work === 'weigh')
    take(`${name} is decided on`, (driver) => weigh(call, world, setting, driver));
  if (work === 'price') {
    take(`${name} is priced`, (driver) => {
      driver.set(name, { hasEstimate: false });
      driver.on(name, { kind: 'priced' });
    });
  }
  if (work === 'open') take(`${name} asks`, (driver) => ask(call, world, driver));
  if (work === 'hold') holdSteps(call, world.question, take);
  if (call.hasTimer) {
    take(`the time of ${name} to be sent again has come`, (driver) => {
      driver.set(name, { hasTimer: false });
      const isCurrent = call.definition === world.definition;
      driver.on(name, { kind: isCurrent ? 'due' : 'changed' });
    });
  }
  if (admission.kind === 'begun') {
    take(`${name} is admitted or not`, (driver) => admit(call, world, setting, driver));
  } else if (admission.kind !== 'none') {
    take(`${name} hears of its admission`, (driver) => hear(call, world, driver));
  }
  if (work === 'record') take(`${name} is recorded`, (driver) => driver.record(name));
  if (work === 'leave') take(`the answer to ${name} leaves`, (driver) => driver.leave(name));
}

const WRITES = { readsOnly: false };

function changes({ state, actions }: ReturnType<LifeSetting['step']>, before: LifeState): boolean {
  return actions.length > 0 || state.kind !== before.kind;
}

/** The newest equal call that stands in the way of another. */
function findEqual({ rows }: LifeWorld): KeyRecord | undefined {
  return Object.values(rows).find(({ state }) => state !== 'FAILED_FINAL' && state !== 'TOMBSTONE');
}

function weigh({ name }: LifeCall, world: LifeWorld, setting: LifeSetting, driver: Driver): void {
  const { keys, asks, priced, effectClass } = setting;
  const equal = keys === 'none' ? findEqual(world) : undefined;
  const isOpen = equal?.state === 'CLAIMED' || equal?.state === 'DISPATCHED';
  const isLeft = isOpen && equal.lease_until <= NOW && effectClass === 'dedup';
  if ((isOpen && !isLeft) || equal?.state === 'UNKNOWN') {
    driver.on(name, { kind: 'refused' });
    return;
  }
  if (equal?.state === 'SUCCEEDED' && equal.outcome === 'untold') {
    driver.set(name, { replays: equal.id });
    driver.on(name, { kind: 'known', as: 'replayed' });
    return;
  }
  const isRepeat = equal?.state === 'SUCCEEDED';
  driver.set(name, { isRepeat, resumes: isLeft ? equal.id : undefined });
  driver.on(
    name,
    asks || isRepeat ? { kind: 'must-ask', priced } : { kind: 'allowed', plain: false, priced },
  );
}

const MOST_QUESTIONS = 2;

function ask({ name, definition }: LifeCall, { question }: LifeWorld, driver: Driver): void {
  const isSame = question.definition === definition;
  if (question.state === 'no' && isSame) return driver.on(name, { kind: 'no' });
  if (question.state === 'yes' && isSame) {
    driver.set(name, { permit: 'yes' });
    return driver.on(name, { kind: 'yes' });
  }
  if (question.state === 'open' && isSame) return driver.set(name, { work: 'hold' });
  const isLeft = driver.world.calls.some(({ work, end }) => work === 'hold' || isLeftOpen(end));
  // Nobody will come back for the one about another definition.
  if (question.state === 'open' && !isLeft) driver.faults.push(LIFE_FAULTS.kept);
  if (question.serial >= MOST_QUESTIONS) return driver.on(name, { kind: 'refused' });
  const serial = question.serial + 1;
  driver.world = { ...driver.world, question: { state: 'open', serial, definition } };
  return driver.set(name, { work: 'hold' });
}

function holdSteps({ name }: LifeCall, { state }: Question, take: Take): void {
  if (state === 'open') {
    take(`the hold of ${name} is over`, (driver) => driver.on(name, { kind: 'waiting' }));
  } else if (state === 'yes') {
    take(`${name} hears the yes`, (driver) => {
      driver.set(name, { permit: 'yes' });
      driver.on(name, { kind: 'yes' });
    });
  } else if (state === 'no') {
    take(`${name} hears the no`, (driver) => driver.on(name, { kind: 'no' }));
  } else
    take(`${name} hears of the end of its question`, (driver) =>
      driver.on(name, { kind: 'expired' }),
    );
}

/** One transaction: the key record is claimed and dispatched, and the yes used up. */
function admit(call: LifeCall, world: LifeWorld, setting: LifeSetting, driver: Driver): void {
  const { name, permit, isRepeat, resumes, rounds } = call;
  const { machine, effectClass, keys, looksInside } = setting;
  const { question } = world;
  const own = permit === 'yes' ? `q${question.serial}` : `k${name}`;
  const id = keys === 'same' ? 'k' : (resumes ?? own);
  const end = (kind: 'refused' | 'replayed' | 'duplicate'): void =>
    driver.set(name, { admission: { kind } });
  const row = world.rows[id];
  const arriving = { ...arrivingOf(`${name}${rounds}`, effectClass), id, partnerKey: id };
  const arrival = machine.arrive(row, arriving, RULES);
  if (arrival.kind === 'standing') {
    return end(arrival.standing.kind === 'replay' ? 'replayed' : 'refused');
  }
  const isChecked = keys === 'none' && permit === 'policy' && !isRepeat && resumes === undefined;
  if (row === undefined && isChecked && looksInside && findEqual(world)) return end('duplicate');
  if (arrival.kind === 'give-up') {
    driver.write(arrival.write, id);
    return end('refused');
  }
  // The yes is used in the same transaction, or nothing is written.
  const isBound = question.state === 'yes' && question.definition === call.definition;
  if (permit === 'yes' && !isBound) return end('refused');
  const { held } = arrival;
  driver.write(arrival.write, id);
  if (!held.isResend) driver.write(machine.dispatch(held, NOW, RULES), id);
  if (permit === 'yes')
    driver.world = { ...driver.world, question: { ...question, state: 'used' } };
  return driver.set(name, { admission: { kind: 'held', held } });
}

function hear(call: LifeCall, world: LifeWorld, driver: Driver): void {
  const { name, admission, life, definition } = call;
  driver.set(name, { admission: { kind: 'none' } });
  // Nobody hears of it in another state.
  if (life?.kind !== 'admitting') return;
  switch (admission.kind) {
    case 'held':
      driver.set(name, { held: admission.held });
      if (definition === world.definition) return driver.on(name, { kind: 'admitted' });
      driver.release(name);
      return driver.on(name, { kind: 'decide-again' });
    case 'duplicate':
      return driver.on(name, { kind: 'decide-again' });
    case 'replayed':
      return driver.on(name, { kind: 'known', as: 'replayed' });
    case 'refused':
      return driver.on(name, { kind: 'refused' });
    case 'none':
    case 'begun':
      return undefined;
  }
}
