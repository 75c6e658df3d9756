/**
 * A server as a child process that speaks lines of JSON. When it dies, what was in flight is told so,
 * and the next message starts it again; a client of the 2025 revisions need not notice.
 */
import type { ChildProcessByStdio } from 'node:child_process';
import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { Channel, Failure, Listener } from '../protocol/channel.ts';
import type { Frame, RpcId } from '../protocol/frame.ts';
import { isId, isRequest, isResponse } from '../protocol/frame.ts';
import { Lines, Outbox } from '../protocol/lines.ts';
import { MESSAGE_LIMIT, readServerFrame } from '../protocol/read-frame.ts';

interface ProcessOptions {
  readonly command: string;
  readonly args?: readonly string[];
  /** Beside what this process has itself. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly report?: (message: string) => void;
}

type Child = ChildProcessByStdio<Writable, Readable, null>;

/** More starts than this within a minute mean that the server cannot live. */
const MOST_STARTS = 5;
const MINUTE = 60_000;
/** Shorter than the patience of those who started us, or nobody would be left to end it. */
const PATIENCE_MS = 700;

export function openProcess(options: ProcessOptions): Channel {
  return new ServerProcess(options);
}

class ServerProcess implements Channel {
  readonly #options: ProcessOptions;
  readonly #inFlight = new Set<RpcId>();
  readonly #starts: number[] = [];
  #listener: Listener | undefined;
  #child: Child | undefined;
  #outbox: Outbox | undefined;
  /** What a session of the 2025 revisions began with, to begin it again. */
  #handshake: Frame[] = [];
  /** Messages that wait until a new process has begun the old session. */
  #waiting: { readonly id: RpcId; readonly frames: Frame[] } | undefined;
  #isClosed = false;

  constructor(options: ProcessOptions) {
    this.#options = options;
  }

  listen(listener: Listener): void {
    this.#listener = listener;
  }

  send(frame: Frame): void {
    if (this.#child === undefined && !this.#start(frame)) return;
    if (this.#waiting !== undefined) {
      this.#waiting.frames.push(frame);
      return;
    }
    this.#remember(frame);
    this.#write(frame);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
    });
    child.stdin.end();
    // A server that does not leave when its input ends is asked, then made to.
    const asked = setTimeout(() => child.kill('SIGTERM'), PATIENCE_MS);
    const made = setTimeout(() => child.kill('SIGKILL'), 2 * PATIENCE_MS);
    await gone;
    clearTimeout(asked);
    clearTimeout(made);
  }

  #start(first: Frame): boolean {
    const now = Date.now();
    while (this.#starts[0] !== undefined && this.#starts[0] < now - MINUTE) this.#starts.shift();
    if (this.#isClosed || this.#starts.length >= MOST_STARTS) {
      const detail = `${this.#options.command} keeps ending and is left alone for a minute`;
      this.#failLater(first, { kind: 'not-sent', detail });
      return false;
    }
    this.#starts.push(now);
    const { command, args = [], env, cwd } = this.#options;
    const child = spawn(command, [...args], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, ...env },
      ...(cwd !== undefined && { cwd }),
    });
    this.#child = child;
    this.#outbox = new Outbox(child.stdin);
    const lines = new Lines(MESSAGE_LIMIT);
    child.stdout.on('data', (chunk: Buffer) => this.#read(lines, chunk, child));
    child.stdin.on('error', () => {}); // its end is told by `exit`
    child.once('error', (error) => this.#ended(child, 'not-sent', error.message));
    child.once('exit', (code, signal) =>
      this.#ended(child, 'lost', `${command} ended (${signal ?? `exit code ${code}`})`),
    );
    this.#begin();
    return true;
  }

  /** A process that replaces another gets its handshake first. */
  #begin(): void {
    const [initialize, initialized] = this.#handshake;
    if (initialize === undefined || !isId(initialize.message.id)) return;
    this.#waiting = { id: initialize.message.id, frames: initialized ? [initialized] : [] };
    this.#outbox?.add(initialize.bytes);
  }

  #remember(frame: Frame): void {
    const { method } = frame.message;
    if (method === 'initialize') this.#handshake = [frame];
    else if (method === 'notifications/initialized') this.#handshake[1] = frame;
  }

  #write(frame: Frame): void {
    if (isRequest(frame) && isId(frame.message.id)) this.#inFlight.add(frame.message.id);
    this.#outbox?.add(frame.bytes);
  }

  #read(lines: Lines, chunk: Buffer, child: Child): void {
    let read: readonly Buffer[];
    try {
      read = lines.push(chunk);
    } catch (error) {
      this.#options.report?.(`${this.#options.command}: ${String(error)}`);
      child.kill('SIGKILL');
      return;
    }
    for (const line of read) {
      const frame = readServerFrame(line);
      if (frame === undefined) {
        this.#options.report?.(`${this.#options.command} printed a line that is no message`);
        continue;
      }
      if (isResponse(frame) && isId(frame.message.id)) {
        if (this.#waiting?.id === frame.message.id && !this.#inFlight.has(frame.message.id)) {
          this.#resume();
          continue;
        }
        this.#inFlight.delete(frame.message.id);
      }
      this.#listener?.frame(frame);
    }
  }

  #resume(): void {
    const frames = this.#waiting?.frames ?? [];
    this.#waiting = undefined;
    for (const frame of frames) this.#write(frame);
  }

  #ended(child: Child, kind: Failure['kind'], detail: string): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    this.#outbox = undefined;
    const lost = [...this.#inFlight];
    const unsent = this.#waiting?.frames ?? [];
    this.#inFlight.clear();
    this.#waiting = undefined;
    for (const id of lost) this.#listener?.failed(id, { kind, detail });
    for (const frame of unsent) this.#fail(frame, { kind: 'not-sent', detail });
    if (this.#isClosed) this.#listener?.closed();
    else this.#options.report?.(detail);
  }

  #failLater(frame: Frame, failure: Failure): void {
    queueMicrotask(() => this.#fail(frame, failure));
  }

  #fail(frame: Frame, failure: Failure): void {
    if (isRequest(frame) && isId(frame.message.id)) {
      this.#listener?.failed(frame.message.id, failure);
    }
  }
}
