/**
 * One run of a server as a child process: lines to it, lines from it, and its end, which is told only
 * after all of its output was read.
 */
import type { ChildProcessByStdio } from 'node:child_process';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { showText } from '../approvals/show-text.ts';
import { Lines, Outbox } from '../protocol/lines.ts';
import { MESSAGE_LIMIT } from '../protocol/read-frame.ts';

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
  readonly #cwd: string | undefined;
  readonly #listener: ChildListener;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #outbox: Outbox;
  readonly #lines = new Lines(MESSAGE_LIMIT);
  readonly #over = Promise.withResolvers<void>();
  #timers: NodeJS.Timeout[] = [];
  #detail: string | undefined;
  #isOver = false;
  readonly #label: string;
  #hasComplained = false;

  /** Throws for a command that no system could run; a program that is not there only ends. */
  constructor(options: ChildOptions, listener: ChildListener) {
    const { command, args = [], env, passEnv, cwd, name = command } = options;
    this.#command = command;
    this.#cwd = cwd;
    this.#listener = listener;
    this.#child = spawn(command, [...args], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: serverEnvironment(process.env, env, passEnv),
      ...(cwd !== undefined && { cwd }),
    });
    this.#outbox = new Outbox(this.#child.stdin);
    this.#label = `[${showText(name)}]`;
    followStderr(this.#child.stderr, name, (line) => {
      this.#hasComplained = true;
      process.stderr.write(line);
    });
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
    child.on('error', (error) => {
      if (this.hasRun) return; // a signal that could not be sent
      this.#detail = `${this.#command} could not be started: ${toStartFault(error, this.#command, this.#cwd)}`;
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

  /** Only where: its lines may hold secrets, and this goes to the client. */
  #whereItSaysWhy(): string {
    const { exitCode } = this.#child;
    if (!this.#hasComplained || exitCode === null || exitCode === 0) return '';
    return `; what it wrote is on the standard error of plimsoll, after ${this.#label}`;
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const timer of this.#timers) clearTimeout(timer);
    for (const line of this.#lines.end()) this.#listener.line(line);
    this.#listener.ended(`${this.#detail ?? `${this.#command} ended`}${this.#whereItSaysWhy()}`);
    this.#over.resolve();
  }
}

/** In words: the system's own message blames the program even when only its folder is missing. */
function toStartFault(
  { code, message }: NodeJS.ErrnoException,
  command: string,
  cwd: string | undefined,
): string {
  if (code === 'EACCES') return 'this user is not allowed to run it';
  if (code !== 'ENOENT') return message;
  if (cwd !== undefined && !existsSync(cwd)) return `its folder ${cwd} does not exist`;
  const product = COMES_WITH[basename(command).replace(/\.(?:exe|cmd)$/i, '')];
  const what = product === undefined ? 'install it, correct its name' : `install ${product}`;
  return `no such program was found; ${what}, or write its full path`;
}

/** Programs that start most servers. */
const COMES_WITH: Readonly<Record<string, string>> = {
  node: 'Node.js (nodejs.org)',
  npx: 'Node.js (nodejs.org)',
  uv: 'uv (docs.astral.sh/uv)',
  uvx: 'uv (docs.astral.sh/uv)',
  python: 'Python (python.org)',
  python3: 'Python (python.org)',
  docker: 'Docker (docs.docker.com)',
  bun: 'Bun (bun.sh)',
  bunx: 'Bun (bun.sh)',
  deno: 'Deno (deno.com)',
};

type Environment = Readonly<Record<string, string | undefined>>;

/** What the SDK's client passes on, then folders, locale and trusted certificates. */
const NEEDED = `
  HOME LOGNAME PATH SHELL TERM USER
  APPDATA HOMEDRIVE HOMEPATH LOCALAPPDATA PROCESSOR_ARCHITECTURE PROGRAMFILES SYSTEMDRIVE SYSTEMROOT TEMP
  USERNAME USERPROFILE
  COMSPEC PATHEXT TMP TMPDIR
  XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_RUNTIME_DIR XDG_STATE_HOME
  LANG LANGUAGE LC_ALL LC_COLLATE LC_CTYPE LC_MESSAGES LC_MONETARY LC_NUMERIC LC_TIME TZ
  NODE_EXTRA_CA_CERTS SSL_CERT_DIR SSL_CERT_FILE`
  .trim()
  .split(/\s+/);

const PROXIES = ['ALL_PROXY', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'].flatMap((name) => [
  name,
  name.toLowerCase(),
]);

/**
 * `own` is set for the server; `passed` names variables of the environment by the name that they have at
 * the server.
 */
export function serverEnvironment(
  environment: Environment,
  own: Readonly<Record<string, string>> = {},
  passed: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const entries = [
    ...NEEDED.map((name) => [name, environment[name]] as const),
    ...PROXIES.map((name) => [name, withoutPassword(environment[name])] as const),
    ...Object.entries(own),
    ...Object.entries(passed).map(([name, variable]) => [name, environment[variable]] as const),
  ];
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** A proxy that needs a password is a secret, and passed only by name. */
function withoutPassword(proxy: string | undefined): string | undefined {
  return proxy?.includes('@') ? undefined : proxy;
}

const LONGEST = 2000;

/**
 * What a server writes to standard error, as lines that bear its name: nobody can take them for the
 * gate's own, nothing in them steers a terminal, and none is longer than people read.
 */
export function followStderr(
  stream: Readable,
  server: string,
  write: (line: string) => void,
): void {
  const decoder = new StringDecoder('utf8');
  const label = `[${showText(server)}] `;
  let line = '';
  let left = 0;
  const add = (text: string): void => {
    const rest = text.slice(0, LONGEST - line.length);
    line += rest;
    left += text.length - rest.length;
  };
  const end = (): void => {
    const more = left === 0 ? '' : ` … and ${left} more characters`;
    write(`${label}${showLine(line.replace(/\r$/, ''))}${more}\n`);
    line = '';
    left = 0;
  };
  const read = (text: string): void => {
    const [first = '', ...others] = text.split('\n');
    add(first);
    for (const other of others) {
      end();
      add(other);
    }
  };
  stream.on('data', (chunk: Buffer) => read(decoder.write(chunk)));
  stream.once('close', () => {
    read(decoder.end());
    if (line !== '') end();
  });
}

/** Tabs indent, and do no more than that. */
function showLine(line: string): string {
  return line.split('\t').map(showText).join('\t');
}
