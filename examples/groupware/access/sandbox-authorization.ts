/**
 * An OAuth authorization server on loopback for the embedded backend: a page with one button, codes
 * with PKCE, access tokens that expire and refresh tokens. It knows no passwords.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { html } from 'hono/html';
import type { Endpoints } from './access.ts';

export interface SandboxAuthorization extends Endpoints, AsyncDisposable {}

interface Request {
  readonly redirectUri: string;
  readonly challenge: string;
  readonly scope: string;
}

const LIFE_SECONDS = 3600;

export async function openSandboxAuthorization(): Promise<SandboxAuthorization> {
  const codes = new Map<string, Request>();
  const secret = (): string => randomBytes(24).toString('base64url');

  const authorize = async (request: IncomingMessage, response: ServerResponse, url: URL) => {
    const query = url.searchParams;
    const redirect = new URL(query.get('redirect_uri') ?? '');
    if (redirect.hostname !== '127.0.0.1') throw new Error('the redirect leaves this machine');
    if (request.method === 'GET') {
      response.writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': "default-src 'none'; form-action *; frame-ancestors 'none'",
      });
      response.end(String(await toPage(query.get('scope') ?? '')));
      return;
    }
    redirect.searchParams.set('state', query.get('state') ?? '');
    if (new URLSearchParams(await text(request)).get('decision') === 'grant') {
      const code = secret();
      codes.set(code, {
        redirectUri: query.get('redirect_uri') ?? '',
        challenge: query.get('code_challenge') ?? '',
        scope: query.get('scope') ?? '',
      });
      redirect.searchParams.set('code', code);
    } else {
      redirect.searchParams.set('error', 'access_denied');
    }
    response.writeHead(303, { location: redirect.href }).end();
  };

  const exchange = async (request: IncomingMessage, response: ServerResponse) => {
    const form = new URLSearchParams(await text(request));
    const code = form.get('code') ?? '';
    const asked = codes.get(code);
    codes.delete(code); // a code works once, whatever comes of it
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isValid =
      asked !== undefined &&
      asked.challenge === challenge &&
      asked.redirectUri === form.get('redirect_uri');
    response.writeHead(isValid ? 200 : 400, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify(
        isValid
          ? {
              token_type: 'Bearer',
              access_token: secret(),
              refresh_token: secret(),
              expires_in: LIFE_SECONDS,
              scope: asked.scope,
            }
          : { error: 'invalid_grant' },
      ),
    );
  };

  const server = createServer((request, response) => {
    const url = URL.parse(request.url ?? '/', 'http://127.0.0.1');
    const done =
      url?.pathname === '/authorize'
        ? authorize(request, response, url)
        : url?.pathname === '/token' && request.method === 'POST'
          ? exchange(request, response)
          : Promise.reject(new Error('there is nothing here'));
    done.catch(() => void response.writeHead(400).end('This request is not valid.\n'));
  });
  // It does not keep the program from ending.
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve).unref());
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    authorize: `${base}/authorize`,
    token: `${base}/token`,
    clientId: 'groupware-example',
    [Symbol.asyncDispose]: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

function toPage(scope: string) {
  return html`<!doctype html>
    <html lang="en">
      <title>Grant access</title>
      <h1>Grant access</h1>
      <p>The groupware server asks for access to your account: ${scope}</p>
      <form method="post">
        <button name="decision" value="grant">Grant access</button>
        <button name="decision" value="deny">Deny</button>
      </form>
    </html>`;
}
