/** A real gate process in front of a real server process, spoken to in raw lines as an attacker would. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { vi } from 'vitest';
import type { Card } from '../../src/gate/approvals/card.ts';
import { PLIMSOLL, receiptsIn, run } from '../gate/gate-process.ts';
import type { AttackedLedger } from './attacked-ledger.ts';

interface Question {
  readonly id: string;
  readonly display: string;
  readonly card: Card;
}

type Message = Readonly<Record<string, unknown>>;

interface AttackedGateOptions {
  readonly tools: readonly object[];
  /** The text of the policy; the default one, which does not hold calls, unless given. */
  readonly policy?: string;
  /** Flags of `plimsoll gate` beside `--ledger` and `--policy`. */
  readonly flags?: readonly string[];
  readonly ledger?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The working directory of the gate; the attack's own folder unless given. */
  readonly cwd?: string;
  /** Instead of the server that only records. */
  readonly server?: readonly string[];
  /** Instead of `plimsoll gate …`: the entry of a host's configuration, started as the host starts it. */
  readonly entry?: HostEntry;
  readonly capabilities?: object;
}

export interface HostEntry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const NO_HOLD = 'asking:\n  holdSeconds: 0\n';
const VICTIM = resolve('test/attacks/victim-server.ts');

let openLedger: (() => Promise<AttackedLedger>) | undefined;

/** From now on each gate that names no ledger has one of these, instead of a file in its folder. */
export function useLedgers(open: () => Promise<AttackedLedger>): void {
  openLedger = open;
}

export class AttackedGate implements AsyncDisposable {
  readonly folder: string;
  readonly ledger: string;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<unknown>;
  readonly #heard: Message[] = [];
  #ownLedger: AttackedLedger | undefined;
  #said = '';
  #nextId = 100;

  private constructor(options: AttackedGateOptions) {
    this.folder = mkdtempSync(join(tmpdir(), 'plimsoll-attack-'));
    this.ledger = options.ledger ?? `sqlite:${join(this.folder, 'ledger.sqlite')}`;
    this.setTools(options.tools);
    writeFileSync(this.#file('policy.yaml'), options.policy ?? NO_HOLD);
    const policy = ['--policy', this.#file('policy.yaml')];
    const flags = ['--ledger', this.ledger, ...policy, ...(options.flags ?? [])];
    const victim = [process.execPath, VICTIM, this.#file('tools.json'), this.#file('received')];
    const {
      command,
      args,
      env = {},
    } = options.entry ?? {
      command: PLIMSOLL,
      args: ['gate', ...flags, '--', ...(options.server ?? victim)],
    };
    this.#child = spawn(command, args, {
      cwd: options.cwd ?? this.folder,
      env: { ...process.env, XDG_STATE_HOME: join(this.folder, 'state'), ...options.env, ...env },
    });
    this.#ended = once(this.#child, 'close');
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => (this.#said += text));
    let partial = '';
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (partial + text).split('\n');
      partial = lines.pop() ?? '';
      this.#heard.push(...lines.map((line) => JSON.parse(line) as Message));
    });
  }

  /** Without a handshake. */
  static start(options: AttackedGateOptions): AttackedGate {
    return new AttackedGate(options);
  }

  static async open(options: AttackedGateOptions): Promise<AttackedGate> {
    const own = options.ledger === undefined ? await openLedger?.() : undefined;
    const gate = AttackedGate.start({ ...options, ...(own && { ledger: own.address }) });
    gate.#ownLedger = own;
    const capabilities = options.capabilities ?? {};
    const clientInfo = { name: 'attacker', version: '1' };
    const protocolVersion = '2025-11-25';
    await gate.request('initialize', { protocolVersion, capabilities, clientInfo });
    gate.write('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    return gate;
  }

  /** How long the gate has kept a processor busy, in milliseconds, whatever else runs on this machine. */
  get busyMs(): number {
    const fields = readFileSync(`/proc/${this.#child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ');
    return (Number(fields?.[11]) + Number(fields?.[12])) * 10; // user and system, in ticks of 10 ms
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Everything that the gate wrote to standard error. */
  get said(): string {
    return this.#said;
  }

  /** Every message from the gate, in order. */
  get heard(): readonly Message[] {
    return this.#heard;
  }

  /** From now on nobody reads what the gate writes to standard error. */
  stopReadingErrors(): void {
    this.#child.stderr.destroy();
  }

  /** The tool list that the server gives from now on. */
  setTools(tools: readonly object[]): void {
    writeFileSync(this.#file('tools.json'), JSON.stringify(tools));
  }

  write(line: string): void {
    this.#child.stdin.write(`${line}\n`);
  }

  async request(method: string, params: object): Promise<Message> {
    const id = (this.#nextId += 1);
    this.write(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return this.answerTo(id);
  }

  call(name: string, args: object): Promise<Message> {
    return this.request('tools/call', { name, arguments: args });
  }

  async answerTo(id: unknown): Promise<Message> {
    const find = (): Message | undefined =>
      this.#heard.find((message) => message['id'] === id && message['method'] === undefined);
    await vi.waitUntil(() => find() !== undefined || this.#child.exitCode !== null, {
      timeout: 20_000,
    });
    const answer = find();
    if (answer === undefined) throw new Error(`the gate ended: ${this.#said}`);
    return answer;
  }

  /** The lines that reached the server. */
  received(): readonly string[] {
    const file = this.#file('received');
    if (!existsSync(file)) return [];
    return readFileSync(file, 'utf8').split('\n').filter(Boolean);
  }

  /** The names of the tools that the server was made to run. */
  ran(): readonly string[] {
    const messages = this.received().map((line) => JSON.parse(line) as Message);
    return messages
      .filter(({ method }) => method === 'tools/call')
      .map(({ params }) => String((params as Message)['name']));
  }

  /** The questions that wait for a person, as `plimsoll approve --list --json` gives them. */
  async questions(): Promise<readonly Question[]> {
    const list = ['approve', '--list', '--json', '--ledger', this.ledger];
    return JSON.parse((await run(PLIMSOLL, list)).stdout) as readonly Question[];
  }

  /** The environment that the server was started with. */
  serverEnvironment(): Readonly<Record<string, string>> {
    const text = readFileSync(`${this.#file('received')}.env`, 'utf8');
    return JSON.parse(text) as Record<string, string>;
  }

  receipts(): ReturnType<typeof receiptsIn> {
    return receiptsIn(this.ledger);
  }

  /** Ends the gate as a host does. */
  async close(): Promise<void> {
    this.#child.stdin.end();
    await this.#ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
    rmSync(this.folder, { recursive: true });
    await this.#ownLedger?.[Symbol.asyncDispose]();
  }

  #file(name: string): string {
    return join(this.folder, name);
  }
}
