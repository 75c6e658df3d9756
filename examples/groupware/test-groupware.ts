/** The whole groupware for tests: an embedded backend in a folder, a ledger, real HTTP and real clients. */
import type { ClientCapabilities } from '@modelcontextprotocol/client';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Convention, HttpServer, PlimsollServer, Receipt } from 'plimsoll/server';
import { openHttp, openLedger, staticTokens } from 'plimsoll/server';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { post } from '../../test/support/post.ts';
import type { Backend } from './backend.ts';
import { createGroupware } from './create-groupware.ts';
import { openEmbedded } from './embedded/open-embedded.ts';
import type { CallTool } from './week/worker.ts';

interface Called {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

export interface TestGroupware extends AsyncDisposable {
  readonly folder: string;
  readonly server: PlimsollServer;
  readonly http: HttpServer;
  readonly backend: Backend;
  readonly receipts: readonly Receipt[];
  /** Over `POST /op`. A token is the name of its holder; default: `mara`, with every scope. */
  call(name: string, args?: object, as?: string): Promise<Called>;
}

const PEOPLE = staticTokens([
  { token: 'mara', principal: { id: 'mara', scopes: ['*', 'openid'] } },
  { token: 'ines', principal: { id: 'ines', scopes: ['*', 'openid'] } },
  { token: 'reader', principal: { id: 'mara', scopes: ['notes:read'] } },
  { token: 'todo-only', principal: { id: 'mara', scopes: ['todo:read', 'todo:write'] } },
  { token: 'stranger', principal: { id: 'stranger', scopes: [] } },
]);

/** A Wednesday in the week that the tests are about. */
const NOW = new Date('2026-03-18T08:00:00Z');

export interface TestInit {
  /** Default: embedded, in a new folder. */
  readonly openBackend?: (folder: string) => Backend;
  /** Servers of the test that recipes may be imported from. */
  readonly allow?: readonly string[];
  readonly convention?: Convention;
}

export async function openTestGroupware(init: TestInit = {}): Promise<TestGroupware> {
  const folder = mkdtempSync(join(tmpdir(), 'groupware-test-'));
  const now = () => NOW;
  const backend =
    init.openBackend?.(folder) ?? openEmbedded({ folder, now, pages: { allow: init.allow ?? [] } });
  const inner = await openLedger('sqlite::memory:');
  const receipts: Receipt[] = [];
  const ledger: typeof inner = {
    ...inner,
    record: (entry, tx) => {
      receipts.push(entry.receipt);
      return inner.record(entry, tx);
    },
  };
  const groupware = createGroupware({
    backend,
    ledger,
    authenticate: PEOPLE,
    now,
    grants: join(folder, 'grants.sqlite'),
    ...(init.convention !== undefined && { convention: init.convention }),
  });
  const { server } = groupware;
  const http = await openHttp(server);
  return {
    folder,
    server,
    http,
    backend,
    receipts,
    async call(name, args = {}, as = 'mara') {
      const headers = { authorization: `Bearer ${as}` };
      const { status, text } = await post(`${http.url}/op/${name}`, JSON.stringify(args), headers);
      return { status, body: JSON.parse(text) as Record<string, unknown> };
    },
    [Symbol.asyncDispose]: async () => {
      await http[Symbol.asyncDispose]();
      await groupware[Symbol.asyncDispose]();
      await inner[Symbol.asyncDispose]();
      await backend[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
    },
  };
}

export type Era = 'legacy' | 'modern';

export const CAPABILITIES: ClientCapabilities = { elicitation: { url: {} }, sampling: {} };

/** A client whose person opens addresses and says yes there, and whose model has one answer. */
export async function connect(
  url: string,
  {
    as = 'mara',
    era = 'modern',
    capabilities = CAPABILITIES,
  }: {
    readonly as?: string;
    readonly era?: Era;
    readonly capabilities?: ClientCapabilities;
  } = {},
): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    {
      capabilities,
      versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' },
    },
  );
  answerQuestions(client, capabilities);
  const headers = { authorization: `Bearer ${as}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
  );
  return client;
}

export function answerQuestions(client: Client, capabilities = CAPABILITIES): void {
  if (capabilities.elicitation !== undefined) {
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      if (!('url' in params)) return { action: 'decline' };
      await grantInBrowser(params.url);
      return { action: 'accept' };
    });
  }
  if (capabilities.sampling !== undefined) {
    client.setRequestHandler('sampling/createMessage', () => ({
      model: 'test',
      role: 'assistant',
      content: { type: 'text', text: 'Schools [1].' },
    }));
  }
}

/** What a person does who presses the button on the page. */
export async function grantInBrowser(url: string, decision = 'grant'): Promise<Response> {
  return fetch(url, { method: 'POST', body: new URLSearchParams({ decision }) });
}

/** Calls tools through a client; a refusal is thrown. */
export function toCallTool(client: Client): CallTool {
  return async (name, args) => {
    const result = await client.callTool({ name, arguments: { ...args } });
    if (result.isError === true) {
      const [content] = result.content;
      throw new Error(`${name}: ${content?.type === 'text' ? content.text : 'failed'}`);
    }
    return result.structuredContent as Record<string, unknown>;
  };
}

const RECIPE = {
  '@context': 'https://schema.org',
  '@type': 'Recipe',
  name: 'Flat bread',
  recipeIngredient: ['500 g flour', '300 ml water'],
  recipeInstructions: [
    { '@type': 'HowToStep', text: 'Knead.' },
    { '@type': 'HowToStep', text: 'Bake.' },
  ],
  recipeYield: '4 servings',
  recipeCategory: 'Bread',
  keywords: 'simple, vegan',
  prepTime: 'PT20M',
};

export interface RecipePage extends AsyncDisposable {
  readonly url: string;
  readonly host: string;
}

/** A web page with a recipe. */
export async function openRecipePage(): Promise<RecipePage> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<script type="application/ld+json">${JSON.stringify(RECIPE)}</script>`);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: `http://${host}/bread`,
    [Symbol.asyncDispose]: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}
