/** The modern era in front of channels: one for each principal, kept while it is used. */
import type { Frame } from '../protocol/frame.ts';
import { isId } from '../protocol/frame.ts';
import type { RefusedMessage } from '../protocol/read-frame.ts';
import { toCalledTools } from '../protocol/read-frame.ts';
import type { Problem } from '../../lib/problem.ts';
import type { SessionTableOptions } from '../../serve/http/session-table.ts';
import { ownerOf, SessionTable } from '../../serve/http/session-table.ts';
import { checkEnvelope, toFaultProblem } from './check-envelope.ts';
import type { HttpDownstreamOptions } from './http-downstream.ts';
import type { Inbound } from './http-request.ts';
import { accept, toCaller, toPrincipalSession } from './http-request.ts';
import { refuse, refuseByCode, Reply } from './reply.ts';
import { SharedLine } from './shared-line.ts';

export class ModernDownstream implements AsyncDisposable {
  readonly #openSession: HttpDownstreamOptions['openSession'];
  readonly #lines: SessionTable<SharedLine>;
  readonly #opening = new Map<string, Promise<SharedLine>>();

  readonly #refused: (message: RefusedMessage) => void;

  constructor(
    openSession: HttpDownstreamOptions['openSession'],
    options: SessionTableOptions & Required<Pick<HttpDownstreamOptions, 'refused'>>,
  ) {
    this.#openSession = openSession;
    this.#refused = options.refused;
    this.#lines = new SessionTable(options);
  }

  async post(inbound: Inbound, frame: Frame): Promise<void> {
    const { request, response, principal } = inbound;
    const { id } = frame.message;
    const fault = checkEnvelope(frame.message, request.headers);
    if (fault !== undefined) {
      const problem = toFaultProblem(fault);
      this.#refuse(inbound, frame, problem);
      refuseByCode(response, fault.code, problem, id ?? null);
      return;
    }
    const owner = ownerOf(principal);
    const line = this.#lines.find(owner, owner) ?? (await this.#open(inbound, owner));
    if (!(line instanceof SharedLine)) {
      this.#refuse(inbound, frame, line);
      refuse(response, line, id);
      return;
    }
    const sent = {
      ...frame,
      caller: toCaller(principal, toPrincipalSession(principal), request.headers),
    };
    if (isId(id)) line.request(sent, id, (left) => new Reply(request, response, { left }));
    else {
      line.notify(sent);
      accept(response);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled(this.#opening.values());
    await this.#lines[Symbol.asyncDispose]();
  }

  /** A call among them never reaches a gate, and is recorded all the same. */
  #refuse(inbound: Inbound, { message }: Frame, problem: Problem): void {
    const { request, principal } = inbound;
    const calls = toCalledTools([message]);
    if (calls.length === 0) return;
    const caller = toCaller(principal, toPrincipalSession(principal), request.headers);
    this.#refused({ caller, problem, calls });
  }

  async #open(inbound: Inbound, key: string): Promise<SharedLine | Problem> {
    const { principal } = inbound;
    const opening = this.#opening.get(key);
    if (opening !== undefined) return opening;
    const full = this.#lines.findRoom(key);
    if (full !== undefined) return full;
    const session = toPrincipalSession(principal);
    const line = this.#lines.add(key, key, async () => {
      const channel = await this.#openSession({ principal, session, era: 'modern' });
      const opened: SharedLine = new SharedLine(channel, () => this.#lines.forget(key, opened));
      return opened;
    });
    this.#opening.set(key, line);
    try {
      return await line;
    } finally {
      this.#opening.delete(key);
    }
  }
}
