import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import cases from './life.cases.json' with { type: 'json' };
import type { LifeAction, LifeEvent, LifeState } from './life.ts';
import { BORN, step } from './life.ts';

const sent = { kind: 'sent', attempt: 1, caller: 'waits', stopping: false } as const;

const STATES: Readonly<Record<string, LifeState>> = {
  identifying: BORN,
  'pricing, then ask': { kind: 'pricing', next: 'ask' },
  'pricing, then admit': { kind: 'pricing', next: 'admit' },
  asking: { kind: 'asking' },
  admitting: { kind: 'admitting' },
  'admitting, cancelled': { kind: 'admitting', left: 'cancelled' },
  'admitting, stopping': { kind: 'admitting', left: 'abandoned' },
  sent,
  'sent, caller gone': { ...sent, caller: 'gone' },
  'sent, cancelled': { ...sent, caller: 'cancelled' },
  'sent, stopping': { ...sent, stopping: true },
  'sent, caller gone, stopping': { ...sent, caller: 'gone', stopping: true },
  'sent, cancelled, stopping': { ...sent, caller: 'cancelled', stopping: true },
  'retrying, nothing sent': { kind: 'retrying', attempt: 1, sent: false },
  'retrying, in doubt': { kind: 'retrying', attempt: 1, sent: true },
  ending: { kind: 'ending' },
  ended: { kind: 'ended' },
};

const EVENTS: Readonly<Record<string, LifeEvent>> = {
  refused: { kind: 'refused' },
  'known cached': { kind: 'known', as: 'cached' },
  'known replayed': { kind: 'known', as: 'replayed' },
  'allowed plain': { kind: 'allowed', plain: true, priced: false },
  allowed: { kind: 'allowed', plain: false, priced: false },
  'allowed priced': { kind: 'allowed', plain: false, priced: true },
  'must-ask': { kind: 'must-ask', priced: false },
  'must-ask priced': { kind: 'must-ask', priced: true },
  priced: { kind: 'priced' },
  yes: { kind: 'yes' },
  no: { kind: 'no' },
  expired: { kind: 'expired' },
  waiting: { kind: 'waiting' },
  admitted: { kind: 'admitted' },
  'decide-again': { kind: 'decide-again' },
  answer: { kind: 'answer' },
  'failure, retry, not sent': { kind: 'failure', retry: true, sent: false },
  'failure, retry, sent': { kind: 'failure', retry: true, sent: true },
  'failure, final, not sent': { kind: 'failure', retry: false, sent: false },
  'failure, final, sent': { kind: 'failure', retry: false, sent: true },
  due: { kind: 'due' },
  cancelled: { kind: 'cancelled' },
  gone: { kind: 'gone' },
  changed: { kind: 'changed' },
  stop: { kind: 'stop' },
  'grace-over': { kind: 'grace-over' },
  recorded: { kind: 'recorded' },
};

type Cell = string | { readonly read?: string; readonly write?: string };
const TABLE: Readonly<Record<string, Readonly<Record<string, Cell>>>> = cases;

/** The state that follows and what is done, in words; empty where nothing changes. */
function describeStep(name: string, event: string, readsOnly: boolean): string {
  const [from, given] = [STATES[name], EVENTS[event]];
  if (from === undefined || given === undefined) throw new Error(`no such cell: ${name}, ${event}`);
  const { state, actions } = step(from, given, { readsOnly });
  const isSame = JSON.stringify(state) === JSON.stringify(from);
  if (isSame && actions.length === 0) return '';
  // Which attempt it is shows in what is sent.
  const shape = 'attempt' in state ? { ...state, attempt: 1 } : state;
  const next = Object.keys(STATES).find(
    (each) => JSON.stringify(STATES[each]) === JSON.stringify(shape),
  );
  return [next ?? 'no state of the table', ...actions.map(describeAction)].join(' | ');
}

function describeAction(action: LifeAction): string {
  if (action.kind === 'end') {
    const { decision, sent: isSent, answers, delivered } = action.end;
    const heard = answers ? (delivered ? '' : ', perhaps not delivered') : ', nobody hears';
    return `end ${decision}${isSent ? ', sent' : ''}${heard}`;
  }
  if (action.kind === 'withdraw') return `withdraw, ${action.reason}`;
  if (action.kind === 'send') return `send ${action.attempt}`;
  if (action.kind === 'leave-open')
    return action.callerGone ? 'leave-open, caller gone' : 'leave-open';
  return action.kind;
}

describe('the life of a call', () => {
  it('knows no state and no event that the table does not have', () => {
    expect(Object.keys(TABLE).filter((name) => !(name in STATES))).toEqual([]);
    const events = Object.values(TABLE).flatMap((row) => Object.keys(row));
    expect(events.filter((name) => !(name in EVENTS))).toEqual([]);
  });

  it.each(Object.keys(STATES))('does what the table says: %s', (name) => {
    for (const event of Object.keys(EVENTS)) {
      const cell = TABLE[name]?.[event] ?? '';
      const [read, write] =
        typeof cell === 'string' ? [cell, cell] : [cell.read ?? '', cell.write ?? ''];
      expect([event, describeStep(name, event, true)]).toEqual([event, read]);
      expect([event, describeStep(name, event, false)]).toEqual([event, write]);
    }
  });
});

/** What a run has done so far, to hold it against the rules. */
interface Trace {
  state: LifeState;
  ends: number;
  isAdmitted: boolean;
  isPlain: boolean;
  questions: number;
  estimates: number;
  faults: string[];
}

function run(events: readonly LifeEvent[], readsOnly: boolean): Trace {
  const trace: Trace = {
    state: BORN,
    ends: 0,
    isAdmitted: false,
    isPlain: false,
    questions: 0,
    estimates: 0,
    faults: [],
  };
  for (const event of events) {
    const before = trace.state;
    const { state, actions } = step(before, event, { readsOnly });
    if (event.kind === 'admitted' && before.kind === 'admitting') trace.isAdmitted = true;
    if (event.kind === 'allowed' && event.plain && before.kind === 'identifying')
      trace.isPlain = true;
    if (before.kind === 'asking' && state.kind !== 'asking') trace.questions -= 1;
    if (before.kind === 'pricing' && state.kind !== 'pricing') trace.estimates -= 1;
    for (const action of actions) look(trace, action, before);
    if (before.kind === 'ended' && actions.length > 0) trace.faults.push('acts after its end');
    trace.state = state;
  }
  return trace;
}

function look(trace: Trace, action: LifeAction, before: LifeState): void {
  if (trace.ends > 0) trace.faults.push(`${action.kind} after its end`);
  if (action.kind === 'end') trace.ends += 1;
  if (action.kind === 'ask') trace.questions += 1;
  if (action.kind === 'price') trace.estimates += 1;
  if (action.kind === 'identify') trace.isAdmitted = trace.isPlain = false;
  if (action.kind === 'send' && !trace.isAdmitted && !trace.isPlain) {
    trace.faults.push('sends before admission');
  }
  if (action.kind === 'end' && action.end.decision === 'ran' && !action.end.sent) {
    trace.faults.push('ran although nothing was sent');
  }
  if (action.kind === 'end' && before.kind === 'sent' && action.end.decision === 'waiting') {
    trace.faults.push('waits for a yes although it was sent');
  }
}

const anyEvents = fc.array(fc.constantFrom(...Object.values(EVENTS)), { maxLength: 40 });

describe('whatever the order of events', () => {
  it('ends at most once, sends nothing before admission, and gives everything back', () => {
    fc.assert(
      fc.property(anyEvents, fc.boolean(), (events, readsOnly) => {
        const { faults, ends, questions, estimates, state } = run(events, readsOnly);
        expect(faults).toEqual([]);
        expect(ends).toBe(state.kind === 'ending' || state.kind === 'ended' ? 1 : 0);
        expect(questions).toBe(state.kind === 'asking' ? 1 : 0);
        expect(estimates).toBe(state.kind === 'pricing' ? 1 : 0);
      }),
      { numRuns: 20_000 },
    );
  });

  it('can be stopped from anywhere: what is pending settles, and then it has ended', () => {
    const ways: readonly LifeEvent[] = [{ kind: 'stop' }, { kind: 'cancelled' }];
    const rest: readonly LifeEvent[] = [
      { kind: 'admitted' },
      { kind: 'grace-over' },
      { kind: 'recorded' },
    ];
    fc.assert(
      fc.property(anyEvents, fc.boolean(), fc.constantFrom(...ways), (events, readsOnly, way) => {
        const { state, ends } = run([...events, way, ...rest], readsOnly);
        expect([state.kind, ends]).toEqual(['ended', 1]);
      }),
      { numRuns: 20_000 },
    );
  });
});
