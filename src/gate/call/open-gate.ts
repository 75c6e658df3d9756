/**
 * The gate in front of one server, as a channel: every tool call is owned by one object until its receipt,
 * everything else passes as it is. A server can answer only what was sent to it.
 */
import type { Problem } from '../../lib/problem.ts';
import type { GateContext } from '../gate-services.ts';
import { withFixedPolicy } from '../gate-services.ts';
import type { Channel, Delivery, Failure, Listener } from '../protocol/channel.ts';
import { CODES } from '../protocol/envelope.ts';
import type { Frame, RpcId } from '../protocol/frame.ts';
import { INTERNAL, isId, isResponse } from '../protocol/frame.ts';
import { ID_IN_USE } from '../protocol/read-messages.ts';
import { Requests } from '../protocol/requests.ts';
import { ServerTools } from '../tools/server-tools.ts';
import { toProtocolError } from './answers.ts';
import { Call, OpenCalls } from './call.ts';
import { ClientQuestions } from './client-questions.ts';
import { admitForeign, isForeign } from './foreign-methods.ts';
import { ProgressOrder } from './progress.ts';
import { nameOf, readToolName } from './read-call.ts';
import type { CallHost, Graces, Purpose } from './running-call.ts';

const GRACES: Graces = Object.freeze({ readMs: 2000, otherMs: 10_000 });

export function openGate(inner: Channel, context: GateContext, graces: Graces = GRACES): Channel {
  return new Gate(inner, context, graces);
}

class Gate implements Channel {
  readonly #inner: Channel;
  readonly #context: GateContext;
  readonly #requests: Requests;
  readonly #tools: ServerTools;
  readonly #questions: ClientQuestions;
  #host: CallHost;
  readonly #calls: OpenCalls;
  /** Requests that pass as they are, until they are settled. */
  readonly #passed = new Set<RpcId>();
  /** Lists and handshakes, whose answers are learnt from on their way to the client. */
  readonly #followed = new Set<RpcId>();
  readonly #progress = new ProgressOrder();
  #listener: Listener | undefined;
  #closing: Promise<void> | undefined;
  #isClosed = false;

  constructor(inner: Channel, context: GateContext, graces: Graces) {
    const { server, services } = context;
    this.#inner = inner;
    this.#context = context;
    this.#calls = new OpenCalls(services.report);
    this.#requests = new Requests(inner);
    this.#tools = new ServerTools(this.#requests, server, services.now, () => this.#recheck());
    this.#questions = new ClientQuestions((frame) => this.#tell(frame));
    this.#host = {
      context: withFixedPolicy(context),
      tools: this.#tools,
      requests: this.#requests,
      questions: this.#questions,
      graces,
      notify: (frame) => {
        this.#progress.told(frame);
        this.#tell(frame);
      },
      cancelUpstream: (frame) => inner.send(frame),
      follow: (trouble, work) => this.#calls.follow(trouble, work),
      ended: (id, end) => {
        this.#ended(id);
        // A client that cancels is just sending something.
        if (end.kind === 'failure') queueMicrotask(() => this.#settle(id, end));
        else this.#settle(id, end);
      },
      open: (frame, purpose, done) => this.#openOwn(frame, purpose, done),
    };
  }

  listen(listener: Listener): void {
    this.#listener = listener;
    this.#inner.listen({
      frame: (frame) => this.#fromServer(frame),
      failed: (id, failure) => this.#failed(id, failure),
      renewed: () => {
        this.#tools.reset();
        if (!this.#isClosed) listener.renewed();
      },
      closed: () => {
        this.#requests.failAll(ENDED);
        void this[Symbol.asyncDispose]();
      },
    });
  }

  send(frame: Frame): void {
    const { id, method } = frame.message;
    if (this.#isClosed) return;
    if (method === undefined) {
      if (!this.#questions.take(frame)) this.#inner.send(frame);
    } else if (!isId(id)) this.#notify(frame, method);
    else if (this.#isInUse(id, method)) this.#refuse(frame, id, ID_IN_USE);
    else this.#request(frame, id, method);
  }

  /** Every call ends, as far as its server lets it within the grace time; then the server is let go. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const timers = [...this.#calls.values()].map((call) =>
      setTimeout(() => call.abandon(), call.stop()),
    );
    await this.#calls.untilIdle();
    for (const timer of timers) clearTimeout(timer);
    await this.#context.services.recorder.flush();
    await this.#inner[Symbol.asyncDispose]();
    // What came meanwhile was refused, and is recorded like any other.
    await this.#calls.untilIdle();
    this.#requests.failAll(ENDED);
    for (const id of this.#passed) {
      this.#passed.delete(id);
      this.#settle(id, { kind: 'failure', failure: ENDED });
    }
    this.#isClosed = true;
    this.#listener?.closed();
  }

  #request(frame: Frame, id: RpcId, method: string): void {
    switch (method) {
      case 'tools/call':
        return this.#call(frame, id);
      case 'tools/list':
        return this.#list(frame, id);
      case 'initialize':
      case 'server/discover':
        return this.#handshake(frame, id);
      default:
        if (isForeign(method)) return this.#foreign(frame, id, method);
        this.#passed.add(id);
        return this.#inner.send(frame);
    }
  }

  #foreign(frame: Frame, id: RpcId, method: string): void {
    const ended = admitForeign(frame, method, this.#context);
    if (typeof ended !== 'function') return this.#tellError(id, CODES.methodNotFound, ended);
    return this.#ask(frame, id, (delivery) => {
      this.#settle(id, delivery);
      ended(delivery);
    });
  }

  #ask(frame: Frame, id: RpcId, done: (delivery: Delivery) => void): void {
    this.#followed.add(id);
    this.#requests.follow(id, frame, (delivery) => {
      this.#followed.delete(id);
      done(delivery);
    });
  }

  #notify(frame: Frame, method: string): void {
    const id = frame.message.params?.['requestId'];
    const call = isId(id) ? this.#calls.get(id) : undefined;
    switch (method) {
      case 'notifications/cancelled':
        if (call !== undefined) return call.cancel();
        // One that overtakes its call makes some servers drop the call without an answer.
        if (isId(id) && (this.#passed.has(id) || this.#followed.has(id))) this.#inner.send(frame);
        return undefined;
      case INTERNAL.callerGone:
        return call?.loseCaller();
      // Nobody would hear the answer, and the server might run it all the same.
      case 'tools/call':
        return this.#report('a call without an id was dropped');
      default:
        if (isForeign(method)) {
          const sent = admitForeign(frame, method, this.#context);
          if (typeof sent !== 'function') return undefined;
          sent();
        }
        return this.#inner.send(frame);
    }
  }

  #call(frame: Frame, id: RpcId): void {
    const name = readToolName(frame);
    const isNamed = typeof name === 'string';
    const toHost = (): CallHost => this.#currentHost;
    const call = new Call(frame, id, isNamed ? name : nameOf(frame), toHost);
    this.#calls.set(id, call);
    if (this.#closing !== undefined) call.stop();
    else if (isNamed) call.start();
    else call.refuseRequest(name);
  }

  /** With the policy that holds now, fixed: a call is decided on by one policy as a whole. */
  get #currentHost(): CallHost {
    const isCurrent = this.#host.context.services.policy === this.#context.services.policy;
    if (!isCurrent) this.#host = { ...this.#host, context: withFixedPolicy(this.#context) };
    return this.#host;
  }

  #openOwn(frame: Frame, purpose: Purpose, done: (answer: Frame | undefined) => void): () => void {
    const { id } = frame.message;
    if (!isId(id)) throw new TypeError('a call of the gate has an id');
    const ended: CallHost['ended'] = (own, end) => {
      this.#ended(own);
      done(end.kind === 'answer' ? end.frame : undefined);
    };
    const toHost = (): CallHost => ({ ...this.#currentHost, ended });
    const call = new Call(frame, id, nameOf(frame), toHost, purpose);
    this.#calls.set(id, call);
    call.start();
    return () => call.cancel();
  }

  #ended(id: RpcId): void {
    const frame = this.#calls.get(id)?.frame;
    this.#calls.delete(id);
    this.#progress.ended(frame);
  }

  #settle(id: RpcId, end: Delivery): void {
    if (end.kind === 'answer') this.#tell(end.frame);
    else if (!this.#isClosed) this.#listener?.failed(id, end.failure);
  }

  #tell(frame: Frame): void {
    if (!this.#isClosed) this.#listener?.frame(frame);
  }

  /** What waits on a definition is decided again where that definition changed. */
  #recheck(): void {
    const [first] = this.#calls.values();
    const recheck = (): void => {
      for (const call of this.#calls.values()) call.recheck();
    };
    if (first) queueMicrotask(() => void this.#tools.load(first.frame).then(recheck));
  }

  #list(frame: Frame, id: RpcId): void {
    const { hints } = this.#context.services.policy;
    const kept = this.#tools.answer(frame, id, hints);
    if (kept !== undefined) return queueMicrotask(() => this.#tell(kept));
    const { epoch } = this.#tools;
    return this.#ask(frame, id, (delivery) => {
      this.#settle(id, this.#tools.learn(frame, delivery, epoch, hints));
    });
  }

  #handshake(frame: Frame, id: RpcId): void {
    this.#questions.seeHandshake(frame);
    this.#ask(frame, id, (delivery) => {
      if (delivery.kind === 'answer') this.#tools.seeHandshake(frame, delivery.frame);
      this.#settle(id, delivery);
    });
  }

  #fromServer(frame: Frame): void {
    this.#context.server.sight.sawAnswer();
    const { id } = frame.message;
    if (isResponse(frame)) {
      if (this.#requests.answer(frame)) return;
      if (isId(id) && this.#passed.delete(id)) this.#tell(frame);
      else this.#report(`dropped its answer to a request that was not sent to it (id ${id})`);
      return;
    }
    if (this.#questions.isAbout(frame))
      this.#report('dropped its message about a question of the gate');
    else if (!this.#tools.hear(frame) && !this.#progress.isBackwards(frame)) this.#tell(frame);
  }

  #failed(id: RpcId, failure: Failure): void {
    this.#context.server.sight.sawFailure(failure);
    if (this.#requests.fail(id, failure)) return;
    if (this.#passed.delete(id)) this.#settle(id, { kind: 'failure', failure });
  }

  #report(what: string): void {
    const { server, services } = this.#context;
    services.report(`${server.name}: ${what}`);
  }

  /** A cancelled read may still be upstream under its id; a call then goes there under another one. */
  #isInUse(id: RpcId, method: string): boolean {
    if (this.#calls.has(id) || this.#passed.has(id) || this.#followed.has(id)) return true;
    return method !== 'tools/call' && this.#requests.isWaiting(id);
  }

  #refuse(frame: Frame, id: RpcId, problem: Problem): void {
    if (frame.message.method === 'tools/call') {
      // It counts as a call of its own, and leaves its own receipt.
      const toHost = (): CallHost => ({ ...this.#host, ended: this.#settle.bind(this) });
      new Call(frame, id, nameOf(frame), toHost).refuseRequest(problem);
    } else this.#tellError(id, CODES.invalidParams, problem);
  }

  #tellError(id: RpcId, code: number, problem: Problem): void {
    queueMicrotask(() => this.#tell(toProtocolError(id, code, problem)));
  }
}

const ENDED: Failure = { kind: 'lost', detail: 'The connection ended before the server answered' };
