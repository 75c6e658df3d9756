/**
 * One moment of the model of calls: two calls at two gates with one ledger, one server and one person.
 * Plain data, never changed in place. A row's times are either near or past, seen from NOW.
 */
import type {
  KeyRecord,
  HeldKey,
  KeyRecordMachine,
} from '../../src/ledger/idempotency/key-record.ts';
import { keyRecordMachine } from '../../src/ledger/idempotency/key-record-machine.ts';
import type { LifeEnd, LifeEvent, LifeState, Step, Traits } from '../../src/gate/call/life.ts';
import { step } from '../../src/gate/call/life.ts';
import { NOW } from './world.ts';

export type LifeStep = (state: LifeState, event: LifeEvent, traits: Traits) => Step;

export interface LifeSetting {
  readonly step: LifeStep;
  readonly machine: KeyRecordMachine;
  readonly effectClass: 'opaque' | 'dedup';
  /** `same`: the client sends one key with both calls. `none`: they are equal, and the gate makes keys. */
  readonly keys: 'same' | 'none';
  readonly asks: boolean;
  /** The gate estimates the price first. */
  readonly priced: boolean;
  readonly calls: 1 | 2;
  /** An equal call is looked for in the transaction that claims. */
  readonly looksInside: boolean;
  /** What became of an attempt is forgotten when the next one is sent. */
  readonly forgetsAttempts: boolean;
  /** A server that does not leaves every request open. */
  readonly serverAnswers: boolean;
  /** Which disturbances may happen, each once. */
  readonly disturbances: readonly Disturbance[];
}

type Disturbance = 'cancel' | 'gone' | 'stop' | 'crash' | 'death' | 'change' | 'lapse';

const ALL: readonly Disturbance[] = ['cancel', 'gone', 'stop', 'crash', 'death', 'change', 'lapse'];

export function lifeSettingOf(changes: Partial<LifeSetting> = {}): LifeSetting {
  return {
    step,
    machine: keyRecordMachine,
    effectClass: 'opaque',
    keys: 'same',
    asks: false,
    priced: false,
    calls: 2,
    looksInside: true,
    forgetsAttempts: true,
    serverAnswers: true,
    disturbances: ALL,
    ...changes,
  };
}

export interface LifeWorld {
  readonly calls: readonly LifeCall[];
  readonly rows: Readonly<Record<string, KeyRecord>>;
  readonly question: Question;
  /** The person has not said anything yet. */
  readonly personIsSilent: boolean;
  /** Of the tool, as the server lists it now. */
  readonly definition: number;
  /** Effects that happened, by the key that the server was given. */
  readonly effects: readonly string[];
  /** How many runs a person allowed although an equal call had run. */
  readonly allowedRepeats: number;
  readonly left: readonly Disturbance[];
  readonly isStopping: boolean;
}

export interface Question {
  readonly state: 'none' | 'open' | 'yes' | 'no' | 'withdrawn' | 'used';
  readonly serial: number;
  /** Of the tool that it is about. */
  readonly definition: number;
}

/** The first of two calls is the one that is cancelled, stopped or crashed. */
export interface LifeCall {
  readonly name: 'A' | 'B';
  /** Absent before the client has sent it. */
  readonly life: LifeState | undefined;
  readonly isDead: boolean;
  readonly client: 'waits' | 'cancelled' | 'gone';
  readonly definition: number;
  /** What goes on in this state, and is of no interest in another. */
  readonly work: 'none' | 'weigh' | 'price' | 'open' | 'hold' | 'retry' | 'record' | 'leave';
  /** The transaction before sending goes on whatever becomes of the call. */
  readonly admission: Admission;
  readonly rounds: number;
  readonly permit: 'policy' | 'yes';
  readonly isRepeat: boolean;
  readonly resumes: string | undefined;
  readonly held: HeldKey | undefined;
  /** The key record whose stored answer it gives. */
  readonly replays: string | undefined;
  readonly requests: readonly Request[];
  readonly attempted: 'none' | 'answer' | 'not-sent' | 'refused' | 'lost';
  readonly inDoubt: boolean;
  readonly end: LifeEnd | undefined;
  readonly receipts: number;
  readonly answers: number;
  readonly hasEstimate: boolean;
  readonly hasTimer: boolean;
}

type Admission =
  | { readonly kind: 'none' | 'begun' | 'refused' | 'replayed' | 'duplicate' }
  | { readonly kind: 'held'; readonly held: HeldKey };

/** One attempt. `flying`: the server may still run it, whatever the gate has been told. */
export interface Request {
  readonly record: string;
  readonly key: string;
  readonly state: 'flying' | 'done' | 'refused' | 'dropped';
  readonly isSettled: boolean;
}

const CALL = {
  life: undefined,
  isDead: false,
  client: 'waits',
  definition: 0,
  work: 'none',
  admission: { kind: 'none' },
  rounds: 0,
  permit: 'policy',
  isRepeat: false,
  resumes: undefined,
  held: undefined,
  replays: undefined,
  requests: [],
  attempted: 'none',
  inDoubt: false,
  end: undefined,
  receipts: 0,
  answers: 0,
  hasEstimate: false,
  hasTimer: false,
} as const;

export function initialLifeWorld({ calls, disturbances }: LifeSetting): LifeWorld {
  const names = ['A', 'B'] as const;
  return {
    calls: names.slice(0, calls).map((name) => ({ ...CALL, name })),
    rows: {},
    question: { state: 'none', serial: 0, definition: 0 },
    personIsSilent: true,
    definition: 0,
    effects: [],
    allowedRepeats: 0,
    left: disturbances,
    isStopping: false,
  };
}

/** Equal for worlds that no step can tell apart: of a call that is over, only a few things still matter. */
export function lifeKey(world: LifeWorld): string {
  const { rows, question, effects, left } = world;
  const parts = world.calls.map(callText);
  const records = Object.keys(rows)
    .toSorted()
    .map((id) => id + rowText(rows[id]));
  return [
    ...parts,
    records.join(),
    question.state,
    question.serial,
    question.definition,
    world.personIsSilent,
    world.definition,
    effects.join(),
    world.allowedRepeats,
    left.join(),
    world.isStopping,
  ].join('|');
}

function callText(call: LifeCall): string {
  const { life, admission, requests, end } = call;
  const sent = requests.map(requestText).join('');
  if (call.isDead) return `dead ${sent}`;
  const isLeft = isLeftOpen(end);
  if (life?.kind === 'ended' && admission.kind === 'none') {
    const kept = call.hasEstimate || call.hasTimer;
    return `ended ${isLeft} ${call.client === 'waits'} ${call.receipts} ${call.answers} ${kept} ${sent}`;
  }
  if (call.work === 'leave' && end !== undefined && admission.kind === 'none') {
    const { receipts, answers, hasEstimate, replays } = call;
    const told = `${receipts} ${answers} ${end.answers} ${end.delivered} ${replays} ${hasEstimate}`;
    return `leaving ${isLeft} ${call.client === 'waits'} ${told} ${sent}`;
  }
  const admitted = admission.kind === 'held' ? heldText(admission.held) : admission.kind;
  const parts = [
    life === undefined ? '' : Object.values(life).join(),
    call.client === 'waits',
    call.definition,
    call.work,
    admitted,
    call.rounds,
    call.permit,
    call.isRepeat,
    call.resumes,
    call.held && heldText(call.held),
    call.replays,
    sent,
    call.attempted,
    call.inDoubt,
    end && `${end.decision}${end.sent}${end.answers}${end.delivered}`,
    call.receipts,
    call.answers,
    call.hasEstimate,
    call.hasTimer,
  ];
  return parts.join();
}

/** One that nothing more can come of is only counted. */
function requestText({ record, key, state, isSettled }: Request): string {
  if (isSettled && state !== 'flying' && state !== 'done') return '-';
  return `${record}${key}${state[0]}${isSettled ? 1 : 0}`;
}

function heldText({ id, fence, owner, isResend }: HeldKey): string {
  return `${id}.${fence}.${owner}.${isResend}`;
}

function rowText(row: KeyRecord | undefined): string {
  if (row === undefined) return '';
  const { state, fence, owner, attempt, outcome, lease_until } = row;
  return `${state}.${fence}.${owner}.${attempt}.${outcome}.${lease_until > NOW}`;
}

export function withCall(world: LifeWorld, call: LifeCall): LifeWorld {
  return {
    ...world,
    calls: world.calls.map((each) => (each.name === call.name ? call : each)),
  };
}

export function callIn({ calls }: LifeWorld, name: string): LifeCall {
  const call = calls.find((each) => each.name === name);
  if (call === undefined) throw new Error(`no call ${name}`);
  return call;
}

/** Whether a question stays open for whoever sends the call again. */
export function isLeftOpen(end: LifeEnd | undefined): boolean {
  return end?.decision === 'waiting' || end?.decision === 'abandoned';
}
