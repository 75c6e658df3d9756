/** What the steps of one call share: what each of them found out, and what the gate gives them to work with. */
import type { HeldKey } from '../../ledger/idempotency/key-record.ts';
import type { Admission } from '../../ledger/idempotency/key-records.ts';
import type { Receipt } from '../../ledger/receipt.ts';
import type { Problem } from '../../lib/problem.ts';
import type { Change, Price } from '../approvals/card.ts';
import type { GateContext } from '../gate-services.ts';
import type { Terms } from '../policy/verdict.ts';
import type { Delivery } from '../protocol/channel.ts';
import type { Frame, RpcId } from '../protocol/frame.ts';
import type { Requests } from '../protocol/requests.ts';
import type { ServerTools } from '../tools/server-tools.ts';
import type { Attempted } from './attempt.ts';
import type { Draw } from './budgets.ts';
import type { ClientQuestions } from './client-questions.ts';
import type { LifeEvent } from './life.ts';
import type { BeforeRead } from './find-before.ts';
import type { Estimate } from './price.ts';
import type { GateCall } from './read-call.ts';
import type { Weighed } from './weigh.ts';

/** How long a call that was sent may still take when the gate stops. */
export interface Graces {
  readonly readMs: number;
  readonly otherMs: number;
}

export interface CallHost {
  readonly context: GateContext;
  readonly tools: ServerTools;
  readonly requests: Requests;
  readonly questions: ClientQuestions;
  readonly graces: Graces;
  /** Something that belongs to a call that waits: progress. */
  notify(frame: Frame): void;
  /** Tells the server that nobody waits for a request any more. */
  cancelUpstream(frame: Frame): void;
  /** Work that a call leaves behind: the gate does not end before it, and reports it if it fails. */
  follow(trouble: string, work: Promise<void>): void;
  /** Called once for each call: it is over, its id is free again, and this is what its client is told. */
  ended(id: RpcId, end: Delivery): void;
  /** Starts a call of the gate's own; `done` gets its answer, if there is one. Gives a way to cancel it. */
  open(frame: Frame, purpose: Purpose, done: (answer: Frame | undefined) => void): () => void;
}

/** Why the gate makes a call of its own. */
export type Purpose = 'estimate' | 'before';

/** An answer that is not the server's, and how it counts. */
interface OwnAnswer {
  readonly frame: Frame;
  readonly outcome: Receipt['outcome'];
}

export interface RunningCall {
  readonly id: RpcId;
  readonly frame: Frame;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly purpose: Purpose | undefined;
  readonly host: CallHost;

  call: GateCall | undefined;
  rule: string | undefined;
  weighed: (Weighed & { readonly kind: 'allow' | 'ask' }) | undefined;
  estimate: Estimate | undefined;
  price: Price | undefined;
  before: BeforeRead | undefined;
  change: Change | undefined;
  permit: Permit | undefined;
  held: Held | undefined;
  /** Admission found an equal call, which the next weighing looks at. */
  isAlike: boolean;
  attempts: number;
  /** An attempt may have arrived without an answer. */
  inDoubt: boolean;
  attempted: Attempted | undefined;
  own: OwnAnswer | undefined;
  /** The question that it waits for. */
  approval: string | undefined;
  /** Where a stored answer comes from. */
  keyRecord: string | undefined;
  /** The same, where nobody had got that answer before. */
  replayed: HeldKey | undefined;

  on(event: LifeEvent): void;
  /** Goes on with `then` unless the call has left the state in which it waited. */
  later<T>(work: Promise<T>, then: (value: T) => void): void;
  refuse(rule: string, problem: Problem): void;
  /** The problem as it holds for this call: an earlier attempt may have run. */
  toTrue(problem: Problem): Problem;
  /** Whether the tool is still what was decided on. */
  isCurrent(): boolean;
  /** The same, and whether the policy is. */
  isDecided(): boolean;
  /** Whether it has ended, or is about to. */
  isOver(): boolean;
}

/** A permit: why a call may run, and under which terms; and what admission took for it. */
export interface Permit {
  readonly rule: string;
  readonly terms: Terms;
  readonly basis: PermitBasis;
  /** Who said yes, where a person did. */
  readonly approver?: string;
  /** What goes to the server, where that is not the frame as it came. */
  readonly bytes?: Uint8Array;
}

export type PermitBasis =
  | { readonly kind: 'policy' }
  | { readonly kind: 'approval'; readonly id: string }
  /** `lasts`: one that holds from now on may count. */
  | { readonly kind: 'grant'; readonly id: string; readonly lasts: boolean }
  | { readonly kind: 'continuation'; readonly id: string; readonly continuation: string };

/** To be settled or given back at the end. */
export interface Held {
  readonly draws: readonly Draw[];
  readonly key?: Extract<Admission, { readonly kind: 'held' }>;
}
