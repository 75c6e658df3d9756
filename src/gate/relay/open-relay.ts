/**
 * One server over HTTP for clients over HTTP, in the era that both speak: requests and answers pass as
 * they are, status, headers and streams included; only tool calls are decided on. Whatever needs a
 * translation is left to the front.
 */
import type { IncomingMessage } from 'node:http';
import { TIERS } from '../../effect/tier.ts';
import { toProblem } from '../../lib/problem.ts';
import type { Problem } from '../../lib/problem.ts';
import { conductCall, resumeCall } from '../conduct-call.ts';
import { decide } from '../decide/decide.ts';
import type { Allow } from '../decide/verdict.ts';
import type { GateCall } from '../gate-call.ts';
import type { GateContext } from '../gate-services.ts';
import { readToolName, toCall } from '../read-call.ts';
import { readOutcome } from '../read-outcome.ts';
import type { Delivery } from '../run/delivery.ts';
import { toProtocolError } from '../to-answer.ts';
import { toFacts } from '../to-facts.ts';
import { toReceipt } from '../to-receipt.ts';
import { CODES } from '../wire/eras/protocol.ts';
import { toFailureFrame } from '../wire/failure-frame.ts';
import type { Frame } from '../wire/frame.ts';
import { isId } from '../wire/frame.ts';
import { hasEnvelope } from '../wire/http/envelope.ts';
import type { Inbound } from '../wire/http/front/inbound.ts';
import { accept } from '../wire/http/front/inbound.ts';
import { refuse, refuseByCode } from '../wire/http/front/refuse.ts';
import { checkEnvelope } from '../wire/http/front/check-envelope.ts';
import { toCaller } from '../wire/http/front/to-caller.ts';
import { ClientReply } from '../wire/http/relay/client-reply.ts';
import { toClientHeaders, toServerHeaders } from '../wire/http/relay/passed-headers.ts';
import type { UpstreamOptions } from '../wire/http/relay/upstream.ts';
import { Upstream } from '../wire/http/relay/upstream.ts';
import { collect } from './collect.ts';
import { OwnLine } from './own-line.ts';
import { RelayCall } from './relay-call.ts';
import { RelaySessions } from './relay-sessions.ts';

export interface Relay extends AsyncDisposable {
  /** Whether it took the request; if not, nothing was sent and nothing answered. */
  post(inbound: Inbound, frame: Frame): Promise<boolean>;
  getOrDelete(inbound: Inbound): boolean;
}

export interface RelayOptions extends UpstreamOptions {
  readonly version: string;
}

export function openRelay(options: RelayOptions, context: GateContext): Relay {
  return new HttpRelay(options, context);
}

class HttpRelay implements Relay {
  readonly #context: GateContext;
  readonly #upstream: Upstream;
  readonly #own: OwnLine;
  readonly #sessions = new RelaySessions();
  /** The server answered a handshake of the 2025 revisions with an error. */
  #refusesLegacy = false;

  constructor(options: RelayOptions, context: GateContext) {
    this.#context = context;
    this.#upstream = new Upstream(options);
    this.#own = new OwnLine(options, context);
  }

  async post(inbound: Inbound, frame: Frame): Promise<boolean> {
    const { request, response, principal } = inbound;
    const { message } = frame;
    const isModern = hasEnvelope(message);
    if (isModern && !(this.#own.isModern ?? (await this.#own.probe()))) return false;
    if (!isModern && this.#refusesLegacy) return false;
    const session = this.#sessions.find(request, principal, isModern);
    if (session === undefined) {
      refuse(response, toProblem('not-found', 'There is no such session; initialize again.'));
      return true;
    }
    switch (message.method) {
      case 'tools/call': {
        // What is decided on must be what the server goes by, whichever of the two it reads.
        const fault = isModern ? checkEnvelope(message, request.headers) : undefined;
        if (fault !== undefined) {
          refuseByCode(response, fault, message.id ?? null);
          return true;
        }
        const caller = toCaller(principal, session.name, request.headers);
        await this.#call(inbound, { ...frame, caller }, session);
        return true;
      }
      case 'initialize':
        return this.#initialize(inbound, frame);
      case 'notifications/cancelled':
        session.cancel(message.params?.['requestId']);
        break;
      case undefined:
        if (session.questions.take(frame)) {
          accept(response);
          return true;
        }
        break;
      default:
    }
    const isList = message.method === 'tools/list';
    this.#forward(
      inbound,
      frame.bytes,
      isList ? (answer) => this.#own.learn(frame, answer) : undefined,
    );
    return true;
  }

  getOrDelete(inbound: Inbound): boolean {
    const { request, response, principal } = inbound;
    const session = this.#sessions.find(request, principal, false);
    if (session === undefined) {
      refuse(response, toProblem('not-found', 'There is no such session; initialize again.'));
      return true;
    }
    this.#forward(inbound, undefined, (frame) => session.hear(frame));
    return true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#upstream[Symbol.dispose]();
    await this.#own[Symbol.asyncDispose]();
  }

  /** Bytes through, both ways. `tap` is shown every message of the server. */
  #forward(inbound: Inbound, body?: Uint8Array, tap?: (frame: Frame) => void): void {
    const { request, response } = inbound;
    const outgoing = toOutgoing(request, body);
    const leave = this.#upstream.send(outgoing, (arrival) => {
      if (arrival.kind === 'failure') {
        const { failure } = arrival;
        const problem = toProblem('unavailable', failure.detail);
        return refuse(response, problem);
      }
      const answer = arrival.response;
      if (isDenied(answer)) return refuseSignIn(response, answer);
      response.writeHead(answer.statusCode ?? 502, toClientHeaders(answer.headers));
      if (tap !== undefined) collect(answer, tap);
      answer.pipe(response);
      return undefined;
    });
    response.once('close', leave);
  }

  /** A server that knows no sessions is for the front to translate for. */
  #initialize(inbound: Inbound, frame: Frame): Promise<boolean> {
    const { request, response, principal } = inbound;
    return new Promise((resolve) => {
      this.#upstream.send(toOutgoing(request, frame.bytes), (arrival) => {
        if (arrival.kind === 'failure') {
          refuse(response, toProblem('unavailable', arrival.failure.detail));
          return resolve(true);
        }
        const answer = arrival.response;
        if (isDenied(answer)) {
          refuseSignIn(response, answer);
          return resolve(true);
        }
        if ((answer.statusCode ?? 502) >= 400) {
          answer.resume();
          this.#refusesLegacy = true;
          return resolve(false);
        }
        this.#sessions.open(answer.headers['mcp-session-id'], principal, frame);
        response.writeHead(answer.statusCode ?? 502, toClientHeaders(answer.headers));
        answer.pipe(response);
        return resolve(true);
      });
    });
  }

  async #call(
    inbound: Inbound,
    frame: Frame,
    session: ReturnType<RelaySessions['find']> & object,
  ): Promise<void> {
    const { id } = frame.message;
    const { response } = inbound;
    const name = readToolName(frame);
    if (!isId(id)) return refuse(response, toProblem('invalid-request', 'A call has an id.'));
    if (typeof name !== 'string') return refuseCall(response, id, name);
    const { now } = this.#context.services;
    const startedAt = now();
    if (this.#own.tools.needsList(name)) {
      const trouble = await this.#own.load();
      if (trouble !== undefined) {
        return new ClientReply(response).end(toFailureFrame(id, trouble), {
          status: 502,
          headers: {},
        });
      }
    }
    const tool = this.#own.tools.find(name);
    const call = tool && toCall(frame, tool, startedAt);
    if (call === undefined) {
      const detail = 'The server lists no tool of this name.';
      return refuseCall(response, id, toProblem('tool-not-listed', detail));
    }
    const relayed = new RelayCall(inbound, call, session, this.#upstream, this.#own);
    if (TIERS[call.effect.tier].looksOnly) {
      const verdict = decide(
        this.#context.services.policy,
        toFacts(call, this.#context.server, false),
      );
      if (verdict.kind === 'allow' && isPlain(verdict))
        return this.#runPlainly(relayed, call, verdict);
    }
    return relayed.finish(conductCall(call, relayed.port, this.#context, this.#own.tools));
  }

  /** A look: the server's answer goes to the client as it comes, and the record is kept behind it. */
  async #runPlainly(relayed: RelayCall, call: GateCall, verdict: Allow): Promise<void> {
    const { server, services } = this.#context;
    const admission = server.breaker.admit();
    const first: Delivery | undefined =
      admission.kind === 'open' ? undefined : await relayed.pass(call.frame.bytes);
    if (admission.kind === 'pass') admission.report(first?.kind === 'failure' ? 'down' : 'up');
    if (first?.kind === 'answer') {
      const end = { decision: 'ran', outcome: readOutcome(first.frame) } as const;
      const receipt = toReceipt(call, server.name, verdict.rule, end, services.now());
      void services.ledger.record({ receipt, args: call.args });
      return undefined;
    }
    return relayed.finish(resumeCall(call, verdict, first, relayed.port, this.#context));
  }
}

function toOutgoing(
  request: IncomingMessage,
  body: Uint8Array | undefined,
): { method: string; headers: Record<string, string>; body?: Uint8Array } {
  const headers = toServerHeaders(request.headers);
  const { method = 'POST' } = request;
  return { method, headers, ...(body !== undefined && { body }) };
}

function isDenied({ statusCode }: IncomingMessage): boolean {
  return statusCode === 401;
}

/** The server's sign-in is between it and the gate. */
function refuseSignIn(response: Inbound['response'], answer: IncomingMessage): void {
  answer.resume();
  refuse(response, toProblem('unavailable', 'The gate is not signed in at the server.'));
}

function refuseCall(response: Inbound['response'], id: string | number, problem: Problem): void {
  const frame = toProtocolError({ id }, CODES.invalidParams, problem);
  new ClientReply(response).end(frame, { status: 400, headers: {} });
}

function isPlain({ terms }: Allow): boolean {
  return terms.budgets.length === 0 && terms.cacheSeconds === 0;
}
