/**
 * One client's conversation with the fixture server, in whichever era each request is written. Hand-written
 * on purpose: an SDK would hide what the gate must pass on, such as the order of messages and how a number
 * is spelled.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { INSTRUCTIONS, PROMPTS, RESOURCES, TEMPLATES, toolsOf } from './fixture-offer.ts';

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}
type Id = string | number;

export interface Message {
  readonly id?: Id;
  readonly method?: string;
  readonly params?: JsonObject;
  readonly result?: JsonObject;
  readonly error?: JsonObject;
}

/** What all conversations of one server process share. */
export class FixtureWorld {
  readonly watchers = new Set<(uri: string) => void>();
  readonly listWatchers = new Set<() => void>();
  readonly name: string;
  readonly counts = { cancelled: 0, rootsChanged: 0 };
  hasExtraTool = false;

  constructor(name: string) {
    this.name = name;
  }
}

const META = 'io.modelcontextprotocol/';
const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical'];
const PAGE = 6;
const MODERN = '2026-07-28';
const LEGACY = ['2025-11-25', '2025-06-18', '2025-03-26'];

class RpcError extends Error {
  readonly code: number;
  readonly data: Json | undefined;

  constructor(code: number, message: string, data?: Json) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

interface Request {
  readonly id: Id;
  readonly params: JsonObject;
  readonly meta: JsonObject;
  readonly isModern: boolean;
  readonly signal: AbortSignal;
  /** The request as it arrived. */
  readonly text: string;
}

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
    const offer = { name: this.#world.name, hasExtraTool: this.#world.hasExtraTool };
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
      case 'tools/list':
        return toPage('tools', toolsOf(offer), params['cursor']);
      case 'resources/list':
        return toPage('resources', RESOURCES(offer.name), params['cursor'], 2);
      case 'resources/templates/list':
        return toPage('resourceTemplates', TEMPLATES(offer.name), params['cursor']);
      case 'prompts/list':
        return toPage('prompts', PROMPTS(offer.name), params['cursor']);
      case 'resources/read':
        return read(String(params['uri']));
      case 'prompts/get':
        return prompt(params);
      case 'completion/complete':
        return complete(params);
      case 'subscriptions/listen':
        return this.#listen(request);
      case 'tools/call':
        return this.#call(request);
      default:
        if (!isModern) return this.#answerLegacy(method, params);
        throw new RpcError(-32_601, `Method not found: ${method}`);
    }
  }

  #answerLegacy(method: string, params: JsonObject): JsonObject {
    const uri = String(params['uri']);
    if (method === 'ping') return {};
    else if (method === 'logging/setLevel') this.#level = String(params['level']);
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
    const { params, meta, id, signal, isModern } = request;
    const args = (params['arguments'] ?? {}) as JsonObject; // by the protocol
    switch (params['name']) {
      case 'get_echo':
        return toText(String(args['text']));
      case 'get_arguments': {
        // As they are spelled, which is not how JSON.stringify would spell them.
        const [, spelled = ''] = /"arguments":\s*(\{[^{}]*\})/.exec(request.text) ?? [];
        return toText(spelled);
      }
      case 'get_meta': {
        const { progressToken, ...rest } = meta;
        return toText(JSON.stringify({ ...rest, hasToken: progressToken !== undefined }));
      }
      case 'get_spelled':
        return `{ "content" : [{"type":"text","text":"\\u0041\\/b"}],${isModern ? '"resultType":"complete",' : ''} "structuredContent": {"ratio":1.0, "big":1e2,"z":1,"a":-0.50}, "isError":false }`;
      case 'get_structured':
        return { ...toText('{"count":3}'), structuredContent: { count: 3 } };
      case 'get_content':
        return CONTENT;
      case 'get_large':
        return toText('0123456789abcdef'.repeat(Number(args['bytes']) / 16));
      case 'get_length':
        return toText(String(String(args['text']).length));
      case 'get_failure':
        return { ...toText('It failed, as it was asked to.'), isError: true };
      case 'get_error':
        throw new RpcError(-32_099, 'An error of the server.', { hint: ['a', 1] });
      case 'get_counts':
        if (args['reset'] === true) {
          Object.assign(this.#world.counts, { cancelled: 0, rootsChanged: 0 });
          return toText('reset');
        }
        // A cancel may take another way than the next call.
        for (
          let left = 100;
          left > 0 && this.#world.counts.cancelled < Number(args['cancelled'] ?? 0);
          left -= 1
        ) {
          await sleep(20);
        }
        return toText(JSON.stringify(this.#world.counts));
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
      case 'create_note':
        return toText(`created ${JSON.stringify(args)}`);
      case 'place_order':
        return toText(`ordered ${JSON.stringify(args)}`);
      case 'update_note':
        for (const tell of this.#world.watchers) tell(String(args['uri']));
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
        const marker = String(args['marker']);
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
    }
    throw new RpcError(-32_602, `Unknown tool: ${String(params['name'])}`);
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
      return toText(`answered ${JSON.stringify(answer)} ${String(given['requestState'])}`);
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

const CONTENT = {
  content: [
    { type: 'text', text: 'Zażółć 🦊', annotations: { audience: ['user'], priority: 0.5 } },
    { type: 'image', data: 'AAEC', mimeType: 'image/png' },
    { type: 'resource_link', uri: 'note://1', name: 'one' },
    { type: 'resource', resource: { uri: 'note://1', text: 'inside', mimeType: 'text/plain' } },
  ],
  _meta: { 'example.com/kept': { deep: [1, null, true] } },
};

/** In the middle of a call. */
async function stop(): Promise<never> {
  await sleep(30);
  process.exit(3);
}

function toText(text: string): JsonObject {
  return { content: [{ type: 'text', text }] };
}

function cached(result: JsonObject): JsonObject {
  return { ...result, ttlMs: 0, cacheScope: 'public' };
}

/** What the 2026 revision adds to every result. */
function toResult(result: JsonObject, isModern: boolean, name: string): JsonObject {
  if (!isModern) {
    const { ttlMs: _, cacheScope: __, ...rest } = result;
    return rest;
  }
  const _meta = {
    ...(result['_meta'] as object),
    [`${META}serverInfo`]: { name, version: '1.2.3' },
  };
  return { resultType: 'complete', ...result, _meta };
}

function toPage(
  field: string,
  items: readonly JsonObject[],
  cursor: unknown,
  size = PAGE,
): JsonObject {
  const start =
    cursor === undefined ? 0 : Number(/^at-(\d+)$/.exec(String(cursor))?.[1] ?? Number.NaN);
  if (Number.isNaN(start)) throw new RpcError(-32_602, 'Invalid cursor');
  const end = start + size;
  const more = end < items.length && { nextCursor: `at-${end}` };
  return cached({ [field]: items.slice(start, end), ...more });
}

function read(uri: string): JsonObject {
  if (uri === 'note://2')
    return cached({ contents: [{ uri, blob: 'AAECAw==', mimeType: 'image/png' }] });
  if (/^note:\/\/(1|3|by-id\/\w+)$/.test(uri)) {
    return cached({ contents: [{ uri, text: `The text of ${uri}`, mimeType: 'text/plain' }] });
  }
  throw new RpcError(-32_602, 'Resource not found', { uri });
}

function prompt({ name, arguments: args }: JsonObject): JsonObject {
  if (name !== 'greet') throw new RpcError(-32_602, `Unknown prompt: ${String(name)}`);
  const text = `Greet ${String((args as JsonObject | undefined)?.['who'])}.`;
  return {
    description: 'A greeting.',
    messages: [{ role: 'user', content: { type: 'text', text } }],
  };
}

function complete({ argument }: JsonObject): JsonObject {
  const start = String((argument as JsonObject | undefined)?.['value']);
  const values = ['ada', 'adele', 'grace'].filter((each) => each.startsWith(start));
  return { completion: { values, total: values.length, hasMore: false } };
}
