/**
 * One call, from its first byte to its receipt: owns its id, its state and its way to the server. The
 * machine in `life.ts` says what happens when; each of its actions is performed by the file of that step:
 * identify, price, ask, admit, send, end.
 */
import { TIERS } from '../../effect/tier.ts';
import type { Problem } from '../../lib/problem.ts';
import { toProblem } from '../../lib/problem.ts';
import { ShortLivedMap } from '../../lib/short-lived-map.ts';
import { CODES } from '../protocol/envelope.ts';
import type { Frame, RpcId } from '../protocol/frame.ts';
import { admitCall, releaseCall } from './admit.ts';
import { toProblemAnswer, toProtocolError, withEarlierAttempt } from './answers.ts';
import { askAboutCall } from './ask.ts';
import { endCall } from './end.ts';
import { identifyCall, toAnswerTarget } from './identify.ts';
import type { LifeAction, LifeEnd, LifeEvent, LifeState, Traits } from './life.ts';
import { BORN, step } from './life.ts';
import { priceCall } from './price.ts';
import type { Question } from './question.ts';
import type { CallHost, Purpose, RunningCall } from './running-call.ts';
import { Sending } from './send.ts';

/** A server that changes its tools all the time must not keep a call in the gate for ever. */
const MOST_ROUNDS = 10;
/** How long a call is followed whose caller is gone. */
const GONE_MS = 5 * 60_000;

export class Call implements RunningCall {
  readonly id: RpcId;
  readonly frame: Frame;
  readonly name: string;
  readonly startedAt: number;
  readonly purpose: Purpose | undefined;
  host: CallHost;
  call: RunningCall['call'];
  rule: RunningCall['rule'];
  weighed: RunningCall['weighed'];
  estimate: RunningCall['estimate'];
  price: RunningCall['price'];
  before: RunningCall['before'];
  change: RunningCall['change'];
  permit: RunningCall['permit'];
  held: RunningCall['held'];
  isAlike = false;
  attempts = 0;
  inDoubt = false;
  attempted: RunningCall['attempted'];
  own: RunningCall['own'];
  approval: RunningCall['approval'];
  keyRecord: RunningCall['keyRecord'];
  replayed: RunningCall['replayed'];
  /** With the policy that holds now; `host` has the one that the call was decided by. */
  readonly #toHost: () => CallHost;
  #state: LifeState = BORN;
  /** Grows with every change of state: what was begun in an earlier one no longer counts. */
  #turn = 0;
  #rounds = 0;
  #stopPricing: (() => void) | undefined;
  #limit: NodeJS.Timeout | undefined;
  #question: Question | undefined;
  readonly #sending = new Sending(this);

  constructor(frame: Frame, id: RpcId, name: string, toHost: () => CallHost, purpose?: Purpose) {
    this.frame = frame;
    this.id = id;
    this.name = name;
    this.#toHost = toHost;
    this.host = toHost();
    this.purpose = purpose;
    this.startedAt = this.host.context.services.now();
  }

  start(): void {
    this.#guard(() => this.#perform({ kind: 'identify' }));
  }

  /** A request that cannot be a call ends as soon as it begins. */
  refuseRequest(problem: Problem): void {
    const frame = toProtocolError(this.id, CODES.invalidParams, problem);
    this.rule = 'invalid-request';
    this.own = { frame, outcome: problem.code };
    this.on({ kind: 'refused' });
  }

  cancel(): void {
    this.on({ kind: 'cancelled' });
  }

  /** The client's stream broke; it may come back for the answer. */
  loseCaller(): void {
    this.on({ kind: 'gone' });
    if (!this.isOver()) this.#limit ??= setTimeout(() => this.abandon(), GONE_MS).unref();
  }

  /** The server's tools or their pins changed. */
  recheck(): void {
    if (!this.isCurrent()) this.on({ kind: 'changed' });
  }

  /** Gives how long the call may still take, in milliseconds. */
  stop(): number {
    this.on({ kind: 'stop' });
    const { readMs, otherMs } = this.host.graces;
    return this.#traits.readsOnly ? readMs : otherMs;
  }

  abandon(): void {
    this.on({ kind: 'grace-over' });
  }

  on(event: LifeEvent): void {
    const { state, actions } = step(this.#state, event, this.#traits);
    if (state.kind !== this.#state.kind) this.#turn += 1;
    this.#state = state;
    for (const action of actions) this.#perform(action);
  }

  later<T>(work: Promise<T>, then: (value: T) => void): void {
    const turn = this.#turn;
    const ifStill = (go: () => void): void => {
      if (turn === this.#turn) this.#guard(go);
    };
    work.then(
      (value) => ifStill(() => then(value)),
      (error: unknown) => ifStill(() => this.#fail(error)),
    );
  }

  refuse(rule: string, problem: Problem): void {
    const frame = toProblemAnswer(toAnswerTarget(this), this.toTrue(problem));
    this.rule = rule;
    this.own = { frame, outcome: problem.code };
    this.on({ kind: 'refused' });
  }

  toTrue(problem: Problem): Problem {
    return this.inDoubt ? withEarlierAttempt(problem) : problem;
  }

  isCurrent(): boolean {
    if (this.call === undefined) return true;
    return this.host.tools.find(this.name) === this.call.tool;
  }

  isDecided(): boolean {
    const { policy } = this.#toHost().context.services;
    return this.isCurrent() && policy.version === this.host.context.services.policy.version;
  }

  isOver(): boolean {
    return this.#state.kind === 'ending' || this.#state.kind === 'ended';
  }

  get #traits(): Traits {
    return { readsOnly: this.call !== undefined && TIERS[this.call.effect.tier].readsOnly };
  }

  #perform(action: LifeAction): void {
    switch (action.kind) {
      case 'identify':
        return this.#identify();
      case 'price':
        this.#stopPricing = priceCall(this);
        return undefined;
      case 'stop-pricing':
        return this.#stopPricing?.();
      case 'ask':
        this.#question = askAboutCall(this);
        return undefined;
      case 'withdraw':
        return this.#close(this.#question?.withdraw(action.reason));
      case 'leave-open':
        return this.#close(this.#question?.leave(action.callerGone));
      case 'admit':
        return admitCall(this);
      case 'release':
        return releaseCall(this);
      case 'send':
        return this.#sending.send();
      case 'wait':
        return this.#sending.wait();
      case 'stop-waiting':
        return this.#sending.stopWaiting();
      case 'pass-cancel':
        return this.#sending.passCancel();
      case 'end':
        clearTimeout(this.#limit);
        this.#sending[Symbol.dispose]();
        return endCall(this, this.#toTrueEnd(action.end), this.#sending.cacheMark);
    }
  }

  /** A read that was sent before its server restarted did run, even where it could not be sent again. */
  #toTrueEnd(end: LifeEnd): LifeEnd {
    const wasSent = this.attempts > 0 && this.attempted !== undefined;
    const isSent = wasSent && (this.inDoubt || this.attempted?.kind === 'answer');
    if (!isSent) return end;
    return { ...end, ...(end.decision === 'refused' && { decision: 'ran' }), sent: true };
  }

  #identify(): void {
    this.#rounds += 1;
    this.host = this.#toHost();
    if (this.#rounds <= MOST_ROUNDS) return identifyCall(this);
    const detail = 'The tools of the server or the policy keep changing. Nothing was run.';
    return this.refuse('tool-changed', toProblem('unavailable', detail, { retryAfter: 5 }));
  }

  #close(closed: Promise<void> | undefined): void {
    if (closed !== undefined) this.host.follow('a question could not be closed', closed);
  }

  #guard(go: () => void): void {
    try {
      go();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Whatever state it is in, the call ends; what may have been sent counts as sent. */
  #fail(error: unknown): void {
    const isSent = this.#state.kind === 'sent';
    this.inDoubt ||= isSent;
    this.host.context.services.report(`${this.name} ${isSent ? 'failed' : 'was not run'}`, error);
    const isOurs = error instanceof TypeError || error instanceof RangeError;
    const problem = isOurs
      ? toProblem('internal-error', 'The gate failed. Nothing was run.', {
          remedy: 'Ask whoever runs the gate; its log has the cause.',
        })
      : toProblem('unavailable', 'The ledger cannot be reached. Nothing was run.', {
          retryAfter: 5,
        });
    this.refuse(this.rule ?? 'ledger', problem);
  }
}

/** The calls of a gate that have not ended, by their ids, and what ended ones have left to be done. */
export class OpenCalls extends ShortLivedMap<RpcId, Call> {
  readonly #report: (trouble: string, cause: unknown) => void;
  readonly #works = new Set<Promise<void>>();
  #idle: (() => void) | undefined;

  constructor(report: (trouble: string, cause: unknown) => void) {
    super();
    this.#report = report;
  }

  override delete(id: RpcId): boolean {
    const wasOpen = super.delete(id);
    if (this.size === 0) this.#idle?.();
    return wasOpen;
  }

  follow(trouble: string, work: Promise<void>): void {
    const followed = work
      .catch((error: unknown) => this.#report(trouble, error))
      .finally(() => this.#works.delete(followed));
    this.#works.add(followed);
  }

  async untilIdle(): Promise<void> {
    while (this.size > 0) await new Promise<void>((resolve) => (this.#idle = resolve));
    while (this.#works.size > 0) await Promise.all(this.#works);
  }
}
