/**
 * The server's own access to the accounts of its users: each request for it is a session of its own
 * that a person completes in a browser (authorization code with PKCE), and ends in a stored grant.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as z from 'zod';
import type { Database } from '../../shared/database.ts';

/** Where an authorization server is. */
export interface Endpoints {
  readonly authorize: string;
  readonly token: string;
  readonly clientId: string;
  readonly clientSecret?: string;
}

export interface AccessInit {
  /** Holds the grants. */
  readonly db: Database;
  /** Called when the first session is opened. */
  readonly endpoints: () => Promise<Endpoints>;
  readonly now: () => Date;
}

export interface Grant {
  readonly scope: string;
  readonly granted_at: string;
  readonly expires_at: string;
}

export interface Session {
  readonly id: string;
  /** For a person to open. */
  readonly url: string;
}

export type SessionState = 'granted' | 'denied' | 'pending';

interface Pending {
  readonly user: string;
  readonly verifier: string;
  readonly begunAt: number;
  readonly done: PromiseWithResolvers<SessionState>;
}

const Tokens = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  expires_in: z.number(),
  scope: z.string().default(''),
});

/** How long a person may take. */
const SESSION_MS = 15 * 60_000;

const SCOPE = 'openid profile offline_access';

export class Access implements AsyncDisposable {
  readonly #init: AccessInit;
  readonly #sessions = new Map<string, Pending>();
  #endpoints: Promise<Endpoints> | undefined;
  #listener: Promise<{ readonly server: Server; readonly url: string }> | undefined;

  constructor(init: AccessInit) {
    this.#init = init;
    init.db.execute(`CREATE TABLE IF NOT EXISTS grants (
      user TEXT PRIMARY KEY, access_token TEXT NOT NULL, refresh_token TEXT NOT NULL,
      scope TEXT NOT NULL, granted_at TEXT NOT NULL, expires_at TEXT NOT NULL) STRICT`);
  }

  /** A new session, whatever sessions there are. */
  async begin(user: string): Promise<Session> {
    this.#endpoints ??= this.#init.endpoints();
    this.#listener ??= this.#listen();
    const { authorize, clientId } = await this.#endpoints;
    const { url: redirect } = await this.#listener;
    const id = randomBytes(24).toString('base64url');
    const verifier = randomBytes(32).toString('base64url');
    const begunAt = this.#init.now().getTime();
    for (const [old, session] of this.#sessions) {
      if (begunAt - session.begunAt > SESSION_MS) this.#sessions.delete(old);
    }
    this.#sessions.set(id, { user, verifier, begunAt, done: Promise.withResolvers() });
    const url = new URL(authorize);
    const query = {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirect,
      scope: SCOPE,
      state: id,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    };
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return { id, url: url.href };
  }

  /** How a session ended, or `pending` if it has not within the time. Those of others do not exist. */
  async wait(id: string, user: string, ms: number, signal: AbortSignal): Promise<SessionState> {
    const session = this.#sessions.get(id);
    if (session?.user !== user) return 'denied';
    const patience = AbortSignal.any([signal, AbortSignal.timeout(ms)]);
    const late = new Promise<SessionState>((resolve) => {
      patience.addEventListener('abort', () => resolve('pending'), { once: true });
    });
    return Promise.race([session.done.promise, late]);
  }

  grantOf(user: string): Grant | undefined {
    const sql = 'SELECT scope, granted_at, expires_at FROM grants WHERE user = :user';
    return this.#init.db.get(sql, { user }) as unknown as Grant | undefined;
  }

  /** Whether there was a grant. Its tokens are deleted. */
  revoke(user: string): boolean {
    return this.#init.db.run('DELETE FROM grants WHERE user = :user', { user }).changes > 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const listener = await this.#listener;
    if (listener === undefined) return;
    await new Promise<void>((resolve) => void listener.server.close(() => resolve()));
  }

  /** Where browsers come back to. */
  async #listen(): Promise<{ readonly server: Server; readonly url: string }> {
    const server = createServer((request, response) => {
      const url = URL.parse(request.url ?? '/', 'http://127.0.0.1');
      const said =
        url?.pathname === '/callback'
          ? this.#complete(url.searchParams)
          : Promise.resolve('denied');
      const answer = (state: string): void => {
        const isGranted = state === 'granted';
        response.writeHead(isGranted ? 200 : 400, { 'content-type': 'text/plain; charset=utf-8' });
        response.end(
          isGranted ? 'Access is granted. Close this page.\n' : 'No access was granted.\n',
        );
      };
      said.then(answer, () => answer('denied'));
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve).unref());
    const { port } = server.address() as AddressInfo;
    return { server, url: `http://127.0.0.1:${port}/callback` };
  }

  /** Each session is completed once. */
  async #complete(query: URLSearchParams): Promise<SessionState> {
    const id = query.get('state') ?? '';
    const session = this.#sessions.get(id);
    if (session === undefined) return 'denied';
    const { user, verifier, done, begunAt } = session;
    this.#sessions.set(id, { ...session, verifier: '' });
    const code = query.get('code');
    const isNew = verifier !== '';
    const isInTime = this.#init.now().getTime() - begunAt <= SESSION_MS;
    const isGranted =
      code !== null && isNew && isInTime && (await this.#tryExchange(user, code, verifier));
    const state = isGranted ? 'granted' : 'denied';
    if (isNew) done.resolve(state);
    return state;
  }

  /** An authorization server that does not answer, or answers something else, grants nothing. */
  async #tryExchange(user: string, code: string, verifier: string): Promise<boolean> {
    try {
      return await this.#exchange(user, code, verifier);
    } catch {
      return false;
    }
  }

  async #exchange(user: string, code: string, verifier: string): Promise<boolean> {
    if (this.#endpoints === undefined || this.#listener === undefined) return false;
    const { token, clientId, clientSecret } = await this.#endpoints;
    const { url: redirect } = await this.#listener;
    const response = await fetch(token, {
      method: 'POST',
      signal: AbortSignal.timeout(10_000),
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirect,
        client_id: clientId,
        code_verifier: verifier,
        ...(clientSecret !== undefined && { client_secret: clientSecret }),
      }),
    });
    if (!response.ok) return false;
    const tokens = Tokens.parse(await response.json());
    const now = this.#init.now();
    this.#init.db.run(
      `INSERT OR REPLACE INTO grants (user, access_token, refresh_token, scope, granted_at, expires_at)
       VALUES (:user, :access, :refresh, :scope, :granted, :expires)`,
      {
        user,
        access: tokens.access_token,
        refresh: tokens.refresh_token,
        scope: tokens.scope,
        granted: now.toISOString(),
        expires: new Date(now.getTime() + tokens.expires_in * 1000).toISOString(),
      },
    );
    return true;
  }
}
