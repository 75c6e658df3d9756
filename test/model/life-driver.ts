/** What the gate does for a call: performs the actions of its life, and tells it what became of them. */
import { decideRetry } from '../../src/gate/call/decide-retry.ts';
import type { LifeAction, LifeEnd, LifeEvent } from '../../src/gate/call/life.ts';
import { inferEffect } from '../../src/effect/infer/infer-effect.ts';
import type { KeyRecord, Write } from '../../src/ledger/idempotency/key-record.ts';
import { applyWrite } from './conditional-store.ts';
import type { LifeCall, LifeSetting, LifeWorld, Request } from './life-world.ts';
import { callIn, withCall } from './life-world.ts';
import { NOW, RULES } from './world.ts';

export const LIFE_FAULTS = Object.freeze({
  twice: 'the effect happened twice',
  forgotten: 'what may have happened is not on record',
  hollow: 'SUCCEEDED without the effect',
  twoEnds: 'a call ended twice',
  early: 'sent before admission',
  outdated: 'sent by a definition that no longer holds',
  unwanted: 'goes on although nobody waits',
  untold: 'recorded as not sent, or not as run, although it may have run',
  unsent: 'recorded as run although nothing was sent',
  kept: 'something was not given back',
  stuck: 'a call never ends',
  lacking: 'a call without its one receipt or answer',
});

export class Driver {
  readonly #setting: LifeSetting;
  readonly faults: string[] = [];
  /** How a call ended, if one did. */
  ended: string | undefined;
  world: LifeWorld;

  constructor(world: LifeWorld, setting: LifeSetting) {
    this.world = world;
    this.#setting = setting;
  }

  set(name: string, changes: Partial<LifeCall>): void {
    this.world = withCall(this.world, { ...callIn(this.world, name), ...changes });
  }

  on(name: string, event: LifeEvent): void {
    const { life } = callIn(this.world, name);
    if (life === undefined) return;
    const next = this.#setting.step(life, event, { readsOnly: false });
    // What was begun in an earlier state no longer counts.
    this.set(name, { life: next.state, ...(next.state.kind !== life.kind && { work: 'none' }) });
    for (const action of next.actions) this.perform(name, action);
    this.#checkWanted(name);
  }

  perform(name: string, action: LifeAction): void {
    const call = callIn(this.world, name);
    switch (action.kind) {
      case 'identify': {
        const { definition } = this.world;
        const fresh = { permit: 'policy', isRepeat: false, resumes: undefined } as const;
        return this.set(name, { ...fresh, work: 'weigh', definition, rounds: call.rounds + 1 });
      }
      case 'price':
        return this.set(name, { work: 'price', hasEstimate: true });
      case 'stop-pricing':
        return this.set(name, { hasEstimate: false });
      case 'ask':
        return this.set(name, { work: 'open' });
      case 'withdraw':
        return this.#withdraw();
      case 'leave-open':
        return undefined;
      case 'admit':
        if (call.definition !== this.world.definition)
          return this.on(name, { kind: 'decide-again' });
        return this.set(name, { admission: { kind: 'begun' } });
      case 'release':
        return this.release(name);
      case 'send':
        return this.#send(call, action.attempt);
      case 'wait':
        return this.set(name, { work: 'retry', hasTimer: true });
      case 'stop-waiting':
        return this.set(name, { hasTimer: false });
      case 'pass-cancel':
        return undefined;
      case 'end':
        return this.#end(call, action.end);
    }
  }

  /** What became of the request of an attempt, where the call still waits for it. */
  deliver(name: string, attempt: number, what: 'answer' | 'not-sent' | 'refused' | 'lost'): void {
    const call = callIn(this.world, name);
    const { requests, life, isDead } = call;
    const settled = requests.map((each, index) =>
      index === attempt ? { ...each, isSettled: true } : each,
    );
    this.set(name, { requests: settled });
    const isOver = life?.kind === 'ending' || life?.kind === 'ended';
    if (isDead || isOver || attempt !== requests.length - 1) return;
    const inDoubt = call.inDoubt || what === 'lost';
    this.set(name, { attempted: what, inDoubt });
    if (what === 'answer') return this.on(name, { kind: 'answer' });
    const sent = inDoubt || what !== 'not-sent';
    const retry = this.#mayRetry(call, what, attempt + 1);
    return this.on(name, { kind: 'failure', retry, sent });
  }

  /** One conditional write; tells whether the row was as expected. */
  write(write: Write, id: string): boolean {
    const { row, matched } = applyWrite(this.world.rows[id], write);
    const { [id]: _, ...others } = this.world.rows;
    if (matched) {
      this.world = { ...this.world, rows: row === undefined ? others : { ...others, [id]: row } };
    }
    return matched;
  }

  release(name: string): void {
    const { held } = callIn(this.world, name);
    if (held === undefined) return;
    this.write(this.#setting.machine.release(held, NOW), held.id);
    this.set(name, { held: undefined });
  }

  /** The transaction after: the key record is settled and the receipt written, all or nothing. */
  record(name: string): void {
    const { end, receipts, held, replays } = callIn(this.world, name);
    if (end !== undefined) this.#settle(callIn(this.world, name), end);
    const answered = held?.id ?? replays;
    const after = { receipts: receipts + 1, work: 'leave', held: undefined } as const;
    this.set(name, { ...after, replays: answered });
    // Only a gate that may crash in between is of interest there.
    if (name !== 'A') this.leave(name);
  }

  /** The answer leaves, and only then counts as delivered; what a caller brought a key for is always replayed. */
  leave(name: string): void {
    const { replays: id = '', end, answers } = callIn(this.world, name);
    const row = this.world.rows[id];
    const isDelivered = end?.delivered === true && row?.state === 'SUCCEEDED';
    if (isDelivered && this.#setting.keys === 'none') {
      const told = { ...row, outcome: 'told' };
      this.world = { ...this.world, rows: { ...this.world.rows, [id]: told } };
    }
    this.set(name, { answers: answers + (end?.answers === true ? 1 : 0), work: 'none' });
    this.on(name, { kind: 'recorded' });
  }

  #settle(call: LifeCall, { sent }: LifeEnd): void {
    const { machine } = this.#setting;
    const { held, attempted, inDoubt } = call;
    if (held === undefined) return;
    const isFailed = attempted === 'refused' && !inDoubt;
    if (!sent || isFailed) this.write(machine.release(held, NOW), held.id);
    else if (attempted === 'answer') {
      const isOurs = this.write(machine.settle(held, 'SUCCEEDED', 'untold', NOW, RULES), held.id);
      const row = this.world.rows[held.id];
      const late = isOurs || !row ? undefined : machine.late(row, held, 'untold', NOW, RULES);
      if (late !== undefined) this.write(late, held.id);
    } else this.write(machine.doubt(held, NOW), held.id);
  }

  #send(call: LifeCall, attempt: number): void {
    const { name, held, definition, permit, isRepeat, client } = call;
    const row: KeyRecord | undefined = held && this.world.rows[held.id];
    if (held === undefined) this.faults.push(LIFE_FAULTS.early);
    if (definition !== this.world.definition) this.faults.push(LIFE_FAULTS.outdated);
    if (client !== 'waits' || this.#isStopped(name)) this.faults.push(LIFE_FAULTS.unwanted);
    const record = held?.id ?? `none ${name}`;
    const request: Request = {
      record,
      key: row?.partner_key ?? record,
      state: 'flying',
      isSettled: false,
    };
    if (isRepeat && permit === 'yes' && attempt === 1) {
      this.world = { ...this.world, allowedRepeats: this.world.allowedRepeats + 1 };
    }
    const forgotten = this.#setting.forgetsAttempts ? ({ attempted: 'none' } as const) : {};
    this.set(name, { requests: [...call.requests, request], ...forgotten });
  }

  #end(call: LifeCall, end: LifeEnd): void {
    const { name, requests } = call;
    if (call.end !== undefined) this.faults.push(LIFE_FAULTS.twoEnds);
    const mayHaveRun = requests.some(({ state }) => state === 'flying' || state === 'done');
    if (mayHaveRun && (!end.sent || end.decision !== 'ran')) this.faults.push(LIFE_FAULTS.untold);
    if (end.decision === 'ran' && requests.length === 0) this.faults.push(LIFE_FAULTS.unsent);
    this.ended = `${name} ends: ${end.decision}${end.sent ? ', sent' : ''}`;
    this.set(name, { end, work: 'record', hasTimer: false });
  }

  #withdraw(): void {
    const { question } = this.world;
    // One that is just being opened is not opened any more, or closed at once.
    if (question.state !== 'open') return;
    this.world = { ...this.world, question: { ...question, state: 'withdrawn' } };
  }

  #isStopped(name: string): boolean {
    return name === 'A' && this.world.isStopping;
  }

  /** Nothing new is begun for a client that has left, or at a gate that stops. */
  #checkWanted(name: string): void {
    const { life, client } = callIn(this.world, name);
    if (client === 'waits' && !this.#isStopped(name)) return;
    const isGoingOn = life !== undefined && GOING_ON.has(life.kind);
    if (isGoingOn) this.faults.push(LIFE_FAULTS.unwanted);
  }

  #mayRetry(call: LifeCall, kind: 'not-sent' | 'refused' | 'lost', attempt: number): boolean {
    const { effectClass } = this.#setting;
    const decision = decideRetry({
      effect: SPEND,
      effectClass,
      hasKey: effectClass === 'dedup',
      trusted: false,
      failure: { kind, detail: '' },
      attempt,
      inDoubt: call.inDoubt || kind === 'lost',
      policy: { attempts: 2, baseMs: 1, capMs: 1 },
      random: 0,
    });
    return decision.kind === 'retry';
  }
}

const GOING_ON: ReadonlySet<string> = new Set(['identifying', 'pricing', 'asking', 'retrying']);
const SPEND = inferEffect(
  { name: 'place_order', description: 'Places a paid order and charges the card.' },
  { trusted: false },
).effect;
