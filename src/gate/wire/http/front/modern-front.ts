/** The modern era in front of channels: one for each principal, kept while it is used. */
import type { Frame } from '../../frame.ts';
import { isId } from '../../frame.ts';
import { toProblem } from '../../../../lib/problem.ts';
import { checkEnvelope } from './check-envelope.ts';
import type { FrontOptions } from './front-options.ts';
import type { Inbound } from './inbound.ts';
import { accept } from './inbound.ts';
import type { LineTableOptions } from './line-table.ts';
import { LineTable } from './line-table.ts';
import { refuse, refuseByCode } from './refuse.ts';
import { Reply } from './reply.ts';
import { SharedLine } from './shared-line.ts';
import { ownerOf, toCaller } from './to-caller.ts';

export class ModernFront implements AsyncDisposable {
  readonly #openSession: FrontOptions['openSession'];
  readonly #lines: LineTable<SharedLine>;
  readonly #opening = new Map<string, Promise<SharedLine>>();

  constructor(openSession: FrontOptions['openSession'], options: LineTableOptions) {
    this.#openSession = openSession;
    this.#lines = new LineTable(options);
  }

  async post(inbound: Inbound, frame: Frame): Promise<void> {
    const { request, response, principal } = inbound;
    const { id } = frame.message;
    const fault = checkEnvelope(frame.message, request.headers);
    if (fault !== undefined) {
      refuseByCode(response, fault, id ?? null);
      return;
    }
    const owner = ownerOf(principal);
    const line = this.#lines.find(owner, owner) ?? (await this.#open(inbound, owner));
    if (line === undefined) {
      refuse(response, toProblem('unavailable', 'Too many callers are being served.'), id);
      return;
    }
    const sent = { ...frame, caller: toCaller(principal, sessionOf(inbound), request.headers) };
    if (isId(id)) line.request(sent, id, (left) => new Reply(request, response, left));
    else {
      line.notify(sent);
      accept(response);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled(this.#opening.values());
    await this.#lines[Symbol.asyncDispose]();
  }

  async #open(inbound: Inbound, key: string): Promise<SharedLine | undefined> {
    const { principal } = inbound;
    const opening = this.#opening.get(key);
    if (opening !== undefined) return opening;
    if (this.#lines.isFull) return undefined;
    const session = sessionOf(inbound);
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

function sessionOf({ principal: { tenant = '', id } }: Inbound): string {
  return `principal:${tenant}/${id}`;
}
