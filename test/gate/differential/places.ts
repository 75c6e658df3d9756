/** The real processes behind the cells: fixture servers over HTTP, gates, and their ledgers. */
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import type { Receipt } from '../../../src/ledger/receipt.ts';
import { openHttpGate, PLIMSOLL } from '../gate-process.ts';
import type { Cell } from './cells.ts';
import type { Target } from './traced-client.ts';

const FIXTURE = fileURLToPath(import.meta.resolve('./fixture-server.ts'));
// oxlint-disable-next-line unicorn/no-thenable -- a key of the policy; its value is a word
const POLICY = { rules: [{ name: 'all', then: 'allow', repeats: 'allow' }] };

/** A fixture server over HTTP that is started again, at the same address, whenever it stops. */
class HttpFixture {
  readonly url: string;
  readonly #name: string;
  readonly #port: number;
  #child: ChildProcess | undefined;
  #isClosed = false;
  #starts = 0;
  #startsSeen = 0;

  private constructor(name: string, port: number) {
    this.#name = name;
    this.#port = port;
    this.url = `http://127.0.0.1:${port}/mcp`;
  }

  static async open(name: string): Promise<HttpFixture> {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as AddressInfo; // listens on TCP
    await once(probe.close(), 'close');
    const fixture = new HttpFixture(name, port);
    fixture.#start();
    await fixture.restarted();
    return fixture;
  }

  #start(): void {
    this.#starts += 1;
    const args = [FIXTURE, this.#name, String(this.#port)];
    this.#child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    this.#child.once('exit', () => {
      if (!this.#isClosed) this.#start();
    });
  }

  /** Waits until it listens again, after one more start than the last time. */
  async restarted(): Promise<void> {
    for (const until = Date.now() + 10_000; Date.now() < until; await sleep(20)) {
      if (this.#starts === this.#startsSeen) continue;
      const socket = connect(this.#port, '127.0.0.1');
      const isOpen = await Promise.race([
        once(socket, 'connect').then(() => true),
        once(socket, 'close').then(() => false),
      ]).catch(() => false);
      socket.destroy();
      if (!isOpen) continue;
      this.#startsSeen = this.#starts;
      return;
    }
    throw new Error(`${this.#name} does not listen`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    const gone = this.#child && once(this.#child, 'exit');
    this.#child?.kill();
    await gone;
  }
}

type Server =
  | { readonly command: string; readonly args: readonly string[] }
  | { readonly url: string };

/** Where a client connects. */
export interface Place {
  readonly target: Target;
  readonly ledger: string | undefined;
}

export class Places {
  readonly folder: string = mkdtempSync(join(tmpdir(), 'plimsoll-differential-'));
  readonly #fixtures = new Map<string, Promise<HttpFixture>>();
  readonly #gates = new Map<string, Promise<Place>>();
  readonly #open: AsyncDisposable[] = [];
  #serial = 0;

  /** Without the gate: the server over the transport of the client. */
  async direct(down: Cell['down']): Promise<Place> {
    if (down === 'http')
      return { target: { kind: 'http', url: await this.#urlOf('alpha') }, ledger: undefined };
    const target = { kind: 'stdio', command: process.execPath, args: [FIXTURE, 'alpha'] } as const;
    return { target, ledger: undefined };
  }

  /** A gate over HTTP serves every cell that it can; one over standard input and output is its client's. */
  async gated({ down, up, servers, client, era }: Cell): Promise<Place> {
    // Clients of 2026 share a server process, and a gate gives up on one that stops too often.
    const own = up === 'stdio' && era === '2026' ? client : '';
    const key = `${up} ${servers} ${own}`;
    if (down === 'http') {
      const gate = this.#gates.get(key) ?? this.#openHttp(up, servers);
      this.#gates.set(key, gate);
      return gate;
    }
    const { args, ledger } = await this.#gateArgs(up, servers);
    return { target: { kind: 'stdio', command: PLIMSOLL, args: ['gate', ...args] }, ledger };
  }

  /** Servers over HTTP are there again; the others are started by whoever needs them. */
  async recover(transport: Cell['up']): Promise<void> {
    if (transport === 'http') await (await this.#fixtures.get('alpha'))?.restarted();
    // Whoever is connected has to notice.
    await sleep(250);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const each of this.#open.toReversed()) await each[Symbol.asyncDispose]();
    for (const each of this.#fixtures.values()) await (await each)[Symbol.asyncDispose]();
    rmSync(this.folder, { recursive: true });
  }

  async #openHttp(up: Cell['up'], servers: Cell['servers']): Promise<Place> {
    const { args, ledger } = await this.#gateArgs(up, servers);
    const gate = await openHttpGate(args);
    this.#open.push(gate);
    return { target: { kind: 'http', url: gate.url.href }, ledger };
  }

  async #gateArgs(
    up: Cell['up'],
    servers: Cell['servers'],
  ): Promise<{ readonly args: readonly string[]; readonly ledger: string }> {
    this.#serial += 1;
    const ledger = join(this.folder, `ledger-${this.#serial}.sqlite`);
    const stored = ['--ledger', `sqlite:${ledger}`];
    if (servers === 'one') {
      const policy = join(this.folder, 'policy.yaml');
      writeFileSync(policy, stringify(POLICY));
      const server =
        up === 'http'
          ? ['--url', await this.#urlOf('alpha')]
          : ['--', process.execPath, FIXTURE, 'alpha'];
      return { args: [...stored, '--name', 'alpha', '--policy', policy, ...server], ledger };
    }
    const mcpServers: Record<string, Server> = {};
    for (const name of ['alpha', 'beta']) {
      mcpServers[name] =
        up === 'http'
          ? { url: await this.#urlOf(name) }
          : { command: process.execPath, args: [FIXTURE, name] };
    }
    const config = join(this.folder, `gate-${this.#serial}.yaml`);
    writeFileSync(config, stringify({ mcpServers, policy: POLICY }));
    return { args: [...stored, '--config', config], ledger };
  }

  async #urlOf(name: string): Promise<string> {
    const fixture = this.#fixtures.get(name) ?? HttpFixture.open(name);
    this.#fixtures.set(name, fixture);
    return (await fixture).url;
  }
}

/** Of calls; other methods that are recorded do not count. */
export function countReceipts(ledger: string): number {
  const database = new DatabaseSync(ledger, { readOnly: true });
  try {
    const rows = database.prepare('SELECT body FROM receipt_log').all() as { body: string }[]; // the ledger's own
    const records = rows.map(({ body }) => JSON.parse(body) as Receipt);
    return records.filter(({ request }) => request !== 'answer' && request !== 'method').length;
  } finally {
    database.close();
  }
}
