/**
 * One client's conversation with the fixture server, in whichever era each request is written. Hand-written
 * on purpose: an SDK would hide what the gate must pass on, such as the order of messages and how a number
 * is spelled.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Request } from './fixture-answers.ts';
import {
  answerPlainly,
  answerRequest,
  asText,
  cached,
  RpcError,
  toResult,
  toText,
  toUnknownTool,
} from './fixture-answers.ts';
import { INSTRUCTIONS } from './fixture-offer.ts';
import type { FixtureWorld, Id, JsonObject, Message } from './fixture-world.ts';

const META = 'io.modelcontextprotocol/';
const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical'];
const MODERN = '2026-07-28';
const LEGACY = ['2025-11-25', '2025-06-18', '2025-03-26'];

export class FixtureSession {
  readonly #world: FixtureWorld;
  /** The text of a message, and the request that it belongs to. */
  readonly #write: (text: string, about?: Id) => void;
  readonly #running = new Map<Id, AbortController>();
  readonly #asked = new Map<Id, (answer: Message) => void>();
  readonly #watched = new Set<string>();
  #level = 'debug';
  #serial = 0;

  constructor(world: FixtureWorld, write: (text: string, about?: Id) => void) {
    this.#world = world;
    this.#write = write;
  }

  receive(text: string): void {
    const message = JSON.parse(text) as Message; // what clients send is JSON-RPC
    const { id, method, params = {} } = message;
    if (method === undefined) this.#asked.get(id ?? '')?.(message);
    else if (id === undefined) this.#notice(method, params);
    else void this.#serve(id, method, params, text);
  }

  /** The client is gone: everything of its is cancelled. */
  close(): void {
    for (const id of this.#running.keys()) this.#cancel(id);
    this.#world.watchers.delete(this.#updated);
    this.#world.listWatchers.delete(this.#listChanged);
  }

  #notice(method: string, params: JsonObject): void {
    if (method === 'notifications/cancelled') this.#cancel(params['requestId'] as Id); // by the protocol
    if (method === 'notifications/roots/list_changed') this.#world.counts.rootsChanged += 1;
    if (method !== 'notifications/initialized') return;
    this.#world.watchers.add(this.#updated);
    this.#world.listWatchers.add(this.#listChanged);
  }

  #cancel(id: Id): void {
    const running = this.#running.get(id);
    if (running === undefined || running.signal.aborted) return;
    this.#world.counts.cancelled += 1;
    running.abort();
  }

  async #serve(id: Id, method: string, params: JsonObject, text: string): Promise<void> {
    const controller = new AbortController();
    this.#running.set(id, controller);
    const meta = (params['_meta'] ?? {}) as JsonObject; // by the protocol
    const isModern = meta[`${META}protocolVersion`] === MODERN;
    const request = { id, params, meta, isModern, signal: controller.signal, text };
    try {
      const result = await this.#answer(method, request);
      if (controller.signal.aborted) return;
      const written =
        typeof result === 'string'
          ? result
          : JSON.stringify(toResult(result, isModern, this.#world.name));
      this.#write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${written}}`, id);
    } catch (error) {
      if (controller.signal.aborted) return;
      const { code = -32_603, message, data } = error as Partial<RpcError>;
      this.#send({ id, error: { code, message, ...(data !== undefined && { data }) } }, id);
    } finally {
      this.#running.delete(id);
    }
  }

  #send(message: object, about?: Id): void {
    this.#write(JSON.stringify({ jsonrpc: '2.0', ...message }), about);
  }

  readonly #updated = (uri: string): void => {
    if (!this.#watched.has(uri)) return;
    this.#send({ method: 'notifications/resources/updated', params: { uri } });
  };

  readonly #listChanged = (): void => this.#send({ method: 'notifications/tools/list_changed' });

  async #answer(method: string, request: Request): Promise<JsonObject | string> {
    const { params, isModern } = request;
    switch (method) {
      case 'initialize':
        return {
          protocolVersion: LEGACY.find((one) => one === params['protocolVersion']) ?? LEGACY[0],
          capabilities: CAPABILITIES,
          serverInfo: { name: this.#world.name, version: '1.2.3', title: 'Fixture' },
          instructions: INSTRUCTIONS,
        };
      case 'server/discover':
        return cached({
          supportedVersions: [MODERN],
          capabilities: CAPABILITIES,
          instructions: INSTRUCTIONS,
        });
      case 'subscriptions/listen':
        return this.#listen(request);
      case 'tools/call':
        return this.#call(request);
      default:
        return (
          answerRequest(method, params, this.#world) ??
          this.#answerSession(method, params, isModern)
        );
    }
  }

  /** Only 2025 has these. */
  #answerSession(method: string, params: JsonObject, isModern: boolean): JsonObject {
    const uri = asText(params['uri']);
    if (isModern) throw new RpcError(-32_601, `Method not found: ${method}`);
    else if (method === 'ping') return {};
    else if (method === 'logging/setLevel') this.#level = asText(params['level']);
    else if (method === 'resources/subscribe') this.#watched.add(uri);
    else if (method === 'resources/unsubscribe') this.#watched.delete(uri);
    else throw new RpcError(-32_601, `Method not found: ${method}`);
    return {};
  }

  async #listen({ id, params, signal }: Request): Promise<JsonObject> {
    const filter = (params['notifications'] ?? {}) as JsonObject; // by the protocol
    const _meta = { [`${META}subscriptionId`]: id };
    const uris = (filter['resourceSubscriptions'] ?? []) as readonly string[]; // by the protocol
    const tell = (method: string, more: object): void =>
      this.#send({ method, params: { ...more, _meta } }, id);
    const updated = (uri: string): void => {
      if (uris.includes(uri)) tell('notifications/resources/updated', { uri });
    };
    const changed = (): void => {
      if (filter['toolsListChanged'] === true) tell('notifications/tools/list_changed', {});
    };
    tell('notifications/subscriptions/acknowledged', { notifications: filter });
    this.#world.watchers.add(updated);
    this.#world.listWatchers.add(changed);
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => {
        this.#world.watchers.delete(updated);
        this.#world.listWatchers.delete(changed);
        resolve();
      });
    });
    return { _meta };
  }

  async #call(request: Request): Promise<JsonObject | string> {
    const { params, id, signal } = request;
    const args = (params['arguments'] ?? {}) as JsonObject; // by the protocol
    const name = asText(params['name']);
    switch (name) {
      case 'get_counts':
        return this.#world.tellCounts(args);
      case 'get_progress':
        return this.#progress(request, Number(args['steps']));
      case 'get_logged':
        return this.#log(request);
      case 'get_slow':
        // The client learns that it runs, so that it can cancel in the middle.
        this.#tellProgress(request, 1);
        await Promise.race([
          sleep(20_000, undefined, { ref: false }),
          new Promise((resolve) => signal.addEventListener('abort', resolve)),
        ]);
        return toText('It took long.');
      case 'update_note':
        for (const tell of this.#world.watchers) tell(asText(args['uri']));
        return toText('updated');
      case 'update_tools':
        this.#world.hasExtraTool = args['extra'] === true;
        for (const tell of this.#world.listWatchers) tell();
        return toText('The list of tools has changed.');
      case 'get_extra':
        if (this.#world.hasExtraTool) return toText('extra');
        break;
      case 'stop_soon':
        setTimeout(() => process.exit(3), 20);
        return toText('It stops.');
      case 'get_after_stop': {
        const marker = asText(args['marker']);
        if (existsSync(marker)) return toText('read after all');
        writeFileSync(marker, '');
        return stop();
      }
      case 'stop_now':
        return stop();
      case 'ask_elicitation':
        return this.#ask(request, 'elicitation/create', {
          message: 'Which name?',
          requestedSchema: {
            type: 'object',
            properties: { name: { type: 'string' } },
            required: ['name'],
          },
        });
      case 'ask_sampling':
        return this.#ask(request, 'sampling/createMessage', {
          messages: [{ role: 'user', content: { type: 'text', text: 'Which city?' } }],
          maxTokens: 10,
        });
      case 'ask_roots':
        return this.#ask(request, 'roots/list', {});
      case 'ask_ping': {
        const { result = {} } = await this.#request('ping', {}, id);
        return toText(`pong ${JSON.stringify(result)}`);
      }
      default:
        return answerPlainly(name, args, request);
    }
    throw toUnknownTool(name);
  }

  #tellProgress({ id, meta }: Request, progress: number, total = 3): void {
    const { progressToken } = meta;
    if (progressToken === undefined) return;
    const params = { progressToken, progress, total, message: `step ${progress}` };
    this.#send({ method: 'notifications/progress', params }, id);
  }

  async #progress(request: Request, steps: number): Promise<JsonObject> {
    for (let step = 1; step <= steps; step += 1) {
      this.#tellProgress(request, step, steps);
      await sleep(2);
    }
    return toText('All steps are done.');
  }

  #log({ id, meta, isModern }: Request): JsonObject {
    const wanted = isModern ? meta[`${META}logLevel`] : this.#level;
    for (const level of ['debug', 'info', 'warning', 'error']) {
      if (typeof wanted !== 'string' || LEVELS.indexOf(level) < LEVELS.indexOf(wanted)) continue;
      const params = { level, logger: 'fixture', data: { text: `a line of ${level}` } };
      this.#send({ method: 'notifications/message', params }, id);
    }
    return toText('It was logged.');
  }

  async #ask(request: Request, method: string, params: JsonObject): Promise<JsonObject> {
    const { isModern, params: given } = request;
    if (!isModern) {
      const { result, error } = await this.#request(method, params, request.id);
      return toText(`answered ${JSON.stringify(result ?? error)}`);
    }
    const answers = given['inputResponses'] as JsonObject | undefined; // by the protocol
    const answer = answers?.['question'];
    if (answer !== undefined) {
      return toText(`answered ${JSON.stringify(answer)} ${asText(given['requestState'])}`);
    }
    const question = { method, params };
    return { resultType: 'input_required', inputRequests: { question }, requestState: 'state-1' };
  }

  #request(method: string, params: JsonObject, about: Id): Promise<Message> {
    this.#serial += 1;
    const id = `asked-${this.#serial}`;
    return new Promise((resolve) => {
      this.#asked.set(id, resolve);
      this.#send({ id, method, params }, about);
    });
  }
}

const CAPABILITIES = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: false },
  prompts: {},
  completions: {},
  logging: {},
};

/** In the middle of a call. */
async function stop(): Promise<never> {
  await sleep(30);
  process.exit(3);
}
