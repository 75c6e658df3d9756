/** The real gate behind the real downstream, in one process: a client's end to write to and a server that records. */
import { PassThrough } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { Approval } from '../../src/gate/approvals/approval.ts';
import type { Answer } from '../../src/gate/approvals/approval-machine.ts';
import type { PolicyInit } from '../../src/gate/policy/to-policy.ts';
import { toPolicy } from '../../src/gate/policy/to-policy.ts';
import type { GateServices } from '../../src/gate/gate-services.ts';
import { openGate } from '../../src/gate/call/open-gate.ts';
import type { ServerConfig } from '../../src/gate/config/gate-config.ts';
import { openServices, toContext } from '../../src/gate/open-services.ts';
import { openPins } from '../../src/gate/tools/pins.ts';
import type { JsonObject } from '../../src/gate/protocol/frame.ts';
import { openStdioDownstream } from '../../src/gate/downstream/stdio.ts';
import { openEither } from '../../src/gate/protocol/eras/open-either.ts';
import { META } from '../../src/gate/protocol/envelope.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import type { Receipt } from '../../src/ledger/receipt.ts';
import type { ServerScript } from './recording-server.ts';
import { RecordingServer } from './recording-server.ts';

export interface GateFixtureOptions extends ServerScript {
  /** On top of: nobody waits for an answer. */
  readonly policy?: PolicyInit;
  readonly era?: 'modern' | 'legacy';
  /** What the client says it can show. */
  readonly canElicit?: boolean;
  readonly mode?: 'sandbox' | 'live';
  readonly trusted?: boolean;
  readonly now?: () => number;
  /** The page of a question. Default: no console. */
  readonly approvalUrl?: GateServices['approvalUrl'];
  /** The file of the pins. */
  readonly lock?: string;
  /** Default: one in memory. */
  readonly ledger?: string;
  /** Where the server is. Default: nobody knows. */
  readonly config?: ServerConfig;
}

const PATIENCE_MS = 10_000;

export class GateFixture {
  readonly server: RecordingServer;
  readonly services: GateServices;
  /** Everything that came out at the client's end, as text, oldest first. */
  readonly lines: string[] = [];
  /** What the gate reported to whoever runs it. */
  readonly reports: string[];
  readonly #era: 'modern' | 'legacy';
  readonly #capabilities: JsonObject;
  readonly #input = new PassThrough();
  readonly #end: () => Promise<void>;
  #serial = 0;

  private constructor(
    services: GateServices,
    reports: string[],
    {
      era = 'legacy',
      canElicit = false,
      mode,
      trusted,
      lock,
      config,
      ...script
    }: GateFixtureOptions,
  ) {
    this.services = services;
    this.reports = reports;
    this.server = new RecordingServer(script);
    this.#era = era;
    this.#capabilities = canElicit ? { elicitation: {} } : {};
    const context = toContext(
      services,
      {
        server: 'shop',
        ...(mode !== undefined && { mode }),
        ...(trusted !== undefined && { trusted }),
        ...(lock !== undefined && { pins: openPins(lock) }),
      },
      config,
    );
    const output = new PassThrough();
    let partial = '';
    output.on('data', (chunk: Buffer) => {
      const parts = (partial + chunk.toString('utf8')).split('\n');
      partial = parts.pop() ?? '';
      this.lines.push(...parts);
    });
    const principal = { id: 'agent', scopes: [] };
    const clientInfo = { name: 'plimsoll', version: '1' };
    const reached = script.isOld ? openEither(this.server, { clientInfo }) : this.server;
    const downstream = openStdioDownstream(openGate(reached, context), {
      input: this.#input,
      output,
      principal,
    });
    let ended: Promise<void> | undefined;
    this.#end = async () => {
      ended ??= Promise.resolve(downstream[Symbol.asyncDispose]());
      await ended;
    };
  }

  static async open(options: GateFixtureOptions): Promise<GateFixture> {
    const reports: string[] = [];
    const ledger = await openLedger(options.ledger ?? 'sqlite::memory:');
    const { asking, ...policy } = options.policy ?? {};
    const services = openServices({
      ledger,
      policy: toPolicy({
        ...policy,
        asking: { holdSeconds: 0, ...asking },
      }),
      ...(options.approvalUrl !== undefined && { approvalUrl: options.approvalUrl }),
      report: (message) => reports.push(message),
      ...(options.now !== undefined && { now: options.now }),
    });
    const fixture = new GateFixture(services, reports, options);
    if (fixture.#era === 'legacy') await fixture.initialize();
    return fixture;
  }

  async initialize(): Promise<void> {
    await this.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: this.#capabilities,
      clientInfo: { name: 'test', version: '1' },
    });
    this.write('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  }

  get messages(): readonly JsonObject[] {
    return this.lines.map((line) => JSON.parse(line) as JsonObject);
  }

  /** One line, as it is. */
  write(line: string | Buffer): void {
    this.#input.write(Buffer.concat([Buffer.from(line), Buffer.from('\n')]));
  }

  newId(): number {
    this.#serial += 1;
    return this.#serial;
  }

  async request(method: string, params: JsonObject = {}): Promise<JsonObject> {
    const id = this.newId();
    this.write(JSON.stringify({ jsonrpc: '2.0', id, method, params: this.#withMeta(params) }));
    return this.answerTo(id);
  }

  call(name: string, args: JsonObject = {}, more: JsonObject = {}): Promise<JsonObject> {
    return this.request('tools/call', { name, arguments: args, ...more });
  }

  answerTo(id: number | string): Promise<JsonObject> {
    return this.find((message) => message['id'] === id && message['method'] === undefined);
  }

  /** Waits for a message to the client. */
  async find(isWanted: (message: JsonObject) => boolean): Promise<JsonObject> {
    for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await wait(2)) {
      const found = this.messages.findLast(isWanted);
      if (found !== undefined) return found;
    }
    throw new Error(`nothing of the kind among: ${this.lines.join('\n')}`);
  }

  /** A person answers the one question that waits. */
  async answer(kind: Answer['kind'] = 'approve', more: Partial<Answer> = {}): Promise<Approval> {
    const [question, ...others] = await this.services.approvals.listPending();
    if (question === undefined || others.length > 0) throw new Error('not one question waits');
    const { id, display } = question;
    const given: Answer = { kind, approver: 'mia', channel: 'terminal', display, ...more };
    const answered = await this.services.approvals.answer(id, given);
    if (answered.kind === 'refused') throw new Error(answered.detail);
    return answered.approval;
  }

  /** Those of calls; the answers of people are records of the same log. */
  async receipts(): Promise<readonly Receipt[]> {
    await this.services.ledger.flush();
    const rows = await this.services.ledger.store.transaction((tx) =>
      tx.list('receipts', { orderBy: 'seq', limit: 1000 }),
    );
    const records = rows.map(({ body }) => JSON.parse(body) as Receipt);
    return records.filter(({ request }) => request !== 'answer');
  }

  /** Ends the gate as its process would; `meanwhile` happens while its calls are let end. */
  async stop(
    meanwhile: () => void,
  ): Promise<{ readonly receipts: readonly Receipt[]; readonly ms: number }> {
    const startedAt = Date.now();
    const ended = this.#end();
    await wait(50);
    meanwhile();
    await ended;
    return { receipts: await this.receipts(), ms: Date.now() - startedAt };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end();
    await this.services.ledger[Symbol.asyncDispose]();
  }

  #withMeta(params: JsonObject): JsonObject {
    if (this.#era === 'legacy') return params;
    const given = params['_meta'] as JsonObject | undefined; // only tests write it
    const _meta = {
      [META.version]: '2026-07-28',
      [META.client]: { name: 'test', version: '1' },
      [META.capabilities]: this.#capabilities,
      ...given,
    };
    return { ...params, _meta };
  }
}
