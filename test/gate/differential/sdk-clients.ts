/** The official SDK's clients of both generations, with everything on their transports written down. */
import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import type { Json, JsonObject, Message } from './fixture-world.ts';
import { Recorder } from './trace.ts';
import type { Era, RequestOptions, Target, TracedClient } from './traced-client.ts';
import { ANSWERS, CAPABILITIES, CLIENT_INFO } from './traced-client.ts';

const ANYTHING = z.looseObject({});

/** The verbs that the scripts use, by the method that each sends. Both generations have them. */
interface Verbs {
  ping(options: object): Promise<unknown>;
  complete(params: never, options: object): Promise<unknown>;
  setLoggingLevel(level: never, options: object): Promise<unknown>;
  subscribeResource(params: never, options: object): Promise<unknown>;
  unsubscribeResource(params: never, options: object): Promise<unknown>;
  listTools(params: never, options: object): Promise<unknown>;
  listResources(params: never, options: object): Promise<unknown>;
  listResourceTemplates(params: never, options: object): Promise<unknown>;
  listPrompts(params: never, options: object): Promise<unknown>;
  readResource(params: never, options: object): Promise<unknown>;
  getPrompt(params: never, options: object): Promise<unknown>;
}

const VERBS: Readonly<Record<string, keyof Verbs>> = {
  'completion/complete': 'complete',
  'resources/subscribe': 'subscribeResource',
  'resources/unsubscribe': 'unsubscribeResource',
  'tools/list': 'listTools',
  'resources/list': 'listResources',
  'resources/templates/list': 'listResourceTemplates',
  'prompts/list': 'listPrompts',
  'resources/read': 'readResource',
  'prompts/get': 'getPrompt',
};

interface Wire {
  onmessage?: unknown;
  send: (message: never, options?: never) => Promise<void>;
}

/** The SDK calls a handler that was there before its own, first. */
function record<T extends Wire>(transport: T, recorder: Recorder): T {
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has only the property
  transport.onmessage = (message: Message) => recorder.received(message);
  const send = transport.send.bind(transport);
  transport.send = (message: never, options?: never) => {
    recorder.sent(message);
    return send(message, options);
  };
  return transport;
}

abstract class SdkClient<C extends Verbs> implements TracedClient {
  readonly recorder = new Recorder();
  protected readonly client: C;
  protected readonly target: Target;

  constructor(client: C, target: Target) {
    this.client = client;
    this.target = target;
  }

  abstract open(): Promise<Json>;
  abstract notify(method: string): Promise<void>;
  abstract listen(filter: JsonObject): Promise<void>;
  abstract unlisten(): Promise<void>;
  abstract close(): Promise<void>;
  protected abstract call(params: JsonObject, options: object): Promise<unknown>;
  protected abstract other(method: string, params: JsonObject, options: object): Promise<unknown>;

  async request(method: string, params: JsonObject, given: RequestOptions): Promise<Json> {
    const { progress, signal, timeoutMs } = given;
    const options = { signal, timeout: timeoutMs, ...(progress && { onprogress: () => {} }) };
    return (await this.#send(method, params, options)) as Json; // results are JSON
  }

  #send(method: string, params: JsonObject, options: object): Promise<unknown> {
    const verb = VERBS[method];
    if (method === 'tools/call') return this.call(params, options);
    if (method === 'ping') return this.client.ping(options);
    if (method === 'logging/setLevel')
      return this.client.setLoggingLevel(params['level'] as never, options);
    if (verb === undefined) return this.other(method, params, options);
    return this.client[verb](params as never, options);
  }

  protected launch(): {
    command: string;
    args: string[];
    stderr: 'ignore';
    env: Record<string, string>;
  } {
    if (this.target.kind === 'http') throw new Error('there is nothing to start');
    const { command, args } = this.target;
    const { PATH = '', HOME = '' } = process.env;
    return { command, args: [...args], stderr: 'ignore', env: { PATH, HOME } };
  }
}

export class SdkV1Client extends SdkClient<ClientV1 & Verbs> {
  constructor(target: Target) {
    const client = new ClientV1(CLIENT_INFO, { capabilities: CAPABILITIES });
    super(client, target);
    client.setRequestHandler(ElicitRequestSchema, async () => ANSWERS['elicitation/create']);
    client.setRequestHandler(
      CreateMessageRequestSchema,
      async () => ANSWERS['sampling/createMessage'],
    );
    client.setRequestHandler(ListRootsRequestSchema, async () => ({
      roots: [...ANSWERS['roots/list'].roots],
    }));
  }

  async open(): Promise<Json> {
    const transport =
      this.target.kind === 'http'
        ? new HttpV1(new URL(this.target.url))
        : new StdioV1(this.launch());
    await this.client.connect(record(transport as never, this.recorder));
    return {
      server: this.client.getServerVersion(),
      capabilities: this.client.getServerCapabilities(),
      instructions: this.client.getInstructions(),
    } as JsonObject; // what the handshake told is JSON
  }

  protected call(params: JsonObject, options: object): Promise<unknown> {
    return this.client.callTool(params as never, undefined, options);
  }

  protected other(method: string, params: JsonObject, options: object): Promise<unknown> {
    return this.client.request({ method, params }, ANYTHING, options);
  }

  notify(method: string): Promise<void> {
    return this.client.notification({ method });
  }

  listen(): Promise<void> {
    throw new Error('2025 has no subscriptions/listen');
  }

  unlisten(): Promise<void> {
    throw new Error('2025 has no subscriptions/listen');
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

export class SdkV2Client extends SdkClient<ClientV2 & Verbs> {
  #subscription: { close(): Promise<void> } | undefined;

  constructor(target: Target, era: Era) {
    const mode = era === '2025' ? 'legacy' : ({ pin: '2026-07-28' } as const);
    const client = new ClientV2(CLIENT_INFO, {
      capabilities: CAPABILITIES,
      versionNegotiation: { mode },
    });
    super(client, target);
    client.setRequestHandler('elicitation/create', async () => ANSWERS['elicitation/create']);
    client.setRequestHandler(
      'sampling/createMessage',
      async () => ANSWERS['sampling/createMessage'],
    );
    client.setRequestHandler('roots/list', async () => ({
      roots: [...ANSWERS['roots/list'].roots],
    }));
  }

  async open(): Promise<Json> {
    const transport =
      this.target.kind === 'http'
        ? new HttpV2(new URL(this.target.url))
        : new StdioV2(this.launch());
    await this.client.connect(record(transport as never, this.recorder));
    return {
      server: this.client.getServerVersion(),
      capabilities: this.client.getServerCapabilities(),
      instructions: this.client.getInstructions(),
      era: this.client.getProtocolEra(),
    } as JsonObject; // what the handshake told is JSON
  }

  protected call(params: JsonObject, options: object): Promise<unknown> {
    return this.client.callTool(params as never, options);
  }

  protected other(method: string, params: JsonObject, options: object): Promise<unknown> {
    return this.client.request({ method, params }, ANYTHING, options);
  }

  notify(method: string): Promise<void> {
    return this.client.notification({ method });
  }

  async listen(filter: JsonObject): Promise<void> {
    this.#subscription = await this.client.listen(filter);
  }

  async unlisten(): Promise<void> {
    await this.#subscription?.close();
  }

  close(): Promise<void> {
    return this.client.close();
  }
}
