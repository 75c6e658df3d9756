/**
 * The gate in front of one server, as a channel: every tool call becomes one object that owns it until its
 * receipt, everything else passes as it is. A server can answer only what was sent to it.
 */
import { toProblem } from '../../lib/problem.ts';
import type { GateContext } from '../gate-services.ts';
import type { Channel, Failure, Listener } from '../protocol/channel.ts';
import { CODES } from '../protocol/envelope.ts';
import type { Frame, RpcId } from '../protocol/frame.ts';
import { INTERNAL, isId, isRequest, isResponse } from '../protocol/frame.ts';
import { isObject } from '../protocol/read-frame.ts';
import { Requests } from '../protocol/requests.ts';
import { ServerTools } from '../tools/server-tools.ts';
import { toProtocolError } from './answers.ts';
import { Call } from './call.ts';
import { ClientQuestions } from './client-questions.ts';
import { readToolName } from './read-call.ts';
import type { CallHost, Purpose } from './running-call.ts';

export function openGate(inner: Channel, context: GateContext): Channel {
  return new Gate(inner, context);
}

class Gate implements Channel {
  readonly #inner: Channel;
  readonly #context: GateContext;
  readonly #requests: Requests;
  readonly #tools: ServerTools;
  readonly #questions: ClientQuestions;
  readonly #host: CallHost;
  readonly #calls = new Map<RpcId, Call>();
  /** Requests that pass as they are, until they are settled. */
  readonly #passed = new Set<RpcId>();
  /** Lists and handshakes, whose answers are learnt from on their way to the client. */
  readonly #followed = new Set<RpcId>();
  /** The last progress that the gate itself reported, by token: a server's must not go backwards. */
  readonly #progress = new Map<unknown, number>();
  #listener: Listener | undefined;
  #idle: (() => void) | undefined;
  #isStopping = false;

  constructor(inner: Channel, context: GateContext) {
    const { server, services } = context;
    this.#inner = inner;
    this.#context = context;
    this.#requests = new Requests(inner);
    this.#tools = new ServerTools(this.#requests, server, services.now, () => this.#recheck());
    this.#questions = new ClientQuestions((frame) => this.#listener?.frame(frame));
    this.#host = {
      context,
      tools: this.#tools,
      requests: this.#requests,
      questions: this.#questions,
      deliver: (frame) => this.#deliver(frame),
      cancelUpstream: (frame) => inner.send(frame),
      ended: (id) => this.#ended(id),
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
        listener.renewed();
      },
      closed: () => listener.closed(),
    });
  }

  send(frame: Frame): void {
    const { id, method } = frame.message;
    if (method === undefined) {
      if (!this.#questions.take(frame)) this.#inner.send(frame);
    } else if (!isId(id)) this.#notify(frame, method);
    else if (this.#isInUse(id, method)) this.#refuse(frame, id, IN_USE);
    else this.#request(frame, id, method);
  }

  /** Every call ends, as far as its server lets it within the grace time; then the server is let go. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopping = true;
    const timers: NodeJS.Timeout[] = [];
    for (const call of this.#calls.values()) {
      const graceMs = call.stop();
      const timer = setTimeout(() => call.abandon(), graceMs);
      timers.push(timer);
    }
    if (this.#calls.size > 0) await new Promise<void>((resolve) => (this.#idle = resolve));
    for (const timer of timers) clearTimeout(timer);
    await this.#context.services.recorder.flush();
    await this.#inner[Symbol.asyncDispose]();
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
        this.#passed.add(id);
        return this.#inner.send(frame);
    }
  }

  #notify(frame: Frame, method: string): void {
    const id = frame.message.params?.['requestId'];
    const call = isId(id) ? this.#calls.get(id) : undefined;
    switch (method) {
      case 'notifications/cancelled':
        return call === undefined ? this.#inner.send(frame) : call.cancel();
      case INTERNAL.callerGone:
        return call?.loseCaller();
      case 'tools/call': {
        const { server, services } = this.#context;
        // Nobody would hear the answer, and the server might run it all the same.
        return services.report(`${server.name}: a call without an id was dropped`);
      }
      default:
        return this.#inner.send(frame);
    }
  }

  #call(frame: Frame, id: RpcId): void {
    const name = readToolName(frame);
    const isNamed = typeof name === 'string';
    const call = new Call(frame, id, isNamed ? name : nameOf(frame), this.#host);
    this.#calls.set(id, call);
    if (this.#isStopping) call.stop();
    else if (isNamed) call.start();
    else call.refuseRequest(name);
  }

  #openOwn(frame: Frame, purpose: Purpose, done: (answer: Frame | undefined) => void): () => void {
    const { id } = frame.message;
    if (!isId(id)) throw new TypeError('a call of the gate has an id');
    let answer: Frame | undefined;
    const host: CallHost = {
      ...this.#host,
      deliver: (given) => {
        answer = given;
      },
      ended: (ended) => {
        this.#ended(ended);
        done(answer);
      },
    };
    const call = new Call(frame, id, nameOf(frame), host, purpose);
    this.#calls.set(id, call);
    call.start();
    return () => call.cancel();
  }

  #ended(id: RpcId): void {
    this.#calls.delete(id);
    if (this.#calls.size === 0) this.#idle?.();
  }

  /** What waits on a definition is decided again where that definition changed. */
  #recheck(): void {
    const [first] = this.#calls.values();
    if (first === undefined) return;
    const recheck = (): void => {
      for (const call of this.#calls.values()) call.recheck();
    };
    queueMicrotask(() => {
      void this.#tools.load(first.frame).then(recheck);
    });
  }

  #list(frame: Frame, id: RpcId): void {
    const kept = this.#tools.answer(frame, id);
    if (kept !== undefined) {
      queueMicrotask(() => this.#listener?.frame(kept));
      return;
    }
    const { epoch } = this.#tools;
    this.#followed.add(id);
    this.#requests.follow(id, frame, (delivery) => {
      this.#followed.delete(id);
      if (delivery.kind === 'failure') return this.#listener?.failed(id, delivery.failure);
      this.#listener?.frame(delivery.frame);
      return this.#tools.learn(frame, delivery.frame, epoch);
    });
  }

  #handshake(frame: Frame, id: RpcId): void {
    this.#questions.seeHandshake(frame);
    this.#followed.add(id);
    this.#requests.follow(id, frame, (delivery) => {
      this.#followed.delete(id);
      if (delivery.kind === 'failure') return this.#listener?.failed(id, delivery.failure);
      this.#tools.seeHandshake(frame, delivery.frame);
      return this.#listener?.frame(delivery.frame);
    });
  }

  #deliver(frame: Frame): void {
    const { method, params } = frame.message;
    if (method === 'notifications/progress') {
      this.#progress.set(params?.['progressToken'], Number(params?.['progress']));
    }
    this.#listener?.frame(frame);
  }

  #fromServer(frame: Frame): void {
    const { sight } = this.#context.server;
    sight.sawAnswer();
    const { id, method } = frame.message;
    if (isResponse(frame)) {
      if (this.#requests.answer(frame)) return;
      if (isId(id) && this.#passed.delete(id)) this.#listener?.frame(frame);
      else this.#drop(`answered a request that was not sent to it (id ${JSON.stringify(id)})`);
      return;
    }
    if (isRequest(frame) && this.#questions.owns(id)) {
      this.#drop('asked under an id of the gate');
      return;
    }
    if (this.#tools.hear(frame)) return;
    if (method === 'notifications/progress' && this.#isBackwards(frame)) return;
    this.#listener?.frame(frame);
  }

  #isBackwards({ message: { params } }: Frame): boolean {
    const last = this.#progress.get(params?.['progressToken']);
    const progress = params?.['progress'];
    return last !== undefined && typeof progress === 'number' && progress <= last;
  }

  #failed(id: RpcId, failure: Failure): void {
    this.#context.server.sight.sawFailure(failure);
    if (this.#requests.fail(id, failure)) return;
    if (this.#passed.delete(id)) this.#listener?.failed(id, failure);
  }

  #drop(what: string): void {
    const { server, services } = this.#context;
    services.report(`${server.name} ${what}; it was dropped`);
  }

  /** A cancelled read may still be upstream under its id; a call then goes there under another one. */
  #isInUse(id: RpcId, method: string): boolean {
    if (this.#calls.has(id) || this.#passed.has(id) || this.#followed.has(id)) return true;
    return method !== 'tools/call' && this.#requests.isWaiting(id);
  }

  #refuse(frame: Frame, id: RpcId, problem: typeof IN_USE): void {
    if (frame.message.method === 'tools/call') {
      // It counts as a call of its own, and leaves its own receipt.
      new Call(frame, id, nameOf(frame), { ...this.#host, ended: () => {} }).refuseRequest(problem);
    } else {
      const answer = toProtocolError(id, CODES.invalidParams, problem);
      queueMicrotask(() => this.#listener?.frame(answer));
    }
  }
}

const IN_USE = toProblem('invalid-request', 'The id is in use by another request.');

function nameOf({ message: { params } }: Frame): string {
  const name = isObject(params) ? params['name'] : undefined;
  return typeof name === 'string' ? name : '';
}
