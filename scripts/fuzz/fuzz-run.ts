/**
 * Drives hostile clients and servers against the real gate, over standard input and output in memory and
 * over real HTTP, and hostile visitors against the real console. Counts what must never happen. Everything follows from the seed, except the ids that the gate draws.
 */
import { Readable, Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { toPolicy } from '../../src/gate/policy/to-policy.ts';
import type { GateServices } from '../../src/gate/gate-services.ts';
import { openGate } from '../../src/gate/call/open-gate.ts';
import { openServices, toContext } from '../../src/gate/open-services.ts';
import type { Channel } from '../../src/gate/protocol/channel.ts';
import { isId } from '../../src/gate/protocol/frame.ts';
import { openStdioDownstream } from '../../src/gate/downstream/stdio.ts';
import type { OpenLedger } from '../../src/ledger/open-ledger.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { Chance } from './chance.ts';
import { toClientLine } from './client-lines.ts';
import { fuzzConsole } from './console-session.ts';
import { fuzzHttp } from './http-session.ts';
import type { Seen } from './client-messages.ts';
import { HostileServer, OWN_QUESTION } from './hostile-server.ts';

export const TARGETS = ['stdio', 'http', 'console'] as const;

export type Target = (typeof TARGETS)[number];

export interface FuzzOptions {
  readonly count: number;
  /** Sessions take turns among them. */
  readonly targets: readonly Target[];
  readonly seed: number;
  readonly progress: (messages: number) => void;
  /** The first few of each kind, with how to reproduce them. */
  readonly report: (what: string) => void;
}

export interface FuzzResult {
  readonly messages: number;
  /** Messages that reached a gate as calls. */
  readonly calls: number;
  readonly uncaught: number;
  readonly wrongAllows: number;
  /** Calls with no receipt, or receipts without a call. */
  readonly unrecorded: number;
  /** Turns of the event loop that took more than a second. */
  readonly stalls: number;
}

const SESSION = 400;
/** Over real sockets every message takes longer. */
const HTTP_SESSION = 160;
const LEDGER_SESSIONS = 100;
const TURN_EVERY = 16;
const STALL_MS = 1000;
const BEAT_MS = 50;
const SHOWN = 5;
const NEWLINE = Buffer.from('\n');

/** The host may ask in one kind of session; in the other no answer of a client counts. */
const POLICIES = [['terminal'], ['elicitation', 'terminal']].map((channels) =>
  toPolicy({
    asking: { holdSeconds: 0, channels: channels as ('elicitation' | 'terminal')[] },
    retries: { attempts: 2, baseMs: 0, capMs: 0 },
  }),
);

export async function fuzzRun(options: FuzzOptions): Promise<FuzzResult> {
  const run = new FuzzRun(options);
  return run.go();
}

class FuzzRun {
  readonly #options: FuzzOptions;
  #messages = 0;
  #uncaught = 0;
  #wrongAllows = 0;
  #calls = 0;
  #allCalls = 0;
  #unrecorded = 0;
  #stalls = 0;
  readonly #reasons = new Map<string, number>();

  constructor(options: FuzzOptions) {
    this.#options = options;
  }

  async go(): Promise<FuzzResult> {
    const thrown = (error: unknown): void => this.#threw('uncaught', error);
    process.on('uncaughtException', thrown).on('unhandledRejection', thrown);
    let ledger: OpenLedger | undefined;
    for (let session = 0; this.#messages < this.#options.count; session += 1) {
      if (session % LEDGER_SESSIONS === 0) {
        if (ledger !== undefined) await this.#countReceipts(ledger);
        await ledger?.[Symbol.asyncDispose]();
        ledger = await openLedger('sqlite::memory:');
      }
      if (ledger !== undefined) await this.#turn(session, ledger);
      this.#options.progress(this.#messages);
    }
    if (ledger !== undefined) await this.#countReceipts(ledger);
    await ledger?.[Symbol.asyncDispose]();
    process.off('uncaughtException', thrown).off('unhandledRejection', thrown);
    for (const [why, times] of this.#reasons) this.#options.report(`${times} times: ${why}`);
    const [messages, uncaught] = [this.#messages, this.#uncaught];
    return {
      messages,
      calls: this.#allCalls,
      uncaught,
      wrongAllows: this.#wrongAllows,
      unrecorded: this.#unrecorded,
      stalls: this.#stalls,
    };
  }

  async #turn(session: number, ledger: OpenLedger): Promise<void> {
    const { seed, count, targets } = this.#options;
    const chance = new Chance(Math.imul(seed, 1_000_003) + session);
    const target = targets[session % targets.length];
    const common = {
      chance,
      messages: Math.min(HTTP_SESSION, count - this.#messages),
      wrong: (bytes: Uint8Array, why: string) => this.#wrong(session, bytes, why),
      threw: (where: string, error: unknown) => this.#threw(`session ${session}, ${where}`, error),
      sent: () => {
        this.#messages += 1;
      },
    };
    if (target === 'console') await fuzzConsole(common);
    else if (target === 'http') {
      const services = this.#services(chance, ledger);
      const context = toContext(services, { server: 'fuzz' });
      const open = (server: HostileServer): Channel => this.#counted(openGate(server, context));
      await this.#timed(session, () => fuzzHttp({ ...common, open }));
      await services.recorder.flush();
    } else await this.#session(session, chance, ledger);
  }

  /** A session over HTTP may take its time, but no turn of the loop may. */
  async #timed(session: number, work: () => Promise<void>): Promise<void> {
    let last = performance.now();
    const beat = setInterval(() => {
      const now = performance.now();
      if (now - last > STALL_MS) {
        this.#stalls += 1;
        this.#options.report(`stall: session ${session}, ${Math.round(now - last)} ms`);
      }
      last = now;
    }, BEAT_MS);
    await work();
    clearInterval(beat);
  }

  #services(chance: Chance, ledger: OpenLedger): GateServices {
    const policy = chance.pick(POLICIES);
    return openServices({ ledger, policy, report: (_, cause) => this.#reported(cause) });
  }

  async #session(session: number, chance: Chance, ledger: OpenLedger): Promise<void> {
    const { count } = this.#options;
    const services = this.#services(chance, ledger);
    const server = new HostileServer(chance, (bytes, why) => this.#wrong(session, bytes, why));
    const seen: Seen = { states: [], ids: [], isModern: chance.oneIn(2) };
    const input = new Readable({ read: () => {} });
    const output = new Writable({
      write: (chunk: Buffer, _, done) => {
        this.#hear(chunk, seen, input);
        done();
      },
    });
    const gate = this.#counted(openGate(server, toContext(services, { server: 'fuzz' })));
    const downstream = openStdioDownstream(gate, {
      input,
      output,
      principal: { id: 'f', scopes: [] },
    });
    for (let sent = 0; sent < SESSION && this.#messages < count; sent += 1) {
      const line = toClientLine(chance, seen);
      this.#messages += 1;
      const started = performance.now();
      try {
        feed(input, line, chance);
        server.turn();
      } catch (error) {
        this.#threw(`session ${session}, ${line.toString('latin1').slice(0, 300)}`, error);
      }
      if (sent % TURN_EVERY === 0) await turn();
      if (performance.now() - started > STALL_MS) {
        this.#stalls += 1;
        this.#options.report(`stall: session ${session}, ${line.toString('latin1').slice(0, 300)}`);
      }
    }
    // What is still in flight must not wait for the next session's server.
    await turn();
    server.turn();
    await turn();
    const ended = downstream[Symbol.asyncDispose]();
    await turn();
    server.settle();
    await ended;
  }

  #counted(gate: Channel): Channel {
    return {
      listen: (listener) => gate.listen(listener),
      send: (frame) => {
        if (frame.message.method === 'tools/call' && isId(frame.message.id)) this.#calls += 1;
        gate.send(frame);
      },
      [Symbol.asyncDispose]: () => gate[Symbol.asyncDispose](),
    };
  }

  /** Every call that had an id has one receipt, whatever happened to it. */
  async #countReceipts(ledger: OpenLedger): Promise<void> {
    await ledger.flush();
    const [row] = await ledger.store.transaction((tx) =>
      tx.execute('SELECT count(*) AS kept FROM receipts WHERE body NOT LIKE \'%"request":"%\''),
    );
    this.#unrecorded += Math.abs(this.#calls - Number(row?.['kept']));
    this.#allCalls += this.#calls;
    this.#calls = 0;
  }

  /** A cooperative host: it accepts the server's questions and ignores those of the gate. */
  #hear(chunk: Buffer, seen: Seen, input: Readable): void {
    const text = chunk.toString('utf8');
    if (!text.includes('elicitation/create') && !text.includes('"requestState"')) return;
    for (const line of text.split('\n')) {
      const state = /"requestState":"(pls1[^"]+)"/.exec(line)?.[1];
      if (state !== undefined) seen.states = [...seen.states, state].slice(-5);
      const id = /"id":"(plimsoll-[^"]+)"/.exec(line)?.[1];
      if (id === undefined || !line.includes('elicitation/create')) continue;
      seen.ids = [...seen.ids, id].slice(-5);
      if (!line.includes(OWN_QUESTION)) continue;
      const result = { action: 'accept', content: { decision: 'approve once' } };
      const answer = Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
      setImmediate(() => input.emit('data', answer));
    }
  }

  #wrong(session: number, bytes: Uint8Array, why: string): void {
    this.#wrongAllows += 1;
    const before = this.#reasons.get(why) ?? 0;
    this.#reasons.set(why, before + 1);
    if (before >= SHOWN) return;
    const shown = JSON.stringify(Buffer.from(bytes).toString('utf8').slice(0, 500));
    this.#options.report(`wrong allow: session ${session}, ${why}: ${shown}`);
  }

  #threw(where: string, error: unknown): void {
    this.#uncaught += 1;
    if (this.#uncaught > SHOWN) return;
    this.#options.report(`uncaught: ${where}: ${stackOf(error)}`);
  }

  /** The gate caught it, but it should not have happened. */
  #reported(cause: unknown): void {
    if (cause instanceof TypeError || cause instanceof RangeError) this.#threw('reported', cause);
  }
}

/** In one piece or two, with either line end. */
function feed(input: Readable, line: Buffer, chance: Chance): void {
  const end = chance.oneIn(20) ? Buffer.from('\r\n') : NEWLINE;
  if (!chance.oneIn(10)) {
    input.emit('data', Buffer.concat([line, end]));
    return;
  }
  const at = chance.below(line.length + 1);
  input.emit('data', line.subarray(0, at));
  input.emit('data', Buffer.concat([line.subarray(at), end]));
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
