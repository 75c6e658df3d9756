/**
 * An MCP server and its authorization server in one, on loopback, which say whatever an attacker wants
 * them to say; and `plimsoll login` as somebody runs it who was talked into signing in there.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { PLIMSOLL } from '../gate/gate-process.ts';

interface Lies {
  /** Members of the protected resource's metadata. */
  readonly resource?: object;
  /** Where that is instead, as a redirect. */
  readonly resourceAt?: string;
  /** Members of the authorization server's metadata; `undefined` removes one. */
  readonly metadata?: object;
  /** Of each later request for that metadata, instead. */
  readonly laterMetadata?: object;
  /** Where tokens are given instead, as a redirect that keeps the body. */
  readonly tokenAt?: string;
  /** What the sign-in page adds to the address it sends the browser back to. */
  readonly back?: Readonly<Record<string, string>>;
  /** The body of the answer that should hold the tokens. */
  readonly token?: object | string;
}

export class HostileIssuer implements AsyncDisposable {
  readonly url: string;
  /** Each as `METHOD path`, with the body where there is one. */
  readonly requests: string[] = [];
  readonly #server: ReturnType<typeof createServer>;
  lies: Lies = {};

  private constructor(server: ReturnType<typeof createServer>) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on TCP
    server.on('request', (request, response) => void this.#serve(request, response));
  }

  static async open(lies: Lies = {}): Promise<HostileIssuer> {
    const server = createServer();
    await new Promise<void>((done) => {
      server.listen(0, '127.0.0.1', done);
    });
    const issuer = new HostileIssuer(server);
    issuer.lies = lies;
    return issuer;
  }

  get mcpUrl(): string {
    return `${this.url}/mcp`;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url, lies } = this;
    const { pathname, searchParams } = new URL(request.url ?? '', url);
    const body = await text(request);
    this.requests.push(`${request.method} ${pathname} ${body}`.trim());
    const say = (content: object | string, status = 200): void => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(typeof content === 'string' ? content : JSON.stringify(content));
    };
    switch (pathname) {
      case '/mcp':
        response.setHeader('www-authenticate', `Bearer resource_metadata="${url}/resource"`);
        return say({}, 401);
      case '/resource': {
        if (lies.resourceAt !== undefined) {
          return void response.writeHead(302, { location: lies.resourceAt }).end();
        }
        const resource = { resource: this.mcpUrl, authorization_servers: [url] };
        return say({ ...resource, ...lies.resource });
      }
      case '/.well-known/oauth-authorization-server':
        return say({
          issuer: url,
          authorization_endpoint: `${url}/authorize`,
          token_endpoint: `${url}/token`,
          registration_endpoint: `${url}/register`,
          response_types_supported: ['code'],
          token_endpoint_auth_methods_supported: ['none'],
          code_challenge_methods_supported: ['S256'],
          ...(this.at(pathname).length > 1 ? (lies.laterMetadata ?? lies.metadata) : lies.metadata),
        });
      case '/register':
        return say({ ...(JSON.parse(body) as object), client_id: 'client' }, 201);
      case '/authorize': {
        const back = new URL(searchParams.get('redirect_uri') ?? '');
        const given = { code: 'the-code', state: searchParams.get('state') ?? '' };
        for (const [name, value] of Object.entries(lies.back ?? given)) {
          back.searchParams.set(name, value === 'STATE' ? given.state : value);
        }
        return void response.writeHead(302, { location: back.href }).end();
      }
      case '/token':
        if (lies.tokenAt !== undefined) {
          return void response.writeHead(307, { location: lies.tokenAt }).end();
        }
        return say(lies.token ?? { access_token: 'good-token', token_type: 'Bearer' });
      default:
        return say({}, 404);
    }
  }

  /** What reached an address. */
  at(path: string): readonly string[] {
    return this.requests.filter((line) => line.split(' ')[1] === path);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }
}

interface Login {
  readonly code: number | null;
  readonly said: string;
  /** The sign-in page that the person was shown. */
  readonly page: string | undefined;
  /** The token file afterwards. */
  readonly kept: string;
}

/** The person signs in wherever they are sent; `atPage` is what else happens in their browser then. */
export async function logInAt(
  mcpUrl: string,
  atPage: (page: URL) => Promise<unknown> = (page) => fetch(page),
): Promise<Login> {
  const home = mkdtempSync(join(tmpdir(), 'plimsoll-oauth-attack-'));
  const child = spawn(PLIMSOLL, ['login', mcpUrl, '--no-browser'], {
    env: { ...process.env, XDG_STATE_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  let page: string | undefined;
  let visited: Promise<unknown> = Promise.resolve();
  const hear = (part: unknown): void => {
    said += String(part);
    if (page !== undefined) return;
    page = /^ {2}(https?:\S+)\n/m.exec(said)?.[1];
    if (page !== undefined) visited = atPage(new URL(page)).catch(() => undefined);
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const code = await new Promise<number | null>((done) => child.once('close', done));
  await visited;
  let kept = '';
  try {
    kept = readFileSync(join(home, 'plimsoll', 'tokens.json'), 'utf8');
  } catch {
    // Nothing was kept.
  }
  rmSync(home, { recursive: true });
  return { code, said, page, kept };
}
