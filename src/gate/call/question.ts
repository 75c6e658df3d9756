/**
 * A question to a person about one call, as the call that waits for it sees it: answered by an earlier yes
 * or grant, in the client's own form, or in the queue that console, terminal and webhook answer. All
 * channels of the verdict race, and the first answer counts.
 */
import { toProblem } from '../../lib/problem.ts';
import type { Approval, WithdrawalReason } from '../approvals/approval.ts';
import { describeState } from '../approvals/approval.ts';
import type { Binding } from '../approvals/binding.ts';
import { findDifference } from '../approvals/binding.ts';
import type { Change, Price } from '../approvals/card.ts';
import { fromElicitation, toClientStep, toElicitation } from '../approvals/elicitation.ts';
import { sealState } from '../approvals/seal.ts';
import type { GateContext } from '../gate-services.ts';
import { PRICE_UNKNOWN } from '../policy/default-rules.ts';
import type { Ask, AskChannel } from '../policy/verdict.ts';
import { eraOf } from '../protocol/envelope.ts';
import type { Frame, JsonObject } from '../protocol/frame.ts';
import { toResultAnswer } from './answers.ts';
import type { ClientQuestions } from './client-questions.ts';
import { findEarlier } from './find-earlier.ts';
import type { Asked } from './asked.ts';
import { NOBODY, NOT_SHOWABLE, toNo, toTooMany, toYes } from './asked.ts';
import type { OwnState } from './own-state.ts';
import { digestCall, QUESTION, readOwnState } from './own-state.ts';
import type { GateCall } from './read-call.ts';
import {
  toCallBinding,
  toGrantBinding,
  toHoldingMessage,
  toPendingProblem,
  toCallCard,
  toBoundTool,
} from './call-card.ts';
import { WaitingProgress } from './progress.ts';

const OUTDATED: WithdrawalReason = 'policy-reloaded';

interface Asking {
  readonly call: GateCall;
  readonly verdict: Ask;
  readonly price: Price | undefined;
  readonly change: Change | undefined;
  /** Of what is meant, to find an equal call; empty where nobody keeps track. */
  readonly fingerprint: string;
  readonly questions: ClientQuestions;
  /** Sends something to the client that waits. */
  readonly notify: (frame: Frame) => void;
  /** Told the id of the question once it is open. */
  readonly opened: (approval: string) => void;
}

/** An open question as the call that waits for it sees it. */
export class Question {
  /** Settles once, unless the question is closed first. */
  readonly asked: Promise<Asked>;
  readonly #asking: Asking;
  readonly #context: GateContext;
  readonly #control = new AbortController();
  #approval: string | undefined;
  /** What is still to be done with the question once the ledger has it. */
  #settle: ((id: string) => Promise<unknown>) | undefined;
  /** It need not be opened any more. */
  #isUnwanted = false;
  #closeForm: (() => void) | undefined;
  #heldSeconds = 0;
  /** Those of the policy that can show all of the call, once it is known what that is. */
  #channels: readonly AskChannel[];

  constructor(asking: Asking, context: GateContext) {
    this.#asking = asking;
    this.#channels = asking.verdict.asking.channels;
    this.#context = context;
    this.asked = this.#ask().finally(() => this.#close());
  }

  /** The caller cancelled, or what was asked about changed: nobody may answer any more. */
  withdraw(reason: WithdrawalReason): Promise<void> {
    return this.#leave(false, (id) => this.#context.services.approvals.withdraw(id, reason));
  }

  /** Stops waiting; the question stays open. */
  leave(callerGone: boolean): Promise<void> {
    const { approvals } = this.#context.services;
    if (callerGone) return this.#leave(true, (id) => approvals.mark(id, 'caller-gone'));
    const isKnown = this.#approval !== undefined; // a gate that stops opens nothing new
    return this.#leave(false, async (id) => isKnown || approvals.withdraw(id, 'gate-stopped'));
  }

  /** The question may be on its way to the ledger just now; it is not forgotten there. */
  async #leave(isWanted: boolean, settle: (id: string) => Promise<unknown>): Promise<void> {
    this.#close();
    this.#isUnwanted = !isWanted;
    this.#settle = settle;
    if (this.#approval !== undefined) await settle(this.#approval);
    await this.asked.catch(() => {}); // nobody waits for the answer any more
  }

  #close(): void {
    this.#control.abort();
    this.#closeForm?.();
    this.#closeForm = undefined;
  }

  async #ask(): Promise<Asked> {
    const { call, verdict, price, change, fingerprint } = this.#asking;
    const { approvals, ledger, announce } = this.#context.services;
    const binding = toCallBinding(call, this.#context);
    const state = readOwnState(call, this.#context);
    const bytes = state === undefined ? {} : { bytes: state.bytes };
    if (state?.continuation !== undefined) {
      const { approval: id, continuation } = state;
      return { kind: 'yes', basis: { kind: 'continuation', id, continuation }, ...bytes };
    }
    const covered = toGrantBinding(call, this.#context);
    const lasts = verdict.asking.grants.includes('lasting');
    const grant =
      verdict.rule === PRICE_UNKNOWN // no earlier yes can have covered what it costs
        ? undefined
        : await ledger.store.transaction((tx) =>
            approvals.useGrant(tx, covered, lasts ? toBoundTool(call, this.#context) : undefined),
          );
    if (grant !== undefined) {
      const basis = { kind: 'grant', id: grant.id, lasts } as const;
      return { kind: 'yes', basis, approver: grant.approver, ...bytes };
    }
    if (state?.answer !== undefined && this.#mayAnswerInClient) {
      await this.#takeAnswer(state, binding);
    }
    const declined = await approvals.findDeclined(binding);
    if (declined !== undefined) return toNo(declined);
    const { expirySeconds, holdSeconds } = verdict.asking;
    const earlier = await findEarlier(call, fingerprint, this.#context);
    const told = {
      ...(price && { price }),
      ...(earlier && { earlier }),
      ...(change && { change }),
    };
    const card = toCallCard(call, verdict, this.#context, told);
    if (card.channels.length === 0) return { kind: 'refused', problem: NOT_SHOWABLE };
    this.#channels = this.#channels.filter((channel) => card.channels.includes(channel));
    if (this.#isUnwanted) return { kind: 'waiting', approval: '' }; // nobody waits for it
    if (this.#isForNobody) return { kind: 'refused', problem: NOBODY };
    const asked = { binding, card, expirySeconds, holdSeconds };
    const open = await approvals.request(asked).catch(toTooMany);
    if ('code' in open) return { kind: 'refused', problem: open };
    this.#approval = open.id;
    this.#asking.opened(open.id);
    if (this.#settle !== undefined) await this.#settle(open.id);
    if (this.#control.signal.aborted) return this.#toAsked(open, state);
    if (open.state === 'APPROVED') return toYes(open, state);
    announce(open, this.#channels);
    const form = this.#toForm(open, state?.approval === open.id);
    if (form?.kind === 'answer') {
      await approvals.mark(open.id, 'let-go');
      return { kind: 'waiting', approval: open.id, answer: form.frame };
    }
    if (form?.kind === 'push') this.#pushForm(open, form.params);
    return this.#toAsked(await this.#hold(open), state);
  }

  get #mayAnswerInClient(): boolean {
    return this.#channels.includes('elicitation');
  }

  /** Only the form of the host would count, and this client shows none. */
  get #isForNobody(): boolean {
    const { call, questions } = this.#asking;
    return this.#mayAnswerInClient && !this.#canWait && !questions.canElicit(call.frame).form;
  }

  /** How the client itself puts the question, where it can and the policy trusts it to. */
  #toForm(
    { id, card, expiresAt, formDismissedAt }: Approval,
    cameBack: boolean,
  ):
    | { readonly kind: 'answer'; readonly frame: Frame }
    | { readonly kind: 'push'; readonly params: JsonObject }
    | undefined {
    const { call, questions } = this.#asking;
    const { sealKey, approvalUrl } = this.#context.services;
    const step = toClientStep({
      channels: this.#channels,
      canElicit: questions.canElicit(call.frame),
      hasUrl: approvalUrl?.(id) !== undefined,
      cameBack,
      wasDismissed: formDismissedAt !== 0,
    });
    if (card === undefined || step === 'none') return undefined;
    const url = step === 'url' ? approvalUrl?.(id) : undefined;
    const request = toElicitation(card, id, url === undefined ? {} : { url });
    if (eraOf(call.frame.message) === 'legacy') {
      return step === 'form' ? { kind: 'push', params: request.params } : undefined;
    }
    const about = digestCall(call, this.#context);
    const requestState = sealState(sealKey, { approval: id, call: about, expires: expiresAt });
    const inputRequests = { [QUESTION]: request as unknown as JsonObject }; // plain data
    const result = { resultType: 'input_required', inputRequests, requestState };
    return { kind: 'answer', frame: toResultAnswer(call, result) };
  }

  #pushForm(open: Approval, params: JsonObject): void {
    const { call, questions } = this.#asking;
    const { report } = this.#context.services;
    this.#closeForm = questions.ask(call.id, params, (answer) => {
      this.#closeForm = undefined;
      this.#takeAnswer({ approval: open.id, answer: answer ?? {} }, open.binding).then(
        (isClear) => isClear || this.#canWait || this.#control.abort(),
        (error: unknown) => {
          report(`the answer to the question about ${call.tool.name} could not be stored`, error);
        },
      );
    });
  }

  /**
   * What the person said in the client's form, if it was clear. It counts only for the call that was
   * asked about: an answer carried into another call is none.
   */
  async #takeAnswer(
    { approval: id, answer }: Pick<OwnState, 'approval' | 'answer'>,
    binding: Binding,
  ): Promise<boolean> {
    const { approvals } = this.#context.services;
    const said = fromElicitation(answer);
    const asked = await approvals.find(id);
    if (asked === undefined || findDifference(asked.binding, binding) !== undefined) return false;
    if (said.kind === 'none') {
      await approvals.mark(id, 'form-dismissed');
      return false;
    }
    await approvals.answer(id, {
      kind: said.kind,
      approver: this.#asking.call.caller.principal.id,
      channel: 'elicitation',
      display: asked.display,
      ...(said.kind === 'approve' && { grant: said.grant }),
    });
    return true;
  }

  /** Whether anybody but the host could answer. */
  get #canWait(): boolean {
    return this.#channels.some((channel) => channel !== 'elicitation');
  }

  /** Waits until somebody answers, the hold is over or the question is closed; tells the client meanwhile. */
  async #hold(open: Approval): Promise<Approval> {
    const { call, verdict, notify } = this.#asking;
    const { approvals, now } = this.#context.services;
    const toMessage = (): string => toHoldingMessage(open.id, this.#channels, this.#context);
    using _telling = new WaitingProgress(call.frame, toMessage, notify);
    const startedAt = now();
    const isWorthIt = this.#canWait || this.#closeForm !== undefined;
    const timeoutMs = isWorthIt ? verdict.asking.holdSeconds * 1000 : 0;
    const { signal } = this.#control;
    const held = await approvals.waitFor(open.id, { timeoutMs, signal });
    this.#heldSeconds = Math.round((now() - startedAt) / 1000);
    if (held === undefined && !signal.aborted) await approvals.mark(open.id, 'let-go');
    return held ?? open;
  }

  #toAsked(decided: Approval, state: OwnState | undefined): Asked {
    switch (decided.state) {
      case 'APPROVED':
        return toYes(decided, state);
      case 'DECLINED':
        return toNo(decided);
      case 'EXPIRED':
      case 'USED':
      case 'WITHDRAWN': {
        if (decided.reason === OUTDATED) return { kind: 'decide-again' };
        const detail = `The question was ${describeState(decided)}.`;
        const problem = toProblem('approval-expired', detail, { reference: decided.id });
        return { kind: 'expired', approval: decided.id, problem };
      }
      case 'PENDING': {
        const { call, verdict, questions } = this.#asking;
        const inHost = !this.#canWait && questions.canElicit(call.frame).form;
        const held = { inHost, heldSeconds: this.#heldSeconds };
        const asking = { ...verdict.asking, channels: this.#channels };
        const shown = { ...verdict, asking };
        const problem = toPendingProblem(call, shown, decided, held, this.#context);
        return { kind: 'waiting', approval: decided.id, problem };
      }
    }
  }
}
