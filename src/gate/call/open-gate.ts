/**
 * The gate in front of one server, as a channel: tool calls are decided on, everything else passes as
 * it is. A look that may run goes out in the same turn of the loop in which it came in.
 */
import { TIERS } from '../../effect/tier.ts';
import type { Problem } from '../../lib/problem.ts';
import { toProblem } from '../../lib/problem.ts';
import { ClientQuestions } from './client-questions.ts';
import { conductCall, resumeCall } from './conduct-call.ts';
import { decide } from '../policy/decide.ts';
import type { Allow } from '../policy/verdict.ts';
import type { CallPort, GateCall } from './gate-call.ts';
import type { GateContext } from '../gate-services.ts';
import { readToolName, toCall, toFacts } from './read-call.ts';
import { readOutcome } from './read-outcome.ts';
import { ServerTools } from '../tools/server-tools.ts';
import { toProtocolError } from './to-answer.ts';
import { toReceipt } from './to-receipt.ts';
import type { Channel, Failure, Listener } from '../protocol/channel.ts';
import { CODES } from '../protocol/envelope.ts';
import type { Frame, RpcId } from '../protocol/frame.ts';
import { INTERNAL, isId, isResponse } from '../protocol/frame.ts';
import { readServerFrame } from '../protocol/read-frame.ts';
import { Requests } from '../protocol/requests.ts';

export function openGate(inner: Channel, context: GateContext): Channel {
  return new Gate(inner, context);
}

class Gate implements Channel {
  readonly #inner: Channel;
  readonly #context: GateContext;
  readonly #requests: Requests;
  readonly #tools: ServerTools;
  readonly #questions: ClientQuestions;
  /** Calls that are conducted, and how to tell them that nobody waits any more. */
  readonly #calls = new Map<RpcId, AbortController>();
  /** Calls that wait for the list of tools. */
  readonly #looking = new Set<RpcId>();
  #listener: Listener | undefined;

  constructor(inner: Channel, context: GateContext) {
    this.#inner = inner;
    this.#context = context;
    this.#requests = new Requests(inner);
    this.#tools = new ServerTools(this.#requests, context.server, context.services.now);
    this.#questions = new ClientQuestions((frame) => this.#listener?.frame(frame));
  }

  listen(listener: Listener): void {
    this.#listener = listener;
    this.#inner.listen({
      frame: (frame) => this.#fromServer(frame),
      failed: (id, failure) => this.#failed(id, failure),
      renewed: () => {
        this.#tools.reset();
        listener.renewed();
      },
      closed: () => listener.closed(),
    });
  }

  send(frame: Frame): void {
    switch (frame.message.method) {
      case 'tools/call':
        return this.#call(frame);
      case 'tools/list':
        return this.#list(frame);
      case 'initialize':
      case 'server/discover':
        return this.#handshake(frame);
      case 'notifications/cancelled':
        return this.#cancel(frame);
      case INTERNAL.callerGone:
        return undefined;
      case undefined:
        if (!this.#questions.take(frame)) this.#inner.send(frame);
        return undefined;
      default:
        return this.#inner.send(frame);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const call of this.#calls.values()) call.abort();
    await this.#inner[Symbol.asyncDispose]();
  }

  #call(frame: Frame): void {
    const { id } = frame.message;
    const { server, services } = this.#context;
    // Without an id nobody would hear the answer, and the server might run it all the same.
    if (!isId(id)) return services.report(`${server.name}: a call without an id was dropped`);
    const name = readToolName(frame);
    if (typeof name !== 'string') return this.#refuse(id, name);
    if (this.#isInUse(id)) return this.#refuse(id, IN_USE);
    const startedAt = services.now();
    const tool = this.#tools.find(name);
    if (tool === undefined) return void this.#callUnknown(frame, id, name, startedAt);
    const call = toCall(frame, tool, startedAt);
    return call && this.#admit(call);
  }

  /** A tool that is not known yet is looked for in the server's own list; nothing unlisted runs. */
  async #callUnknown(frame: Frame, id: RpcId, name: string, startedAt: number): Promise<void> {
    if (this.#tools.needsList(name)) {
      this.#looking.add(id);
      const trouble = await this.#tools.load(frame);
      this.#looking.delete(id);
      if (trouble?.kind === 'failure') return this.#listener?.failed(id, trouble.failure);
    }
    const tool = this.#tools.find(name);
    const call = tool && toCall(frame, tool, startedAt);
    if (call !== undefined) return this.#admit(call);
    return this.#refuse(id, toProblem('tool-not-listed', 'The server lists no tool of this name.'));
  }

  #admit(call: GateCall): void {
    const { server, services } = this.#context;
    if (TIERS[call.effect.tier].readsOnly) {
      const verdict = decide(services.policy, toFacts(call, server, false));
      if (verdict.kind === 'allow' && isPlain(verdict)) return this.#runPlainly(call, verdict);
    }
    return this.#conduct(call, (port) => conductCall(call, port, this.#context, this.#tools));
  }

  /** The way of most calls: no promise, no copy, the record kept behind the answer. */
  #runPlainly(call: GateCall, verdict: Allow): void {
    const { server, services } = this.#context;
    const resume = (port: CallPort): Promise<Frame> =>
      resumeCall(call, verdict, undefined, port, this.#context);
    const admission = server.breaker.admit();
    if (admission.kind === 'open') return this.#conduct(call, resume);
    this.#requests.follow(call.id, call.frame, (delivery) => {
      admission.report(delivery.kind === 'answer' ? 'up' : 'down');
      if (delivery.kind === 'failure') {
        return this.#conduct(call, (port) =>
          resumeCall(call, verdict, delivery, port, this.#context),
        );
      }
      this.#listener?.frame(delivery.frame);
      const end = { decision: 'ran', outcome: readOutcome(delivery.frame) } as const;
      const receipt = toReceipt(call, server.name, verdict.rule, end, services.now());
      void services.ledger.record({ receipt, args: call.args });
    });
  }

  #conduct(call: GateCall, work: (port: CallPort) => Promise<Frame>): void {
    const control = new AbortController();
    this.#calls.set(call.id, control);
    void this.#deliver(call, work(this.#portOf(call, control.signal)));
  }

  async #deliver(call: GateCall, answer: Promise<Frame>): Promise<void> {
    let frame: Frame;
    try {
      frame = await answer;
    } catch (error) {
      this.#context.services.report(`${call.tool.name} could not be conducted`, error);
      const problem = toProblem('internal-error', 'The gate failed. Find out what was done.');
      frame = toProtocolError(call, CODES.internal, problem);
    }
    this.#calls.delete(call.id);
    this.#listener?.frame(frame);
  }

  #portOf(call: GateCall, signal: AbortSignal): CallPort {
    return {
      signal,
      canElicit: this.#questions.canElicit(call.frame),
      send: (bytes, headers = {}) => {
        const caller = { ...call.caller, headers: { ...call.caller.headers, ...headers } };
        const { message } = call.frame;
        const sent = bytes === call.frame.bytes ? message : readServerFrame(bytes)?.message;
        return this.#requests.exchange(call.id, { bytes, message: sent ?? message, caller });
      },
      request: (method, params) => this.#requests.request(call.frame, method, params),
      elicit: (params) => this.#questions.ask(call.id, params, signal),
      notify: (frame) => this.#listener?.frame({ ...frame, about: call.id }),
    };
  }

  #cancel(frame: Frame): void {
    const id = frame.message.params?.['requestId'];
    const control = isId(id) ? this.#calls.get(id) : undefined;
    control?.abort();
    // A call that was not sent yet is unknown to the server.
    if (control === undefined || (isId(id) && this.#requests.isWaiting(id))) {
      this.#inner.send(frame);
    }
  }

  #list(frame: Frame): void {
    const { id } = frame.message;
    if (!isId(id)) return this.#inner.send(frame);
    if (this.#isInUse(id)) return this.#refuse(id, IN_USE);
    const kept = this.#tools.answer(frame, id);
    if (kept !== undefined) return this.#listener?.frame(kept);
    return this.#requests.follow(id, frame, (delivery) => {
      if (delivery.kind === 'failure') return this.#listener?.failed(id, delivery.failure);
      this.#listener?.frame(delivery.frame);
      return this.#tools.learn(frame, delivery.frame);
    });
  }

  #handshake(frame: Frame): void {
    const { id } = frame.message;
    if (!isId(id)) return this.#inner.send(frame);
    if (this.#isInUse(id)) return this.#refuse(id, IN_USE);
    this.#questions.seeHandshake(frame);
    return this.#requests.follow(id, frame, (delivery) => {
      if (delivery.kind === 'failure') return this.#listener?.failed(id, delivery.failure);
      this.#tools.seeHandshake(frame, delivery.frame);
      return this.#listener?.frame(delivery.frame);
    });
  }

  #fromServer(frame: Frame): void {
    this.#context.server.sight.sawAnswer();
    if (isResponse(frame)) {
      if (this.#requests.answer(frame)) return;
    } else if (this.#tools.hear(frame) || this.#questions.isOpen(frame.message.id)) return;
    this.#listener?.frame(frame);
  }

  #failed(id: RpcId, failure: Failure): void {
    this.#context.server.sight.sawFailure(failure);
    this.#tools.reset();
    if (!this.#requests.fail(id, failure)) this.#listener?.failed(id, failure);
  }

  #isInUse(id: RpcId): boolean {
    return this.#requests.isWaiting(id) || this.#calls.has(id) || this.#looking.has(id);
  }

  #refuse(id: RpcId, problem: Problem): void {
    this.#listener?.frame(toProtocolError({ id }, CODES.invalidParams, problem));
  }
}

const IN_USE: Problem = toProblem('invalid-request', 'The id is in use by another request.');

/** Nothing is to be counted, kept or looked up for it. */
function isPlain({ terms }: Allow): boolean {
  return terms.budgets.length === 0 && terms.cacheSeconds === 0;
}
