/** The shop's API, or that of another document, behind a real MCP server, and short ways to call it. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { HttpServer, ProjectOptions } from 'plimsoll/server';
import { createServer, openHttp, openLedger, projectOpenApi, staticTokens } from 'plimsoll/server';
import { shopDocument } from './shop-api.ts';

export const TOKENS = { mia: 'token-of-mia', leo: 'token-of-leo' };

export interface Shop extends AsyncDisposable {
  readonly http: HttpServer;
  /** Causes that stay with the server. */
  readonly logged: readonly unknown[];
  /** Over MCP, as mia. */
  readonly client: Client;
  /** Over plain HTTP, where a key can be a header. */
  readonly post: (
    name: string,
    args: object,
    headers?: Record<string, string>,
    signal?: AbortSignal,
  ) => Promise<{ readonly status: number; readonly body: unknown; readonly text: string }>;
}

export async function openShop(
  baseUrl: string,
  { document = shopDocument, ...options }: Partial<ProjectOptions> & { document?: unknown } = {},
): Promise<Shop> {
  const open = new AsyncDisposableStack();
  const logged: unknown[] = [];
  const { operations } = projectOpenApi(document, {
    baseUrl,
    headers: { authorization: 'Bearer the-server-itself' },
    responseLimit: 50_000,
    timeoutMs: 1000,
    ...options,
  });
  const server = createServer({
    name: 'shop',
    version: '1.0.0',
    operations,
    ledger: open.use(await openLedger('sqlite::memory:')),
    authenticate: staticTokens([
      { token: TOKENS.mia, principal: { id: 'mia', scopes: ['orders:*'] } },
      { token: TOKENS.leo, principal: { id: 'leo', scopes: ['orders:*'] } },
    ]),
    report: (message, cause) => logged.push([message, cause]),
  });
  const http = open.use(await openHttp(server));
  const client = new Client({ name: 'test', version: '1' });
  const headers = { authorization: `Bearer ${TOKENS.mia}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(http.mcpUrl), { requestInit: { headers } }),
  );
  open.defer(() => client.close());
  return {
    http,
    logged,
    client,
    post: async (name, args, more = {}, signal) => {
      const response = await fetch(`${http.url}/op/${name}`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', ...more },
        body: JSON.stringify(args),
        ...(signal !== undefined && { signal }),
      });
      const text = await response.text();
      const body = text === '' ? undefined : (JSON.parse(text) as unknown);
      return { status: response.status, body, text };
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}
