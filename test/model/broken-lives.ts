/** The life of a call with one guard taken out, each as somebody might leave it out; and what then goes wrong. */
import type { LifeEnd, LifeEvent, LifeState, Step } from '../../src/gate/call/life.ts';
import { BORN, step } from '../../src/gate/call/life.ts';
import { BROKEN } from './broken-machines.ts';
import { LIFE_FAULTS } from './life-driver.ts';
import type { LifeSetting, LifeStep } from './life-world.ts';

export interface LifeGuard {
  readonly without: string;
  readonly changes: Partial<LifeSetting>;
  readonly fault: string;
}

const { twice, forgotten, twoEnds, early, outdated, unwanted, untold, unsent, kept, stuck } =
  LIFE_FAULTS;

/** As the machine does it, except for these events in this state. */
function except<K extends LifeState['kind']>(
  kind: K,
  events: readonly LifeEvent['kind'][],
  instead: (state: LifeState & { readonly kind: K }, event: LifeEvent) => Step | undefined,
): LifeStep {
  return (state, event, traits) => {
    const isMeant = state.kind === kind && events.includes(event.kind);
    // The state is of the kind that was asked for.
    const other = isMeant ? instead(state as LifeState & { readonly kind: K }, event) : undefined;
    return other ?? step(state, event, traits);
  };
}

/** Does what it does, without one kind of action. */
function omitting(kind: LifeState['kind'], event: LifeEvent['kind'], action: string): LifeStep {
  return except(kind, [event], (state, given) => {
    const { actions, ...next } = step(state, given, { readsOnly: false });
    return { ...next, actions: actions.filter((each) => each.kind !== action) };
  });
}

const stay = (state: LifeState): Step => ({ state, actions: [] });
const send: Step = {
  state: { kind: 'sent', attempt: 1, caller: 'waits', stopping: false },
  actions: [{ kind: 'send', attempt: 1 }],
};
const again: Step = { state: BORN, actions: [{ kind: 'identify' }] };

function end(decision: LifeEnd['decision'], sent = false, answers = false): Step {
  return {
    state: { kind: 'ending' },
    actions: [{ kind: 'end', end: { decision, sent, answers, delivered: answers } }],
  };
}

/** A step of retrying, taken whoever waits. */
function retry({ attempt }: { readonly attempt: number }, event: LifeEvent): Step | undefined {
  if (event.kind !== 'failure' || !event.retry) return undefined;
  const state: LifeState = { kind: 'retrying', attempt, sent: event.sent };
  return { state, actions: [{ kind: 'wait' }] };
}

const ONE = { calls: 1 } as const;
const ASKED = { calls: 1, asks: true } as const;
const DEDUP = { calls: 1, effectClass: 'dedup' } as const;

export const LIFE_GUARDS: readonly LifeGuard[] = [
  {
    without: 'ignoring the answer of a server that was not sent the call',
    changes: { ...ASKED, step: except('asking', ['answer'], () => end('ran', true, true)) },
    fault: unsent,
  },
  {
    without: 'ignoring an answer after the end',
    changes: { ...ONE, step: except('ending', ['answer'], () => end('ran', true, true)) },
    fault: twoEnds,
  },
  {
    without: 'admission of what the policy allows',
    changes: { ...ONE, step: except('identifying', ['allowed'], () => send) },
    fault: early,
  },
  {
    without: 'admission of what a person allowed',
    changes: { ...ASKED, step: except('asking', ['yes'], () => send) },
    fault: early,
  },
  {
    without: 'deciding again on a call whose tool changed during admission',
    changes: { ...ONE, step: except('admitting', ['decide-again'], () => send) },
    fault: early,
  },
  {
    without: 'a cancel while the tool is looked up',
    changes: { ...ONE, step: except('identifying', ['cancelled'], stay) },
    fault: unwanted,
  },
  {
    without: 'a stop while a question is open',
    changes: { ...ASKED, step: except('asking', ['stop'], stay) },
    fault: unwanted,
  },
  {
    without: 'remembering a cancel until the admission is known',
    changes: { ...ONE, step: except('admitting', ['cancelled'], stay) },
    fault: unwanted,
  },
  {
    without: 'remembering a stop until the admission is known',
    changes: { ...ONE, step: except('admitting', ['stop'], stay) },
    fault: unwanted,
  },
  {
    without: 'waiting for the admission of a cancelled call',
    changes: { ...ONE, step: except('admitting', ['cancelled'], () => end('cancelled')) },
    fault: kept,
  },
  {
    without: 'ending a cancelled call that would be decided again',
    changes: { ...ONE, step: except('admitting', ['decide-again'], () => again) },
    fault: unwanted,
  },
  {
    without: 'following a cancelled call that was sent',
    changes: { ...ONE, step: except('sent', ['cancelled'], () => end('cancelled')) },
    fault: untold,
  },
  {
    without: 'recording what was lost as sent',
    changes: { ...ONE, step: except('sent', ['failure'], () => end('refused', false, true)) },
    fault: untold,
  },
  {
    without: 'giving up retries once the call was cancelled',
    changes: { ...DEDUP, step: except('sent', ['failure'], retry), disturbances: ['cancel'] },
    fault: unwanted,
  },
  {
    without: 'giving up retries once the gate stops',
    changes: { ...DEDUP, step: except('sent', ['failure'], retry), disturbances: ['stop'] },
    fault: unwanted,
  },
  {
    without: 'knowing that the client has gone',
    changes: { ...DEDUP, step: except('sent', ['gone'], stay) },
    fault: unwanted,
  },
  {
    without: 'an end to the grace time',
    changes: {
      ...ONE,
      step: except('sent', ['grace-over'], stay),
      serverAnswers: false,
      disturbances: ['stop'],
    },
    fault: stuck,
  },
  {
    without: 'doubt about an earlier attempt of a call that is cancelled before the next',
    changes: { ...DEDUP, step: except('retrying', ['cancelled'], () => end('cancelled')) },
    fault: untold,
  },
  {
    without: 'doubt about an earlier attempt of a call whose tool changed',
    changes: {
      ...DEDUP,
      step: except('retrying', ['changed'], () => ({
        ...again,
        actions: [{ kind: 'stop-waiting' }, { kind: 'release' }, { kind: 'identify' }],
      })),
    },
    fault: forgotten,
  },
  {
    without: 'looking at the definition before the call is sent again',
    changes: {
      ...DEDUP,
      step: except('retrying', ['changed'], ({ attempt }) => ({
        state: { kind: 'sent', attempt: attempt + 1, caller: 'waits', stopping: false },
        actions: [{ kind: 'stop-waiting' }, { kind: 'send', attempt: attempt + 1 }],
      })),
    },
    fault: outdated,
  },
  {
    without: 'withdrawing the question of a cancelled call',
    changes: { ...ASKED, step: omitting('asking', 'cancelled', 'withdraw') },
    fault: kept,
  },
  {
    without: 'withdrawing the question about a definition that changed',
    changes: { ...ASKED, step: omitting('asking', 'changed', 'withdraw') },
    fault: kept,
  },
  {
    without: 'cancelling the estimate of a cancelled call',
    changes: { ...ASKED, priced: true, step: omitting('pricing', 'cancelled', 'stop-pricing') },
    fault: kept,
  },
  {
    without: 'ending what is recorded',
    changes: { ...ONE, step: except('ending', ['recorded'], stay), disturbances: [] },
    fault: stuck,
  },
];

/** What the machine of the life cannot see to by itself. */
export const GUARDS_AROUND: readonly LifeGuard[] = [
  {
    without: 'looking for an equal call in the transaction that claims',
    changes: { keys: 'none', looksInside: false, disturbances: [] },
    fault: twice,
  },
  {
    without: 'judging a call by its last attempt alone',
    changes: { ...DEDUP, forgetsAttempts: false, disturbances: ['stop'] },
    fault: forgotten,
  },
  {
    without: 'giving up what a gate that crashed may have sent',
    changes: { machine: BROKEN.rerunsExpired, disturbances: ['crash', 'lapse'] },
    fault: twice,
  },
  {
    without: 'keeping the key record of what was lost',
    changes: { ...ONE, machine: BROKEN.forgetsOnError, disturbances: [] },
    fault: forgotten,
  },
];
