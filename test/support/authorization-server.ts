/**
 * An OAuth 2.1 authorization server for tests, on loopback: metadata (RFC 8414), registration
 * (RFC 7591), codes with PKCE S256, rotating refresh tokens, and JWTs whose audience is the `resource`
 * that was asked for (RFC 8707). The person always says yes, unless told otherwise.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CryptoKey, JWK } from 'jose';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

export interface AuthorizationServer extends AsyncDisposable {
  readonly url: string;
  /** What happened, in order: `register`, `authorize`, `token`, `refresh`, `refused …`. */
  readonly events: readonly string[];
  /** Every token and code that was given out, to look for where none may be. */
  readonly secrets: readonly string[];
  readonly behaviour: Behaviour;
  readonly key: CryptoKey;
  readonly jwk: JWK;
}

/** What a test may change while it runs. */
interface Behaviour {
  lifeSeconds: number;
  /** In place of the sign-in page. */
  authorizationEndpoint?: string;
  deny?: boolean;
  /** As if it were down. */
  failRefresh?: boolean;
  refreshDelayMs?: number;
}

interface Grant {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly resource: string;
  readonly scope: string;
}

export async function openAuthorizationServer(): Promise<AuthorizationServer> {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: 'test-key', alg: 'ES256', use: 'sig' };
  const events: string[] = [];
  const secrets: string[] = [];
  const behaviour: Behaviour = { lifeSeconds: 3600 };
  const clients = new Map<string, readonly string[]>();
  const codes = new Map<string, Grant>();
  const refreshTokens = new Map<string, Grant>();
  let url = '';

  const give = async (grant: Grant): Promise<object> => {
    const now = Math.floor(Date.now() / 1000);
    const access = await new SignJWT({ scope: grant.scope, jti: randomUUID() })
      .setProtectedHeader({ alg: 'ES256', kid: 'test-key', typ: 'at+jwt' })
      .setIssuer(url)
      .setSubject('person')
      .setAudience(grant.resource)
      .setIssuedAt(now)
      .setExpirationTime(now + behaviour.lifeSeconds)
      .sign(privateKey);
    const refresh = `refresh-${randomUUID()}`;
    refreshTokens.set(refresh, grant);
    secrets.push(access, refresh);
    const common = { token_type: 'Bearer', expires_in: behaviour.lifeSeconds, scope: grant.scope };
    return { access_token: access, refresh_token: refresh, ...common };
  };

  const authorize = (query: URLSearchParams, response: ServerResponse): void => {
    const get = (name: string): string => query.get(name) ?? '';
    const isKnown = clients.get(get('client_id'))?.includes(get('redirect_uri')) === true;
    const isPkce = get('code_challenge_method') === 'S256' && get('code_challenge') !== '';
    if (!isKnown || !isPkce || get('response_type') !== 'code') {
      events.push('refused authorize');
      return send(response, 400, { error: 'invalid_request' });
    }
    events.push('authorize');
    const back = new URL(get('redirect_uri'));
    back.searchParams.set('state', get('state'));
    if (behaviour.deny) back.searchParams.set('error', 'access_denied');
    else {
      const code = `code-${randomUUID()}`;
      secrets.push(code);
      codes.set(code, {
        clientId: get('client_id'),
        redirectUri: get('redirect_uri'),
        challenge: get('code_challenge'),
        resource: get('resource'),
        scope: get('scope'),
      });
      back.searchParams.set('code', code);
      back.searchParams.set('iss', url);
    }
    response.writeHead(302, { location: back.href }).end();
  };

  const token = async (form: URLSearchParams, response: ServerResponse): Promise<void> => {
    const get = (name: string): string => form.get(name) ?? '';
    const isRefresh = get('grant_type') === 'refresh_token';
    if (isRefresh && behaviour.refreshDelayMs !== undefined) await sleep(behaviour.refreshDelayMs);
    if (isRefresh && behaviour.failRefresh) return send(response, 503, { error: 'server_error' });
    const [grants, name] = isRefresh ? [refreshTokens, 'refresh_token'] : [codes, 'code'];
    const grant = grants.get(get(name));
    // Both kinds can be used once.
    grants.delete(get(name));
    const fits = grant !== undefined && grant.clientId === get('client_id');
    const proves =
      isRefresh ||
      (grant?.redirectUri === get('redirect_uri') &&
        grant.challenge === createHash('sha256').update(get('code_verifier')).digest('base64url'));
    if (!fits || !proves || grant.resource !== get('resource')) {
      events.push(isRefresh ? 'refused refresh' : 'refused token');
      return send(response, 400, { error: 'invalid_grant', error_description: 'not this one' });
    }
    events.push(isRefresh ? 'refresh' : 'token');
    return send(response, 200, await give(grant));
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '', url);
    const body = await read(request);
    switch (`${request.method} ${pathname}`) {
      case 'GET /.well-known/oauth-authorization-server':
        return send(response, 200, {
          issuer: url,
          authorization_endpoint: behaviour.authorizationEndpoint ?? `${url}/authorize`,
          token_endpoint: `${url}/token`,
          registration_endpoint: `${url}/register`,
          jwks_uri: `${url}/jwks`,
          response_types_supported: ['code'],
          grant_types_supported: ['authorization_code', 'refresh_token'],
          token_endpoint_auth_methods_supported: ['none'],
          code_challenge_methods_supported: ['S256'],
          authorization_response_iss_parameter_supported: true,
        });
      case 'GET /jwks':
        return send(response, 200, { keys: [jwk] });
      case 'POST /register': {
        const metadata = JSON.parse(body) as { readonly redirect_uris: readonly string[] };
        const clientId = randomUUID();
        clients.set(clientId, metadata.redirect_uris);
        events.push('register');
        return send(response, 201, { ...metadata, client_id: clientId });
      }
      case 'GET /authorize':
        return authorize(searchParams, response);
      case 'POST /token':
        return await token(new URLSearchParams(body), response);
      default:
        return send(response, 404, { error: 'not_found' });
    }
  };

  const server = createServer((request, response) => void serve(request, response));
  url = await listen(server);
  const dispose = async (): Promise<void> => close(server);
  return { url, events, secrets, behaviour, key: privateKey, jwk, [Symbol.asyncDispose]: dispose };
}

async function sleep(milliseconds: number): Promise<void> {
  await new Promise((done) => setTimeout(done, milliseconds));
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer); // no encoding is set
  return Buffer.concat(chunks).toString();
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return `http://127.0.0.1:${port}`;
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((done) => {
    server.close(done);
  });
}
