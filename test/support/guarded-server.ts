/** An MCP server over HTTP that takes tokens of one authorization server only, and says where to get one. */
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { bearerOf } from '../../src/serve/http/guard.ts';
import { jwtVerifier } from '../../src/gate/auth/jwt-verifier.ts';
import { openHttpApp } from '../../src/serve/http/open-http.ts';
import { notesServer } from './notes-server.ts';

export interface GuardedServer extends AsyncDisposable {
  readonly mcpUrl: string;
  /** Tokens that are taken no more. */
  readonly revoked: Set<string>;
}

/** `issuer` has its keys at `/jwks`. The metadata stands where only the challenge tells. */
export async function openGuardedServer(issuer: string): Promise<GuardedServer> {
  const revoked = new Set<string>();
  const inner = openHttpApp(notesServer().server);
  const app = new Hono();
  const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 });
  await new Promise((done) => server.once('listening', done));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const url = `http://127.0.0.1:${port}`;
  const mcpUrl = `${url}/mcp`;
  const verify = jwtVerifier({
    keys: { kind: 'url', url: `${issuer}/jwks` },
    issuer,
    audience: [mcpUrl],
    principalClaim: 'sub',
    scopeClaim: 'scope',
  });
  app.get('/about/resource', ({ json }) =>
    json({ resource: mcpUrl, authorization_servers: [issuer], scopes_supported: ['notes:read'] }),
  );
  app.all('/mcp', async ({ req }) => {
    const token = bearerOf(req.header('authorization'));
    const isGood =
      token !== undefined && !revoked.has(token) && (await verify(token)) !== undefined;
    if (isGood) {
      const headers = new Headers(req.raw.headers);
      headers.delete('authorization');
      return await inner.fetch(new Request(req.raw, { headers }));
    }
    const challenge = `Bearer resource_metadata="${url}/about/resource", scope="notes:read"`;
    return new Response(null, { status: 401, headers: { 'www-authenticate': challenge } });
  });
  return {
    mcpUrl,
    revoked,
    [Symbol.asyncDispose]: async () => {
      await inner[Symbol.asyncDispose]();
      await new Promise((done) => {
        server.close(done);
      });
    },
  };
}
