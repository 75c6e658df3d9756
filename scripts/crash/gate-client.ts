/**
 * A client that has a gate of its own as a process, over standard input and output, and starts a new one
 * whenever the last was killed. Kills the gate or its server itself, at a moment that was drawn beforehand.
 */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Chance } from '../fuzz/chance.ts';

export interface GateSetting {
  /** Where everything of the run is kept. */
  readonly folder: string;
  readonly ledger: string;
  readonly env: Readonly<Record<string, string>>;
}

/** What came back for one request. */
export interface Answer {
  readonly at: number;
  readonly life: GateLife;
  /** `success`, or the code of the problem. */
  readonly code: string;
  readonly replayed: boolean;
  /** The key record that a problem names. */
  readonly reference?: string;
  readonly text: string;
}

/** One gate process, from its start to its end. */
export interface GateLife {
  /** When it began to answer. */
  upSince: number | undefined;
  killedAt: number | undefined;
}

export const PRINCIPAL = 'crash';
export const SERVER = 'orders';

export const MAIN: string = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const ORDER_SERVER = fileURLToPath(new URL('order-server.ts', import.meta.url));
export const NODE_FLAGS: readonly string[] = [
  '--conditions=plimsoll-source',
  '--disable-warning=ExperimentalWarning',
];
const START_MS = 90_000;

interface Life extends GateLife {
  /** Where its server writes its number; another for each life, so that nobody else is ever killed. */
  readonly pidFile: string;
  readonly child: ChildProcessWithoutNullStreams;
  readonly waiting: Map<number, (answer: Answer | undefined) => void>;
  readonly up: Promise<boolean>;
  isOver: boolean;
  /** Kills when this many calls were sent. */
  callsToKill: number;
}

export interface Killing {
  readonly chance: Chance;
  /** Whether another kill is wanted; counts it if so. */
  readonly take: () => boolean;
}

export class GateClient implements AsyncDisposable {
  readonly #setting: GateSetting;
  readonly #killing: Killing | undefined;
  readonly #name: string;
  #life: Life | undefined;
  #nextId = 1;
  #lives = 0;
  #isClosing = false;
  #fault: Error | undefined;

  constructor(setting: GateSetting, name: string, killing?: Killing) {
    this.#setting = setting;
    this.#killing = killing;
    this.#name = name;
  }

  /** The gate that is up, started if need be; `undefined` when it was killed while starting. */
  async life(): Promise<GateLife | undefined> {
    if (this.#fault !== undefined) throw this.#fault;
    const life = (this.#life ??= this.#start());
    return (await life.up) ? life : undefined;
  }

  /** `undefined` when the gate ended, or the time was over, before there was an answer. */
  async call(name: string, args: object, withinMs: number): Promise<Answer | undefined> {
    const life = this.#life;
    if (life === undefined || life.isOver) return undefined;
    const answer = this.#request(life, 'tools/call', { name, arguments: args }, withinMs);
    life.callsToKill -= 1;
    if (life.callsToKill === 0) this.#planKill(life);
    return answer;
  }

  /** Kills the gate, and its server too if wanted, without warning. */
  kill(...victims: readonly ('gate' | 'server')[]): void {
    const life = this.#life;
    if (life === undefined || life.isOver) return;
    if (victims.includes('server')) killServer(life);
    if (!victims.includes('gate')) return;
    life.killedAt = Date.now();
    life.child.kill('SIGKILL');
    this.#over(life);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const life = this.#life;
    this.#isClosing = true;
    if (life !== undefined && !life.isOver) {
      const ended = once(life.child, 'exit');
      life.child.stdin.end();
      await ended;
    }
  }

  #start(): Life {
    const { folder, ledger, env } = this.#setting;
    const gate = [MAIN, 'gate', '--ledger', ledger, '--policy', join(folder, 'policy.yaml')];
    const about = ['--name', SERVER, '--as', PRINCIPAL, '--trusted', '--mode', 'sandbox'];
    const pidFile = join(folder, `server-${this.#name}-${(this.#lives += 1)}.pid`);
    const server = [process.execPath, ORDER_SERVER, join(folder, 'effects.sqlite'), pidFile];
    const child = spawn(process.execPath, [...NODE_FLAGS, ...gate, ...about, '--', ...server], {
      cwd: folder,
      env: { ...process.env, ...env },
    });
    child.stdin.on('error', () => {}); // its end is told by `exit`
    let said = '';
    child.stderr
      .setEncoding('utf8')
      .on('data', (text: string) => (said = (said + text).slice(-1000)));
    const { promise: up, resolve } = Promise.withResolvers<boolean>();
    const life: Life = {
      pidFile,
      child,
      waiting: new Map(),
      up,
      upSince: undefined,
      killedAt: undefined,
      isOver: false,
      callsToKill: 0,
    };
    child.once('exit', () => {
      const isKilled = life.killedAt !== undefined || this.#isClosing;
      this.#over(life);
      if (!isKilled) this.#fault = new Error(`the gate ended by itself: ${said}`);
      resolve(false);
    });
    createInterface({ input: child.stdout }).on('line', (line) => take(life, line));
    void this.#shakeHands(life).then(resolve);
    this.#drawKill(life);
    return life;
  }

  async #shakeHands(life: Life): Promise<boolean> {
    const clientInfo = { name: 'crash-run', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    const answer = await this.#request(life, 'initialize', params, START_MS);
    if (life.isOver) return false;
    if (answer?.code !== 'success') throw new Error(`the gate did not start: ${answer?.text}`);
    send(life, { method: 'notifications/initialized' });
    life.upSince = Date.now();
    return true;
  }

  /** One in ten is killed while it starts, the rest after a few calls. */
  #drawKill(life: Life): void {
    const { chance } = this.#killing ?? {};
    if (chance === undefined) return;
    if (!chance.oneIn(10)) life.callsToKill = 1 + chance.below(8);
    else setTimeout(() => this.#killDrawn(life, ['gate']), chance.below(1500));
  }

  #planKill(life: Life): void {
    const { chance } = this.#killing ?? {};
    if (chance === undefined) return;
    const [first = 'gate', ...more] = chance.pick(VICTIMS);
    // Short waits meet the ledger's transactions, longer ones the server's work.
    const ms = chance.oneIn(2) ? chance.below(15) : chance.below(120);
    setTimeout(() => this.#killDrawn(life, [first, ...more]), ms);
  }

  #killDrawn(life: Life, victims: readonly ('gate' | 'server')[]): void {
    if (life.isOver || life !== this.#life || this.#killing?.take() !== true) return;
    this.kill(...victims);
    if (!life.isOver) life.callsToKill = 1 + this.#killing.chance.below(8);
  }

  #over(life: Life): void {
    life.isOver = true;
    if (this.#life === life) this.#life = undefined;
    for (const settle of life.waiting.values()) settle(undefined);
    life.waiting.clear();
  }

  async #request(
    life: Life,
    method: string,
    params: object,
    withinMs: number,
  ): Promise<Answer | undefined> {
    const id = this.#nextId++;
    const { promise, resolve } = Promise.withResolvers<Answer | undefined>();
    const timer = setTimeout(() => resolve(undefined), withinMs);
    life.waiting.set(id, resolve);
    send(life, { id, method, params });
    const answer = await promise;
    clearTimeout(timer);
    life.waiting.delete(id);
    return answer;
  }
}

/** Mostly the gate, sometimes the server, sometimes both at once. */
const VICTIMS = [
  ['gate'],
  ['gate'],
  ['gate'],
  ['gate'],
  ['server'],
  ['server', 'gate'],
] as const satisfies readonly (readonly ('gate' | 'server')[])[];

function killServer({ pidFile }: Life): void {
  try {
    const pid = Number(readFileSync(pidFile, 'utf8'));
    rmSync(pidFile);
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has not started yet, or is gone already.
  }
}

function send({ child }: Life, message: object): void {
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

interface Message {
  readonly id?: number;
  readonly result?: {
    readonly isError?: boolean;
    readonly content?: readonly { readonly text?: string }[];
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
  readonly error?: { readonly message: string; readonly data?: Problem };
}

interface Problem {
  readonly code?: string;
  readonly reference?: string;
}

function take(life: Life, line: string): void {
  const { id, result, error } = JSON.parse(line) as Message;
  const settle = id === undefined ? undefined : life.waiting.get(id);
  if (settle === undefined) return;
  const problem = error?.data ?? (result?._meta?.['dev.plimsoll/problem'] as Problem | undefined);
  const isFailure = error !== undefined || result?.isError === true;
  const { code = 'no-code', reference } = problem ?? {};
  settle({
    at: Date.now(),
    life,
    code: isFailure ? code : 'success',
    replayed: result?._meta?.['dev.plimsoll/replayed'] === true,
    ...(reference !== undefined && { reference }),
    text: error?.message ?? result?.content?.[0]?.text ?? '',
  });
}
