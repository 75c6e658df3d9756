/**
 * One run of the plan: a careful client calls until it knows how its call ended, the ledger is swept, and the
 * call is made once more. One point on the way fails; in the end everything is counted.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Recorded } from 'plimsoll/server';
import { deriveKeys } from '../../src/ledger/keys.ts';
import { openSqliteStore } from '../../src/ledger/sqlite/open-sqlite-store.ts';
import type { Store } from '../../src/ledger/store.ts';
import { Clock } from './clock.ts';
import type { EffectClass } from './effect-classes.ts';
import { withFaults } from './faulty-store.ts';
import { codeOf, judge } from './judge.ts';
import { Partner } from './partner.ts';
import type { Injection } from './points.ts';
import { Points } from './points.ts';
import type { Attempt } from './process.ts';
import { ServerProcess } from './process.ts';

export interface RunResult {
  /** The points that were passed, in order. */
  readonly points: readonly string[];
  /** What must not have happened. */
  readonly violations: readonly string[];
  /** What each attempt was answered. */
  readonly codes: readonly string[];
}

const KEY = '5e360d45-f4ad-45a8-9a82-a0c59e9f25f1';
const MOST_TRIES = 6;
const MOST_WAITS = 6;
const WAIT_MS = 250;

export async function runOne(effectClass: EffectClass, injection?: Injection): Promise<RunResult> {
  await using real = await openSqliteStore(':memory:');
  await real.transaction((tx) => tx.execute('CREATE TABLE notes (text TEXT NOT NULL)'));
  await using world = new World(real, effectClass, injection);
  await world.callUntilKnown();
  await world.sweep();
  if (effectClass.isKeyed) await world.callUntilKnown();
  await world.settleAll();
  let before = await world.count();
  let found = judge(effectClass, world.attempts, before);
  // What could not be written at once is tried again behind, after a second.
  for (let waits = 0; waits < MOST_WAITS && found.length > 0; waits += 1) {
    await wait(WAIT_MS);
    before = await world.count();
    found = judge(effectClass, world.attempts, before);
  }
  const violations = [...world.failures, ...found];
  await world.bury();
  const after = await world.count();
  if (JSON.stringify(after) !== JSON.stringify(before)) {
    violations.push('a process that had crashed changed something');
  }
  const codes = world.attempts.map(({ answer }) => (answer ? codeOf(answer) : 'crashed'));
  return { points: world.points.names, violations, codes };
}

export interface Counted {
  /** The attempt that had each effect; 0 where the effect does not tell. */
  readonly effects: readonly number[];
  readonly states: readonly string[];
  readonly receipts: readonly string[];
}

class World implements AsyncDisposable {
  readonly points: Points;
  readonly attempts: Attempt[] = [];
  readonly failures: string[] = [];
  readonly #effectClass: EffectClass;
  readonly #real: Store;
  readonly #store: Store;
  readonly #partner: Partner;
  readonly #clock = new Clock();
  readonly #keys = deriveKeys(randomBytes(32));
  readonly #processes: ServerProcess[] = [];
  #process: ServerProcess;
  #attempts = 0;
  #isMeanwhile = false;

  constructor(real: Store, effectClass: EffectClass, injection?: Injection) {
    this.points = new Points(injection);
    this.#real = real;
    this.#effectClass = effectClass;
    const meanwhile = (): Promise<void> => this.#meanwhile();
    const faults = { points: this.points, clock: this.#clock, meanwhile };
    this.#store = withFaults(real, faults);
    this.#partner = new Partner(faults);
    this.#process = this.#start(true);
  }

  /** What any careful client does: the same call again, for as long as that is safe and the outcome is not known. */
  async callUntilKnown(): Promise<void> {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const attempt = await this.#call(this.#process);
      this.#restartIfDead();
      if (!maySendAgain(this.#effectClass, attempt.answer)) return;
      this.#clock.passLease();
    }
    this.failures.push('a client did not learn how its call ended');
  }

  async sweep(): Promise<void> {
    await this.#sweepWith(this.#process);
    this.#restartIfDead();
    await this.#process.flush();
    this.#restartIfDead();
  }

  /** Without faults: what is left open after this stays open. */
  async settleAll(): Promise<void> {
    this.#clock.passLease();
    const last = this.#start(false);
    await this.#sweepWith(last);
    if (this.#effectClass.isKeyed) await this.#call(last);
    await last.flush();
    // What waited for the store is stored by now; only what was in a crashed process is gone.
    for (const each of this.#processes) if (!each.life.isDead) await each.flush();
  }

  async count(): Promise<Counted> {
    const [notes, states, receipts] = await this.#real.transaction(async (tx) => [
      await tx.execute('SELECT text FROM notes'),
      await tx.execute('SELECT state FROM key_records'),
      await tx.execute('SELECT outcome FROM receipts ORDER BY seq'),
    ]);
    const effects = [...notes.map(() => 0), ...this.#partner.effects.map(({ attempt }) => attempt)];
    return {
      effects,
      states: states.map(({ state }) => String(state)),
      receipts: receipts.map(({ outcome }) => String(outcome)),
    };
  }

  async bury(): Promise<void> {
    for (const each of this.#processes.splice(0)) await each[Symbol.asyncDispose]();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.bury();
  }

  /** While a call is late, others sweep and make the same call. */
  async #meanwhile(): Promise<void> {
    if (this.#isMeanwhile) return;
    this.#isMeanwhile = true;
    const other = this.#start(false);
    await this.#sweepWith(other);
    await this.#call(other);
    await other.flush();
    this.#isMeanwhile = false;
  }

  async #call(process: ServerProcess): Promise<Attempt> {
    const id = (this.#attempts += 1);
    const attempt = await process.call(id, this.#effectClass.sendsKey ? KEY : undefined);
    this.attempts.push(attempt);
    return attempt;
  }

  async #sweepWith(process: ServerProcess): Promise<void> {
    const { reconcile } = this.#operation.partner;
    await process.sweep(async () => {
      if (reconcile === undefined) return true;
      const { states } = await this.count();
      return !states.includes('UNKNOWN');
    });
  }

  get #operation() {
    return this.#effectClass.operation(this.#partner);
  }

  #restartIfDead(): void {
    if (!this.#process.life.isDead) return;
    this.#process = this.#start(true);
    this.#clock.passLease();
  }

  #start(isCounted: boolean): ServerProcess {
    const process = new ServerProcess(this.#store, this.#keys, this.#operation, isCounted);
    this.#processes.push(process);
    return process;
  }
}

/** Nothing was run, or the key keeps it from running twice. */
function maySendAgain({ name, isKeyed }: EffectClass, answer: Recorded | undefined): boolean {
  const code = answer === undefined ? 'crashed' : codeOf(answer);
  if (['success', 'outcome-unknown', 'not-executed'].includes(code)) return false;
  return isKeyed || name === 'read' || code === 'unavailable';
}
