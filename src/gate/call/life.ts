/**
 * The life of one call as a pure machine: a state and an event give the next state and what is to be
 * done. Deciding is synchronous and has no state of its own. `end` occurs exactly once in every life,
 * on every way out; an event that means nothing in a state changes nothing.
 */
/* oxlint-disable typescript/switch-exhaustiveness-check -- what means nothing in a state changes nothing; the table of cases has every cell */
import type { Receipt } from '../../ledger/receipt.ts';

export type LifeState =
  /** The tool is looked up and the policy asked; the tool list may have to be loaded first. */
  | { readonly kind: 'identifying' }
  /** The gate's own estimate call is under way. */
  | { readonly kind: 'pricing'; readonly next: 'ask' | 'admit' }
  /** A question is open and the call is held. */
  | { readonly kind: 'asking' }
  /** The transaction before sending; `left` is what happened meanwhile. */
  | { readonly kind: 'admitting'; readonly left?: 'cancelled' | 'abandoned' }
  /** Attempt n is upstream. */
  | {
      readonly kind: 'sent';
      readonly attempt: number;
      readonly caller: 'waits' | 'gone' | 'cancelled';
      readonly stopping: boolean;
    }
  /** `sent`: an earlier attempt may have arrived. */
  | { readonly kind: 'retrying'; readonly attempt: number; readonly sent: boolean }
  /** The transaction after. */
  | { readonly kind: 'ending' }
  | { readonly kind: 'ended' };

export type LifeEvent =
  /** Deny, unlisted tool, invalid key, admission refused, ledger unreachable; the gate itself failed. */
  | { readonly kind: 'refused' }
  /** The answer is known without sending: from the cache or from an earlier run. */
  | { readonly kind: 'known'; readonly as: 'cached' | 'replayed' }
  /** `plain`: nothing is to be counted, stored or used up before it is sent. */
  | { readonly kind: 'allowed'; readonly plain: boolean; readonly priced: boolean }
  | { readonly kind: 'must-ask'; readonly priced: boolean }
  | { readonly kind: 'priced' }
  | { readonly kind: 'yes' }
  | { readonly kind: 'no' }
  | { readonly kind: 'expired' }
  /** The hold is over, or the client was given the question to answer and come back. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'admitted' }
  /** What was decided on no longer holds: another definition or policy, an equal call in between. */
  | { readonly kind: 'decide-again' }
  | { readonly kind: 'answer' }
  /** `sent`: this attempt or an earlier one may have arrived. */
  | { readonly kind: 'failure'; readonly retry: boolean; readonly sent: boolean }
  | { readonly kind: 'due' }
  | { readonly kind: 'cancelled' }
  /** The stream of a 2025 client broke; it may come back for the answer. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'changed' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'grace-over' }
  | { readonly kind: 'recorded' };

/** Why a question is taken back. */
type Withdrawal = 'cancelled' | 'definition-changed';

export type LifeAction =
  | { readonly kind: 'identify' }
  | { readonly kind: 'price' }
  | { readonly kind: 'stop-pricing' }
  | { readonly kind: 'ask' }
  | { readonly kind: 'withdraw'; readonly reason: Withdrawal }
  /** Nobody waits for the question here; it stays open for whoever sends the same call again. */
  | { readonly kind: 'leave-open'; readonly callerGone: boolean }
  | { readonly kind: 'admit' }
  /** Gives back what admission took, where the call is decided again instead of ending. */
  | { readonly kind: 'release' }
  | { readonly kind: 'send'; readonly attempt: number }
  | { readonly kind: 'wait' }
  | { readonly kind: 'stop-waiting' }
  | { readonly kind: 'pass-cancel' }
  | { readonly kind: 'end'; readonly end: LifeEnd };

export interface LifeEnd {
  readonly decision: Receipt['decision'];
  /** Whether anything went upstream. */
  readonly sent: boolean;
  /** Whether there is still somebody to answer. */
  readonly answers: boolean;
  /** Whether the answer reaches them, as far as anybody can tell. */
  readonly delivered: boolean;
}

export interface Step {
  readonly state: LifeState;
  readonly actions: readonly LifeAction[];
}

export const BORN: LifeState = Object.freeze({ kind: 'identifying' });
const ENDING: LifeState = Object.freeze({ kind: 'ending' });
const PASS_CANCEL: LifeAction = Object.freeze({ kind: 'pass-cancel' });

/** `readsOnly`: the call changes nothing, so nobody needs to know how it ended once it is cancelled. */
export interface Traits {
  readonly readsOnly: boolean;
}

export function step(state: LifeState, event: LifeEvent, traits: Traits): Step {
  switch (state.kind) {
    case 'identifying':
      return identifying(state, event);
    case 'pricing':
      return pricing(state, event);
    case 'asking':
      return asking(state, event);
    case 'admitting':
      return admitting(state, event);
    case 'sent':
      return sent(state, event, traits);
    case 'retrying':
      return retrying(state, event, traits);
    case 'ending':
      return stay(event.kind === 'recorded' ? { kind: 'ended' } : state);
    case 'ended':
      return stay(state);
  }
}

function identifying(state: LifeState, event: LifeEvent): Step {
  switch (event.kind) {
    case 'refused':
      return end('refused');
    case 'known':
      return end(event.as);
    case 'allowed':
      if (event.plain) return send(1);
      return event.priced ? price('admit') : admit();
    case 'must-ask':
      return event.priced ? price('ask') : ask();
    case 'cancelled':
    case 'gone':
      return end('cancelled', { answers: false });
    case 'stop':
      return end('abandoned');
    default:
      return stay(state);
  }
}

function pricing(state: LifeState & { kind: 'pricing' }, event: LifeEvent): Step {
  const stopped: LifeAction = { kind: 'stop-pricing' };
  switch (event.kind) {
    case 'priced':
      return state.next === 'ask' ? ask() : admit();
    case 'must-ask':
      return ask();
    case 'refused':
      return end('refused', {}, stopped);
    case 'changed':
      return { state: BORN, actions: [stopped, { kind: 'identify' }] };
    case 'cancelled':
    case 'gone':
      return end('cancelled', { answers: false }, stopped);
    case 'stop':
      return end('abandoned', {}, stopped);
    default:
      return stay(state);
  }
}

function asking(state: LifeState, event: LifeEvent): Step {
  const withdraw = (reason: Withdrawal): LifeAction => ({ kind: 'withdraw', reason });
  switch (event.kind) {
    case 'yes':
      return admit();
    case 'no':
      return end('declined');
    case 'expired':
      return end('expired');
    case 'waiting':
      return end('waiting');
    case 'refused':
      return end('refused');
    case 'changed':
    case 'decide-again':
      return { state: BORN, actions: [withdraw('definition-changed'), { kind: 'identify' }] };
    case 'cancelled':
      return end('cancelled', { answers: false }, withdraw('cancelled'));
    case 'gone':
      return end('waiting', { answers: false }, { kind: 'leave-open', callerGone: true });
    case 'stop':
      return end('abandoned', {}, { kind: 'leave-open', callerGone: false });
    default:
      return stay(state);
  }
}

function admitting(state: LifeState & { kind: 'admitting' }, event: LifeEvent): Step {
  const { left } = state;
  switch (event.kind) {
    case 'admitted':
      return left === undefined ? send(1) : end(left, { answers: left === 'abandoned' });
    case 'refused':
      return end('refused', { answers: left !== 'cancelled' });
    case 'known':
      return end(event.as, { answers: left !== 'cancelled' });
    case 'decide-again':
      if (left !== undefined) return end(left, { answers: left === 'abandoned' });
      return { state: BORN, actions: [{ kind: 'identify' }] };
    case 'cancelled':
    case 'gone':
      return stay({ kind: 'admitting', left: 'cancelled' });
    case 'stop':
      return stay({ kind: 'admitting', left: left ?? 'abandoned' });
    default:
      return stay(state);
  }
}

function sent(state: LifeState & { kind: 'sent' }, event: LifeEvent, { readsOnly }: Traits): Step {
  const { attempt, caller, stopping } = state;
  const heard = { answers: caller !== 'cancelled', delivered: caller === 'waits' };
  switch (event.kind) {
    case 'answer':
    case 'refused':
      return end('ran', { sent: true, ...heard });
    case 'failure': {
      if (event.retry && caller === 'waits' && !stopping) {
        const next: LifeState = { kind: 'retrying', attempt, sent: event.sent };
        return { state: next, actions: [{ kind: 'wait' }] };
      }
      const decision = event.sent ? 'ran' : caller === 'cancelled' ? 'cancelled' : 'refused';
      return end(decision, { sent: event.sent, ...heard });
    }
    case 'cancelled': {
      if (caller === 'cancelled') return stay(state);
      if (readsOnly) return end('cancelled', { sent: true, answers: false }, PASS_CANCEL);
      // Its effect must become known, so it is followed until it is answered or lost.
      return { state: { ...state, caller: 'cancelled' }, actions: [PASS_CANCEL] };
    }
    case 'gone':
      return caller === 'waits' ? stay({ ...state, caller: 'gone' }) : stay(state);
    case 'stop':
      return stay({ ...state, stopping: true });
    case 'grace-over':
      return end(readsOnly ? 'abandoned' : 'ran', { sent: true, ...heard }, PASS_CANCEL);
    default:
      return stay(state);
  }
}

/** What was lost once may have happened, whatever a later attempt would say. */
function retrying(
  state: LifeState & { kind: 'retrying' },
  event: LifeEvent,
  { readsOnly }: Traits,
): Step {
  const { attempt, sent: isSent } = state;
  const stopped: LifeAction = { kind: 'stop-waiting' };
  const isDoubtful = isSent && !readsOnly;
  switch (event.kind) {
    case 'due':
      return send(attempt + 1);
    case 'refused':
      return end(isSent ? 'ran' : 'refused', { sent: isSent }, stopped);
    case 'changed':
      if (isDoubtful) return end('ran', { sent: true }, stopped);
      return { state: BORN, actions: [stopped, { kind: 'release' }, { kind: 'identify' }] };
    case 'cancelled':
    case 'gone':
      return end(isDoubtful ? 'ran' : 'cancelled', { sent: isSent, answers: false }, stopped);
    case 'stop':
      return end(isDoubtful ? 'ran' : 'abandoned', { sent: isSent }, stopped);
    default:
      return stay(state);
  }
}

function price(next: 'ask' | 'admit'): Step {
  return { state: { kind: 'pricing', next }, actions: [{ kind: 'price' }] };
}

const ask = (): Step => ({ state: { kind: 'asking' }, actions: [{ kind: 'ask' }] });

const admit = (): Step => ({ state: { kind: 'admitting' }, actions: [{ kind: 'admit' }] });

function send(attempt: number): Step {
  const state: LifeState = { kind: 'sent', attempt, caller: 'waits', stopping: false };
  return { state, actions: [{ kind: 'send', attempt }] };
}

function end(
  decision: LifeEnd['decision'],
  given: Partial<Omit<LifeEnd, 'decision'>> = {},
  ...before: readonly LifeAction[]
): Step {
  const { sent: isSent = false, answers = true, delivered = answers } = given;
  const last: LifeAction = { kind: 'end', end: { decision, sent: isSent, answers, delivered } };
  return { state: ENDING, actions: [...before, last] };
}

function stay(state: LifeState): Step {
  return { state, actions: [] };
}
