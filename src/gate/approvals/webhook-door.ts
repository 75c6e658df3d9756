/**
 * Asks people by webhook and takes their signed answers, however they come back: in the response, from
 * an address that the response names, or posted to `/approvals/ID`, at the gate's own HTTP address if it
 * has one and otherwise at a listener of its own on this machine.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { nodeHttp } from '../../lib/builtins.ts';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Webhook } from '../policy/policy.ts';
import type { Approval } from './approval.ts';
import type { Answered, Approvals } from './approvals.ts';
import type { WebhookAnswer } from './webhook.ts';
import {
  pollWebhook,
  readWebhookAnswer,
  sendWebhook,
  sendWebhookEnd,
  SIGNATURE_HEADER,
} from './webhook.ts';

export interface WebhookDoorOptions {
  readonly approvals: Approvals;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where the gate serves HTTP; `undefined` when it does not. */
  readonly servedAt: () => string | undefined;
  readonly report: (message: string, cause?: unknown) => void;
}

const PATH = /^\/approvals\/([0-9a-f]{32})$/;
const LARGEST = 64 * 1024;
const REQUEST_MS = 5000;
/** At the end, for what is still to be told. */
const GRACE_MS = 2000;

export class WebhookDoor implements AsyncDisposable {
  readonly #url: string;
  readonly #secret: string;
  readonly #options: WebhookDoorOptions;
  readonly #stopped = new AbortController();
  readonly #underWay = new Set<Promise<void>>();
  #listener: Promise<Server> | undefined;

  constructor({ url, secretEnv }: Webhook, options: WebhookDoorOptions) {
    const secret = options.environment[secretEnv];
    if (secret === undefined || secret === '') {
      throw new TypeError(`the webhook needs its secret in the environment variable ${secretEnv}`);
    }
    this.#url = url;
    this.#secret = secret;
    this.#options = options;
  }

  ask(approval: Approval): void {
    this.#follow(this.#ask(approval));
  }

  /** Tells the receiver that the question was answered elsewhere, expired or was withdrawn. */
  tellEnd(approval: Approval): void {
    this.#follow(this.#tellEnd(approval));
  }

  /** Whether the request was for this door. */
  take(request: IncomingMessage, response: ServerResponse): boolean {
    const [, id] = PATH.exec(request.url ?? '') ?? [];
    if (id === undefined) return false;
    void this.#answer(request, response, id).catch((error: unknown) => {
      this.#options.report('an answer by webhook could not be taken', error);
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
    return true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const over = sleep(GRACE_MS, undefined, { ref: false });
    this.#stopped.abort();
    await Promise.race([Promise.all(this.#underWay), over]);
    const server = await this.#listener?.catch(() => undefined);
    server?.closeAllConnections();
    server?.close();
  }

  async #ask(approval: Approval): Promise<void> {
    const base = this.#options.servedAt() ?? (await this.#listen());
    const answerUrl = base && `${base}/approvals/${approval.id}`;
    const edge = { fetch, now: Date.now() };
    let end = await sendWebhook(this.#url, approval, this.#secret, edge, answerUrl);
    while (end.kind === 'later') {
      const { url, afterSeconds } = end;
      if (!(await this.#isStillOpen(approval.id, afterSeconds * 1000))) return;
      const polled = await pollWebhook(url, this.#secret, { fetch, now: Date.now() });
      // Without a word on when to ask again: at the same pace.
      end = polled.kind === 'sent' ? { kind: 'later', url, afterSeconds } : polled;
    }
    if (end.kind === 'failed') this.#options.report(`asking by webhook failed: ${end.detail}`);
    if (end.kind !== 'answered') return;
    const answered = await this.#decide(approval.id, end.answer);
    if (answered.kind === 'decided') return;
    this.#options.report(`an answer by webhook did not count: ${answered.detail}`);
  }

  async #tellEnd(approval: Approval): Promise<void> {
    const edge = { fetch, now: Date.now() };
    const end = await sendWebhookEnd(this.#url, approval, this.#secret, edge);
    if (end.kind !== 'failed') return;
    this.#options.report(`the webhook was not told of the end of a question: ${end.detail}`);
  }

  async #isStillOpen(id: string, afterMs: number): Promise<boolean> {
    const { signal } = this.#stopped;
    const ended = await this.#options.approvals.waitFor(id, { timeoutMs: afterMs, signal });
    return ended === undefined && !signal.aborted;
  }

  async #answer(request: IncomingMessage, response: ServerResponse, id: string): Promise<void> {
    // A GET decides nothing: link previews send them.
    if (request.method !== 'POST') return void response.writeHead(405).end();
    if (Number(request.headers['content-length'] ?? LARGEST + 1) > LARGEST) {
      return void response.writeHead(413, { connection: 'close' }).end();
    }
    const signature = String(request.headers[SIGNATURE_HEADER]);
    const reading = readWebhookAnswer(await text(request), signature, this.#secret, Date.now());
    if (reading.kind === 'refused') return void response.writeHead(403).end();
    const answered = await this.#decide(id, reading.answer);
    if (answered.kind === 'decided') return void response.writeHead(204).end();
    const { code, detail } = answered;
    response.writeHead(code === 'not-found' ? 404 : 409, { 'content-type': 'application/json' });
    return void response.end(JSON.stringify({ code, detail }));
  }

  async #decide(id: string, answer: WebhookAnswer): Promise<Answered> {
    const { decision, approver, display, grant } = answer;
    if (answer.id !== id) {
      return { kind: 'refused', code: 'not-found', detail: 'The answer is to another question.' };
    }
    return this.#options.approvals.answer(id, {
      kind: decision,
      approver,
      channel: 'webhook',
      display,
      ...(grant !== undefined && { grant }),
    });
  }

  /** The address of a listener of our own; `undefined` when none can be opened. */
  async #listen(): Promise<string | undefined> {
    this.#listener ??= openListener((request, response) => {
      if (!this.take(request, response)) response.writeHead(404).end();
    });
    try {
      const { port } = (await this.#listener).address() as AddressInfo; // it listens on TCP
      return `http://127.0.0.1:${port}`;
    } catch (error) {
      this.#options.report('no listener for answers by webhook could be opened', error);
      return undefined;
    }
  }

  #follow(work: Promise<void>): void {
    const done = work
      .catch((error: unknown) => this.#options.report('asking by webhook failed', error))
      .finally(() => this.#underWay.delete(done));
    this.#underWay.add(done);
  }
}

/** Answers are signed, so that it does not matter who on this machine reaches it. */
function openListener(
  serve: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Server> {
  return new Promise((resolve, reject) => {
    const limits = { requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS };
    const server = nodeHttp().createServer(limits, serve);
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve(server.unref()));
  });
}
