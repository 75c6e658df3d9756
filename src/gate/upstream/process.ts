/**
 * A server as a child process that speaks lines of JSON. When it dies, what was in flight is settled and
 * the next message starts it again: with the session of a client of the 2025 revisions begun anew, and
 * without any call that was decided on the tools of the process that died.
 */
import type { Channel, Failure, Listener } from '../protocol/channel.ts';
import { editFrame } from '../protocol/edit-frame.ts';
import type { Frame, RpcId } from '../protocol/frame.ts';
import {
  isId,
  isRequest,
  isResponse,
  toNotification,
  toResult,
  OwnIds,
} from '../protocol/frame.ts';
import { InFlight } from '../protocol/in-flight.ts';
import { readServerFrame } from '../protocol/read-frame.ts';
import type { ChildOptions } from './child-server.ts';
import { ChildServer } from './child-server.ts';
import { SessionMemory } from './session-memory.ts';

interface ProcessOptions extends ChildOptions {
  readonly report?: (message: string) => void;
  /** How long a cancelled request may still be answered. Default: a minute. */
  readonly cancelGraceMs?: number;
  /** How long a restarted server may take to begin its session again. Default: 30 s. */
  readonly openingMs?: number;
}

/** More starts than this within a minute mean that the server cannot run. */
const MOST_STARTS = 5;
const MINUTE = 60_000;
const OPENING_MS = 30_000;

const STOPPING = 'The server is being stopped';

export function openProcess(options: ProcessOptions): Channel {
  return new ServerProcess(options);
}

class ServerProcess implements Channel {
  readonly #options: ProcessOptions;
  readonly #ids = new OwnIds();
  readonly #inFlight: InFlight;
  readonly #memory = new SessionMemory();
  readonly #starts: number[] = [];
  /** Requests of the server that the client has not answered yet. */
  readonly #asked = new Set<RpcId>();
  #listener: Listener | undefined;
  #child: ChildServer | undefined;
  /** While `opening`, the session is begun again; while `ending`, the last output is read and told. */
  #state: 'idle' | 'opening' | 'running' | 'ending' = 'idle';
  #held: Frame[] = [];
  #opening: { readonly id: RpcId; readonly timer: NodeJS.Timeout } | undefined;
  /** This process has listed its tools, so that calls may have been decided on them. */
  #hasListed = false;
  /** Until a new process has listed its tools, calls were decided on those of the dead one. */
  #mustList = false;
  #closing: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: ProcessOptions) {
    this.#options = options;
    this.#inFlight = new InFlight(
      (id, failure) => this.#listener?.failed(id, failure),
      options.cancelGraceMs,
    );
  }

  listen(listener: Listener): void {
    this.#listener = listener;
  }

  send(frame: Frame): void {
    const { method } = frame.message;
    if (this.#closing !== undefined) return this.#failLater(frame, STOPPING);
    if (method === 'notifications/cancelled' && this.#cancelHeld(frame)) return undefined;
    if (this.#state === 'ending') return void this.#held.push(frame);
    if (isResponse(frame)) return this.#answer(frame);
    if (this.#mustList && method === 'tools/call') {
      return this.#failLater(frame, 'The server restarted and its tools have to be listed again');
    }
    const child = this.#child ?? this.#start(frame);
    if (child === undefined) return undefined;
    if (this.#state === 'opening') return void this.#held.push(frame);
    this.#inFlight.see(frame);
    this.#memory.sent(frame);
    return child.write(frame.bytes);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    for (const frame of this.#held.splice(0)) this.#failLater(frame, STOPPING);
    await this.#child?.stop();
    await Promise.resolve(); // what was sent just now is settled first
    this.#isClosed = true;
    this.#listener?.closed();
  }

  #start(first: Frame): ChildServer | undefined {
    const { command } = this.#options;
    const now = Date.now();
    while (this.#starts[0] !== undefined && this.#starts[0] < now - MINUTE) this.#starts.shift();
    if (this.#starts.length >= MOST_STARTS) {
      const detail = `${command} was started ${MOST_STARTS} times within a minute and is not restarted yet`;
      this.#failLater(first, detail);
      return undefined;
    }
    this.#starts.push(now);
    try {
      this.#child = new ChildServer(this.#options, {
        line: (line) => this.#read(line),
        exited: () => {
          if (this.#state === 'running') this.#state = 'ending';
        },
        ended: (detail) => this.#ended(detail),
      });
    } catch (error) {
      this.#failLater(first, `${command} could not be started: ${String(error)}`);
      return undefined;
    }
    this.#state = 'running';
    if (first.message.method !== 'initialize') this.#open(this.#child);
    return this.#child;
  }

  /** A process that replaces another gets the session of its predecessor first. */
  #open(child: ChildServer): void {
    const { opening } = this.#memory;
    if (opening === undefined) return;
    const { openingMs = OPENING_MS } = this.#options;
    const timer = setTimeout(() => child.kill('it did not answer initialize'), openingMs);
    this.#state = 'opening';
    this.#opening = { id: this.#sendOwn(child, opening), timer };
  }

  /** Under an id of our own: the client has its answer already. */
  #sendOwn(child: ChildServer, frame: Frame): string {
    const value = this.#ids.next();
    child.write(editFrame(frame, [{ kind: 'set', path: ['id'], value }]).bytes);
    return value;
  }

  /** The client answers a request of the server, if this process is the one that asked. */
  #answer(frame: Frame): void {
    const { id } = frame.message;
    if (isId(id) && this.#asked.delete(id)) this.#child?.write(frame.bytes);
    else this.#report('an answer to a request that is not open was dropped');
  }

  #read(line: Buffer): void {
    const frame = readServerFrame(line);
    if (frame === undefined) return this.#report('a line that is not a message was dropped');
    const { id, method } = frame.message;
    if (isResponse(frame) && isId(id)) return this.#settle(id, frame);
    if (isRequest(frame) && isId(id)) {
      // The client has long been initialized and knows nothing of this handshake.
      if (this.#state === 'opening' && method === 'ping') {
        return this.#child?.write(toResult(id, {}).bytes);
      }
      this.#asked.add(id);
    } else if (method === 'notifications/cancelled') this.#withdraw(frame);
    return this.#listener?.frame(frame);
  }

  /** The server no longer waits, so that an answer would be one to nothing. */
  #withdraw({ message: { params } }: Frame): void {
    const id = params?.['requestId'];
    if (isId(id)) this.#asked.delete(id);
  }

  #settle(id: RpcId, frame: Frame): void {
    if (id === this.#opening?.id) return this.#opened(frame);
    if (this.#ids.has(id)) {
      if (frame.message.error !== undefined) this.#report('a part of the session was not restored');
      return undefined;
    }
    const request = this.#inFlight.settle(id);
    if (request === undefined) {
      return this.#report('an answer to a request that is not in flight was dropped');
    }
    this.#memory.answered(request, frame);
    if (request.message.method === 'tools/list' && frame.message.result !== undefined) {
      this.#hasListed = true;
      this.#mustList = false;
    }
    return this.#listener?.frame(frame);
  }

  #opened({ message: { result } }: Frame): void {
    const child = this.#child;
    clearTimeout(this.#opening?.timer);
    this.#opening = undefined;
    if (child === undefined) return undefined;
    if (result === undefined) return child.kill('it refused to begin the session again');
    for (const change of this.#memory.listChanges) this.#listener?.frame(change);
    for (const frame of this.#memory.replay) {
      if (isRequest(frame)) this.#sendOwn(child, frame);
      else child.write(frame.bytes);
    }
    this.#state = child.hasExited ? 'ending' : 'running';
    return this.#release();
  }

  #ended(detail: string): void {
    const { hasRun = false } = this.#child ?? {};
    const unsent = this.#state === 'opening' ? this.#held.splice(0) : [];
    const asked = [...this.#asked];
    this.#asked.clear();
    clearTimeout(this.#opening?.timer);
    this.#opening = undefined;
    this.#mustList ||= this.#hasListed;
    this.#hasListed = false;
    this.#child = undefined;
    // What is sent in return waits until everybody knows that the server is another.
    this.#state = 'ending';
    const failure: Failure = hasRun
      ? { kind: 'lost', detail, ended: true }
      : { kind: 'not-sent', detail, ended: true, unstarted: true };
    for (const id of this.#inFlight.drain()) this.#listener?.failed(id, failure);
    for (const frame of unsent) this.#fail(frame, detail);
    for (const requestId of asked) {
      const params = { requestId, reason: detail };
      this.#listener?.frame(toNotification('notifications/cancelled', params));
    }
    if (this.#closing === undefined) {
      this.#options.report?.(detail);
      if (hasRun) this.#listener?.renewed();
    }
    this.#state = 'idle';
    this.#release();
  }

  #release(): void {
    for (const frame of this.#held.splice(0)) this.send(frame);
  }

  /** Whether the server has not heard of the request, and need not hear of its cancel either. */
  #cancelHeld({ message: { params } }: Frame): boolean {
    const at = this.#held.findIndex((frame) => {
      return isRequest(frame) && frame.message.id === params?.['requestId'];
    });
    const [request] = at === -1 ? [] : this.#held.splice(at, 1);
    if (request !== undefined) this.#failLater(request, 'The request was cancelled');
    return request !== undefined || this.#child === undefined;
  }

  #failLater(frame: Frame, detail: string): void {
    queueMicrotask(() => this.#fail(frame, detail));
  }

  #fail(frame: Frame, detail: string): void {
    const { id } = frame.message;
    if (!isRequest(frame) || !isId(id) || this.#isClosed) return;
    this.#listener?.failed(id, { kind: 'not-sent', detail });
  }

  #report(what: string): void {
    this.#options.report?.(`${this.#options.command}: ${what}`);
  }
}
