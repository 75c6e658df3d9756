/**
 * A client that has a gate of its own as a process, over standard input and output, and starts a new one
 * whenever the last has ended. Kills or freezes the gate or its server itself, or lets their ledger fail, at a
 * moment that was drawn beforehand.
 */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { setTimeout as wait } from 'node:timers/promises';
import type { Chance } from '../fuzz/chance.ts';
import type { Disturbances } from './disturbances.ts';
import type { FaultName, LedgerFault } from './fault.ts';
import type { ReadAnswer } from './read-answer.ts';
import { readAnswer } from './read-answer.ts';

export interface GateSetting {
  /** Where everything of the run is kept. */
  readonly folder: string;
  readonly ledger: string;
  readonly env: Readonly<Record<string, string>>;
  readonly disturbances: Disturbances;
}

/** What came back for one request, and when. */
export interface Answer extends ReadAnswer {
  readonly at: number;
  readonly life: GateLife;
}

/** One gate process, from its start to its end. */
export interface GateLife {
  /** When it began to answer. */
  upSince: number | undefined;
  killedAt: number | undefined;
}

export const PRINCIPAL = 'crash';
export const SERVER = 'orders';

export const MAIN: string = fileURLToPath(new URL('../../src/cli/bin.ts', import.meta.url));
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
  readonly startedAt: number;
  isOver: boolean;
  /** The next fault comes when this many calls were sent. */
  callsToFault: number;
}

export interface Faulting {
  readonly chance: Chance;
  /** The next fault, counted; `undefined` when there were enough. */
  readonly take: () => FaultName | undefined;
  readonly inject: (fault: LedgerFault) => void;
}

export class GateClient implements AsyncDisposable {
  readonly #setting: GateSetting;
  readonly #faulting: Faulting | undefined;
  #life: Life | undefined;
  #nextId = 1;
  #isClosing = false;
  #fault: Error | undefined;

  constructor(setting: GateSetting, faulting?: Faulting) {
    this.#setting = setting;
    this.#faulting = faulting;
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
    life.callsToFault -= 1;
    if (life.callsToFault === 0) this.#planFault(life);
    return answer;
  }

  /** Kills the gate, and its server too if wanted, without warning. */
  kill(...victims: readonly Victim[]): void {
    const life = this.#life;
    if (life === undefined || life.isOver) return;
    if (victims.includes('server')) signalServer(life, 'SIGKILL');
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
    // The same in every life: a server with another command is another one to the ledger.
    const server = [process.execPath, ORDER_SERVER, join(folder, 'effects.sqlite'), folder];
    const child = spawn(process.execPath, [...NODE_FLAGS, ...gate, ...about, '--', ...server], {
      cwd: folder,
      env: { PLIMSOLL_UNATTENDED: '1', ...process.env, ...env },
    });
    child.stdin.on('error', () => {}); // its end is told by `exit`
    let said = '';
    child.stderr
      .setEncoding('utf8')
      .on('data', (text: string) => (said = (said + text).slice(-1000)));
    const { promise: up, resolve } = Promise.withResolvers<boolean>();
    const life: Life = {
      pidFile: join(folder, `server-of-${child.pid}.pid`),
      child,
      waiting: new Map(),
      up,
      upSince: undefined,
      killedAt: undefined,
      startedAt: Date.now(),
      isOver: false,
      callsToFault: 0,
    };
    child.once('exit', () => {
      // Without its ledger a gate does not start; one that is up goes on.
      const isExcused = life.upSince === undefined && this.#isDisturbed(life);
      const isKilled = life.killedAt !== undefined || this.#isClosing || isExcused;
      this.#over(life);
      if (!isKilled) this.#fault = new Error(`the gate ended by itself: ${said}`);
      resolve(false);
    });
    createInterface({ input: child.stdout }).on('line', (line) => take(life, line));
    void this.#shakeHands(life).then(resolve);
    this.#drawFault(life);
    return life;
  }

  async #shakeHands(life: Life): Promise<boolean> {
    const clientInfo = { name: 'crash-run', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    const answer = await this.#request(life, 'initialize', params, START_MS);
    if (life.isOver) return false;
    if (answer?.code !== 'success') {
      if (!this.#isDisturbed(life)) throw new Error(`the gate did not start: ${answer?.text}`);
      this.kill('gate');
      return false;
    }
    send(life, { method: 'notifications/initialized' });
    life.upSince = Date.now();
    return true;
  }

  #isDisturbed({ startedAt }: Life): boolean {
    return this.#setting.disturbances.touches(startedAt, Date.now(), 0);
  }

  /** One in ten faults comes while the gate starts, the rest after a few calls. */
  #drawFault(life: Life): void {
    const { chance } = this.#faulting ?? {};
    if (chance === undefined) return;
    if (!chance.oneIn(10)) life.callsToFault = 1 + chance.below(8);
    else setTimeout(() => this.#injectDrawn(life, ['gate']), chance.below(1500));
  }

  #planFault(life: Life): void {
    const { chance } = this.#faulting ?? {};
    if (chance === undefined) return;
    const victims = chance.pick(VICTIMS);
    // Short waits meet the ledger's transactions, longer ones the server's work.
    const ms = chance.oneIn(2) ? chance.below(15) : chance.below(120);
    setTimeout(() => this.#injectDrawn(life, victims), ms);
  }

  #injectDrawn(life: Life, victims: readonly Victim[]): void {
    if (life.isOver || life !== this.#life || this.#faulting === undefined) return;
    const { chance, inject } = this.#faulting;
    const fault = this.#faulting.take();
    if (fault === undefined) return;
    if (fault === 'kill') this.kill(...victims);
    else if (fault === 'freeze') void this.#freeze(life, victims, 100 + chance.below(4000));
    else inject(fault);
    if (!life.isOver) life.callsToFault = 1 + chance.below(8);
  }

  async #freeze(life: Life, victims: readonly Victim[], ms: number): Promise<void> {
    const signal = (name: 'SIGSTOP' | 'SIGCONT'): void => {
      if (victims.includes('server')) signalServer(life, name);
      if (victims.includes('gate')) life.child.kill(name);
    };
    signal('SIGSTOP');
    await this.#setting.disturbances.during(wait(ms));
    signal('SIGCONT');
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

type Victim = 'gate' | 'server';

/** Mostly the gate, sometimes the server, sometimes both at once. */
const VICTIMS = [
  ['gate'],
  ['gate'],
  ['gate'],
  ['gate'],
  ['server'],
  ['server', 'gate'],
] as const satisfies readonly (readonly Victim[])[];

function signalServer({ pidFile }: Life, signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
  try {
    const pid = Number(readFileSync(pidFile, 'utf8'));
    if (signal === 'SIGKILL') rmSync(pidFile);
    process.kill(pid, signal);
  } catch {
    // It has not started yet, or is gone already.
  }
}

function send({ child }: Life, message: object): void {
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

function take(life: Life, line: string): void {
  const { id, ...answer } = readAnswer(line);
  if (id !== undefined) life.waiting.get(id)?.({ at: Date.now(), life, ...answer });
}
