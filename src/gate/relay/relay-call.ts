/**
 * One call through a relay: sends it, passes what the server says meanwhile, and holds the answer back
 * until it is recorded. The answer may also come on another stream of the same session.
 */
import type { IncomingMessage } from 'node:http';
import type { CallPort, GateCall } from '../gate-call.ts';
import { toProblem } from '../../lib/problem.ts';
import type { Delivery } from '../run/delivery.ts';
import { toProtocolError } from '../to-answer.ts';
import { CODES } from '../wire/eras/protocol.ts';
import type { Frame } from '../wire/frame.ts';
import { isResponse } from '../wire/frame.ts';
import { toRejection } from '../wire/http/endpoint/to-failure.ts';
import { hasEnvelope } from '../wire/http/envelope.ts';
import type { Inbound } from '../wire/http/front/inbound.ts';
import type { Head } from '../wire/http/relay/client-reply.ts';
import { ClientReply } from '../wire/http/relay/client-reply.ts';
import { toClientHeaders, toServerHeaders } from '../wire/http/relay/passed-headers.ts';
import type { Upstream } from '../wire/http/relay/upstream.ts';
import { collect, isEventStream } from './collect.ts';
import type { OwnLine } from './own-line.ts';
import type { RelaySession } from './relay-sessions.ts';

type Settle = (delivery: Delivery) => void;

export class RelayCall {
  readonly port: CallPort;
  readonly #inbound: Inbound;
  readonly #call: GateCall;
  readonly #upstream: Upstream;
  readonly #reply: ClientReply;
  readonly #control = new AbortController();
  /** How the server answered, to answer the client in the same way. */
  #head: Head | undefined;
  #settle: Settle | undefined;

  constructor(
    inbound: Inbound,
    call: GateCall,
    session: RelaySession,
    upstream: Upstream,
    own: OwnLine,
  ) {
    this.#inbound = inbound;
    this.#call = call;
    this.#upstream = upstream;
    this.#reply = new ClientReply(inbound.response);
    const { signal } = this.#control;
    this.port = {
      signal,
      canElicit: session.questions.canElicit(call.frame),
      send: (bytes, headers) => this.#send(bytes, headers),
      request: (method, params) => own.request(method, params),
      elicit: (params) => session.questions.ask(call.id, params, signal),
      notify: (frame) => this.#reply.event(frame),
    };
    session.calls.set(call.id, {
      abort: () => this.#control.abort(),
      take: (frame) => this.#take(frame),
    });
    inbound.response.once('close', () => {
      session.calls.delete(call.id);
      if (!inbound.response.writableFinished) this.#control.abort();
    });
  }

  /** Answers the client with whatever comes of it. */
  async finish(answer: Promise<Frame>): Promise<void> {
    let frame: Frame;
    try {
      frame = await answer;
    } catch {
      const problem = toProblem('internal-error', 'The gate failed. Find out what was done.');
      frame = toProtocolError(this.#call, CODES.internal, problem);
    }
    this.#reply.end(frame, this.#head);
  }

  /** Straight through to the client. A failure has told the client nothing yet. */
  pass(bytes: Uint8Array): Promise<Delivery> {
    const { request, response } = this.#inbound;
    return new Promise((resolve) => {
      const outgoing = { method: 'POST', headers: toServerHeaders(request.headers), body: bytes };
      const leave = this.#upstream.send(outgoing, (arrival) => {
        if (arrival.kind === 'failure') return resolve(arrival);
        const answer = arrival.response;
        const { statusCode: status = 502, headers } = answer;
        if (status >= 300) {
          return this.#reject(answer, (delivery) => {
            if (delivery.kind === 'answer') this.#reply.end(delivery.frame, this.#head);
            resolve(delivery);
          });
        }
        this.#settle = resolve;
        response.writeHead(status, toClientHeaders(headers));
        collect(answer, (frame) => this.#see(frame, resolve), this.#call.id);
        answer.pipe(response);
        return undefined;
      });
      response.once('close', leave);
    });
  }

  #send(bytes: Uint8Array, added: Readonly<Record<string, string>> = {}): Promise<Delivery> {
    return new Promise((resolve) => {
      this.#settle = resolve;
      const headers = { ...toServerHeaders(this.#inbound.request.headers), ...added };
      const outgoing = { method: 'POST', headers, body: bytes };
      const leave = this.#upstream.send(outgoing, (arrival) => {
        if (arrival.kind === 'failure') return resolve(arrival);
        const answer = arrival.response;
        const { statusCode: status = 502 } = answer;
        if (status >= 300) return this.#reject(answer, resolve);
        this.#head = { status, headers: answer.headers };
        if (isEventStream(answer)) this.#reply.openStream(this.#head);
        collect(answer, (frame) => this.#hold(frame, resolve), this.#call.id);
        answer.once('close', () => this.#ended(answer, resolve));
        return undefined;
      });
      // Only a call that leaves no trace is broken off with its client.
      if (this.#isModern) this.port.signal.addEventListener('abort', leave, { once: true });
    });
  }

  get #isModern(): boolean {
    return hasEnvelope(this.#call.frame.message);
  }

  #see(frame: Frame, resolve: Settle): void {
    if (isResponse(frame) && frame.message.id === this.#call.id) resolve({ kind: 'answer', frame });
  }

  #hold(frame: Frame, resolve: Settle): void {
    if (isResponse(frame) && frame.message.id === this.#call.id) resolve({ kind: 'answer', frame });
    else this.#reply.event(frame);
  }

  /** What the gate itself has to say, or an answer from another stream. */
  #take(frame: Frame): void {
    if (!isResponse(frame)) this.#reply.event(frame);
    else this.#settle?.({ kind: 'answer', frame });
  }

  #ended(answer: IncomingMessage, resolve: Settle): void {
    // A stream of the 2025 revisions may be taken up again on another one.
    if (answer.complete && isEventStream(answer) && !this.#isModern) return;
    const detail = 'The server ended its answer without a result';
    resolve({ kind: 'failure', failure: { kind: 'lost', detail } });
  }

  #reject(answer: IncomingMessage, resolve: Settle): void {
    const chunks: Buffer[] = [];
    answer.on('data', (chunk: Buffer) => chunks.push(chunk));
    answer.once('close', () => {
      const { statusCode: status = 502, headers } = answer;
      const body = Buffer.concat(chunks);
      const answered = { kind: 'answered', status, headers, body } as const;
      const rejection = toRejection(answered, this.#call.id, Date.now());
      if (rejection.kind === 'failure') return resolve(rejection);
      this.#head = { status, headers };
      return resolve({ kind: 'answer', frame: rejection.frame });
    });
  }
}
