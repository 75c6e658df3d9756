/** Fifth step, send: sends the call, as often as its effect permits, and keeps its key record alive meanwhile. */
import { TIERS } from '../../effect/tier.ts';
import type { Frame, RpcId } from '../protocol/frame.ts';
import { toNotification } from '../protocol/frame.ts';
import type { Attempted } from './attempt.ts';
import { sendAttempt } from './attempt.ts';
import type { RunningCall } from './running-call.ts';

/** The way of one call upstream; disposed of when the call ends. */
export class Sending implements Disposable {
  readonly #call: RunningCall;
  #upstreamId: RpcId | undefined;
  #cacheMark = 0;
  #timer: NodeJS.Timeout | undefined;
  #lease: NodeJS.Timeout | undefined;
  #isUnheard = false;

  constructor(call: RunningCall) {
    this.#call = call;
  }

  /** Taken before the first attempt: what a write overtook is not cached. */
  get cacheMark(): number {
    return this.#cacheMark;
  }

  /** Attempts count over the whole call, also when it was decided on again in between. */
  send(): void {
    const call = this.#call;
    const attempt = call.attempts + 1;
    const { call: read, permit, weighed, host } = call;
    if (read === undefined || permit === undefined || weighed === undefined) return;
    const { cache } = host.context.services;
    const { name } = host.context.server;
    if (!TIERS[read.effect.tier].readsOnly) cache.invalidateServer(name);
    if (attempt === 1) this.#cacheMark = cache.mark(name);
    this.#holdLease();
    call.attempts = attempt;
    // What became of an earlier attempt says nothing about this one.
    call.attempted = undefined;
    const sending = { call: read, permit, intent: weighed.intent, held: call.held ?? NOTHING };
    const number = { number: attempt, inDoubt: call.inDoubt, isUnheard: () => this.#isUnheard };
    this.#upstreamId = sendAttempt(sending, number, host.requests, host.context, (attempted) =>
      this.#done(attempt, attempted),
    );
  }

  /** The retry that the last attempt allowed. */
  wait(): void {
    const { attempted } = this.#call;
    const ms = attempted?.kind === 'failure' ? attempted.retryAfterMs : undefined;
    this.#timer = setTimeout(() => this.#due(), ms ?? 0);
  }

  /** Nothing is sent again on a definition that may no longer hold. */
  #due(): void {
    const call = this.#call;
    if (call.isCurrent()) return call.on({ kind: 'due' });
    return call.later(call.host.tools.load(call.frame), () =>
      call.on({ kind: call.isCurrent() ? 'due' : 'changed' }),
    );
  }

  stopWaiting(): void {
    clearTimeout(this.#timer);
  }

  passCancel(): void {
    this.#isUnheard = true;
    const { caller } = this.#call.frame;
    if (this.#upstreamId === undefined) return;
    const params = { requestId: this.#upstreamId, reason: 'The caller no longer waits.' };
    const frame: Frame = toNotification('notifications/cancelled', params);
    this.#call.host.cancelUpstream(caller === undefined ? frame : { ...frame, caller });
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    clearInterval(this.#lease);
  }

  #done(attempt: number, attempted: Attempted): void {
    const call = this.#call;
    // A cancelled read has ended; nobody needs its late answer.
    if (call.attempts !== attempt || call.isOver()) return;
    call.attempted = attempted;
    if (attempted.kind === 'answer') return call.on({ kind: 'answer' });
    call.inDoubt ||= attempted.failure.kind === 'lost';
    const sent = call.inDoubt || attempted.failure.kind !== 'not-sent';
    return call.on({ kind: 'failure', retry: attempted.retryAfterMs !== undefined, sent });
  }

  #holdLease(): void {
    const { held, host } = this.#call;
    if (held?.key === undefined || this.#lease !== undefined) return;
    const { ledger, report } = host.context.services;
    const { held: key, rules } = held.key;
    this.#lease = setInterval(() => {
      ledger.keyRecords.extend(key, rules).catch((error: unknown) => {
        report(`the lease of key record ${key.id} could not be extended`, error);
      });
    }, rules.leaseMs / 3);
    this.#lease.unref();
  }
}

const NOTHING = Object.freeze({ draws: Object.freeze([]) });
