/** A real console over real HTTP, and somebody at its door who may say anything in their headers. */
import { request } from 'node:http';
import type { ConsoleServices } from '../../src/console/console-services.ts';
import type { Console, ConsoleOptions } from '../../src/console/open-console.ts';
import { openConsole } from '../../src/console/open-console.ts';
import type { Approval, Question } from '../../src/gate/approvals/approval.ts';
import { openApprovals } from '../../src/gate/approvals/approvals.ts';
import { DEFAULT_POLICY } from '../../src/gate/policy/policy.ts';
import { openBudgets } from '../../src/gate/call/budgets.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { toTestQuestion } from '../gate/approval-fixture.ts';

export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface DoorInit extends ConsoleOptions {
  readonly address?: string;
  readonly services?: Partial<ConsoleServices>;
}

export class ConsoleDoor implements AsyncDisposable {
  readonly console: Console;
  readonly services: ConsoleServices;
  /** What the console reported. */
  readonly reports: string[];
  /** Set by `enter`. */
  cookie = '';
  csrf = '';

  private constructor(console: Console, services: ConsoleServices, reports: string[]) {
    this.console = console;
    this.services = services;
    this.reports = reports;
  }

  static async open(init: DoorInit = {}): Promise<ConsoleDoor> {
    const { address = 'sqlite::memory:', services: changed, ...options } = init;
    const ledger = await openLedger(address);
    const reports: string[] = [];
    const services: ConsoleServices = {
      ledger,
      approvals: openApprovals(ledger.store),
      budgets: openBudgets(ledger.store),
      policy: DEFAULT_POLICY,
      servers: () => [],
      now: Date.now,
      report: (message, cause) => reports.push(`${message} ${String(cause)}`),
      ...changed,
    };
    const opened = await openConsole(services, { who: 'mia', ...options });
    return new ConsoleDoor(opened, services, reports);
  }

  /** Already signed in. */
  static async entered(init: DoorInit = {}): Promise<ConsoleDoor> {
    const door = await ConsoleDoor.open(init);
    await door.enter();
    return door;
  }

  get origin(): string {
    return this.console.url;
  }

  get token(): string {
    return new URL(this.console.link).searchParams.get('token') ?? '';
  }

  async enter(token: string = this.token): Promise<Reply> {
    const reply = await this.post('/enter', { token });
    this.cookie = String(reply.headers['set-cookie']?.[0]).split(';')[0] ?? '';
    const session = await this.get('/api/session');
    if (session.status === 200) this.csrf = (JSON.parse(session.text) as { csrf: string }).csrf;
    return reply;
  }

  /** Exactly these headers, which a browser or a program might not let one say, and the console's host. */
  send(path: string, { method = 'GET', headers = {}, body = '' }: Sent = {}): Promise<Reply> {
    const url = new URL(path, `http://127.0.0.1:${this.console.port}`);
    return new Promise((resolve, reject) => {
      const { host } = new URL(this.origin);
      const sent = request(url, { method, headers: { host, ...headers } }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, text, headers: response.headers });
        });
      });
      sent.on('error', reject).end(body);
    });
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
    return this.send(path, { headers: { cookie: this.cookie, ...headers } });
  }

  page(path: string): Promise<Reply> {
    return this.get(path, { accept: 'text/html', 'sec-fetch-site': 'none' });
  }

  /** As a form of the console's own pages does it. */
  post(path: string, fields: Readonly<Record<string, string>>): Promise<Reply> {
    return this.send(path, {
      method: 'POST',
      headers: {
        accept: 'text/html',
        cookie: this.cookie,
        origin: this.origin,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ csrf: this.csrf, ...fields }).toString(),
    });
  }

  /** As a script of the console's own pages would do it. */
  postJson(path: string, body: unknown): Promise<Reply> {
    return this.send(path, {
      method: 'POST',
      headers: {
        cookie: this.cookie,
        origin: this.origin,
        'content-type': 'application/json',
        'x-plimsoll-csrf': this.csrf,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }

  ask(question: Question = toTestQuestion()): Promise<Approval> {
    return this.services.approvals.request(question);
  }

  async stateOf({ id }: Approval): Promise<string | undefined> {
    return (await this.services.approvals.find(id))?.state;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.console[Symbol.asyncDispose]();
    await this.services.ledger[Symbol.asyncDispose]();
  }
}
