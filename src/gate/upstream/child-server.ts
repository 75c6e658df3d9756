/**
 * One run of a server as a child process: lines to it, lines from it, and its end, which is told only
 * after all of its output was read.
 */
import type { ChildProcessByStdio } from 'node:child_process';
import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { Lines, Outbox } from '../protocol/lines.ts';
import { MESSAGE_LIMIT } from '../protocol/read-frame.ts';
import { serverEnvironment } from './server-environment.ts';
import { followStderr } from './server-stderr.ts';

export interface ChildOptions {
  readonly command: string;
  readonly args?: readonly string[];
  /** Beside what every program needs. */
  readonly env?: Readonly<Record<string, string>>;
  /** What the server gets of this process's own environment: its name there, and the variable's name here. */
  readonly passEnv?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** What its standard error is labelled with. Default: the command. */
  readonly name?: string;
}

interface ChildListener {
  line(line: Buffer): void;
  /** It takes nothing more; some of its output may still come. */
  exited(): void;
  /** Called once, last. */
  ended(detail: string): void;
}

/** Shorter than the patience of the host, or nobody would be left to stop the server. */
const PATIENCE_MS = 700;
/** A child of the server may hold the pipes open after the server has exited. */
const DRAIN_MS = 500;

export class ChildServer {
  readonly #command: string;
  readonly #listener: ChildListener;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #outbox: Outbox;
  readonly #lines = new Lines(MESSAGE_LIMIT);
  readonly #over = Promise.withResolvers<void>();
  #timers: NodeJS.Timeout[] = [];
  #detail: string | undefined;
  #isOver = false;

  /** Throws for a command that no system could run; a program that is not there only ends. */
  constructor(options: ChildOptions, listener: ChildListener) {
    const { command, args = [], env, passEnv, cwd, name = command } = options;
    this.#command = command;
    this.#listener = listener;
    this.#child = spawn(command, [...args], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: serverEnvironment(process.env, env, passEnv),
      ...(cwd !== undefined && { cwd }),
    });
    this.#outbox = new Outbox(this.#child.stdin);
    followStderr(this.#child.stderr, name, (line) => process.stderr.write(line));
    this.#follow();
  }

  /** False when there was no such program. */
  get hasRun(): boolean {
    return this.#child.pid !== undefined;
  }

  get hasExited(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  write(bytes: Uint8Array): void {
    this.#outbox.add(bytes);
  }

  /** Ends its input, then asks it to stop, then makes it. Resolves when it has ended. */
  stop(): Promise<void> {
    this.#outbox.flush();
    this.#child.stdin.end();
    this.#stopSoon();
    return this.#over.promise;
  }

  kill(reason: string): void {
    this.#detail ??= `${this.#command} was stopped: ${reason}`;
    this.#child.kill('SIGKILL');
  }

  #follow(): void {
    const child = this.#child;
    child.stdout.on('data', (chunk: Buffer) => this.#read(chunk));
    // Without its input or its output a server is of no use, even if it goes on running.
    child.stdout.once('end', () => this.#stopSoon());
    child.stdin.on('error', () => this.#stopSoon());
    child.on('error', ({ message }) => {
      if (this.hasRun) return; // a signal that could not be sent
      this.#detail = `${this.#command} could not be started: ${message}`;
      this.#end();
    });
    child.once('exit', (code, signal) => {
      this.#detail ??= `${this.#command} ended (${signal ?? `exit code ${code}`})`;
      this.#after(DRAIN_MS, () => {
        child.stdout.destroy();
        child.stderr.destroy();
      });
      this.#listener.exited();
    });
    child.once('close', () => this.#end());
  }

  #read(chunk: Buffer): void {
    let lines: readonly Buffer[];
    try {
      lines = this.#lines.push(chunk);
    } catch (error) {
      this.#child.stdout.destroy();
      return this.kill(error instanceof Error ? error.message : String(error));
    }
    for (const line of lines) this.#listener.line(line);
  }

  #stopSoon(): void {
    if (this.hasExited) return;
    this.#after(PATIENCE_MS, () => void this.#child.kill('SIGTERM'));
    this.#after(2 * PATIENCE_MS, () => void this.#child.kill('SIGKILL'));
  }

  #after(ms: number, act: () => void): void {
    this.#timers.push(setTimeout(act, ms));
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const timer of this.#timers) clearTimeout(timer);
    for (const line of this.#lines.end()) this.#listener.line(line);
    this.#listener.ended(this.#detail ?? `${this.#command} ended`);
    this.#over.resolve();
  }
}
