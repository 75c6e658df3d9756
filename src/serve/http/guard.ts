/**
 * Guards an HTTP endpoint of the kit or the gate: refuses requests from other sites and DNS rebinding,
 * and reads the bearer token of a request.
 */
import { validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';
import type { MiddlewareHandler } from 'hono';
import type { Problem } from '../../lib/problem.ts';
import { toProblem } from '../../lib/problem.ts';
import { toProblemResponse } from './http-problem.ts';
import type { AuthInfo } from '@modelcontextprotocol/server';
import type { Identity } from '../../invoke/identity.ts';

interface GuardOptions {
  /** Host names without port. */
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
}

type Guard = (host: string | undefined, origin: string | undefined) => Problem | undefined;

export const LOOPBACK_NAMES: readonly string[] = Object.freeze(['localhost', '127.0.0.1', '[::1]']);

/** A name and a port. A parser of URLs finds an allowed name in `evil@localhost` and `localhost/evil`, too. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** Few names are ever accepted, on many ports; a URL is not parsed again for one seen before. */
const REMEMBERED = 256;

export function createGuard({ allowedHosts, allowedOrigins }: GuardOptions): Guard {
  const isHost = remembering(
    (host) => HOST.test(host) && validateHostHeader(host, [...allowedHosts]).ok,
  );
  const isOrigin = remembering((origin) => validateOriginHeader(origin, [...allowedOrigins]).ok);
  return (host, origin) => {
    if (host === undefined || !isHost(host)) {
      return toProblem('host-refused', 'The request names a host that is not served here.');
    }
    if (origin === undefined || isOrigin(origin)) return undefined;
    return toProblem('origin-refused', 'Pages of this origin may not send requests here.');
  };
}

function remembering(check: (value: string) => boolean): (value: string) => boolean {
  const accepted = new Set<string>();
  return (value) => {
    if (accepted.has(value)) return true;
    if (!check(value)) return false;
    if (accepted.size < REMEMBERED) accepted.add(value);
    return true;
  };
}

export function guard(options: GuardOptions): MiddlewareHandler {
  const check = createGuard(options);
  return async ({ req }, next) => {
    const problem = check(req.header('host'), req.header('origin'));
    if (problem !== undefined) return toProblemResponse(problem);
    await next();
    return undefined;
  };
}

const BEARER = /^bearer +(\S+) *$/i;

/** The bearer token in an Authorization header. Any other scheme counts as no token. */
export function bearerOf(authorization: string | null | undefined): string | undefined {
  return BEARER.exec(authorization ?? '')?.[1];
}

/** Empty for an anonymous caller, so that it can be spread into the SDK's options. */
export function toAuthInfo(identity: Identity): { readonly authInfo?: AuthInfo } {
  if (identity.kind !== 'known') return {};
  const { id, scopes } = identity.principal;
  // The token has been verified; nothing after this point needs it.
  const extra = { [IDENTITY]: identity };
  return { authInfo: { token: '', clientId: id, scopes: [...scopes], extra } };
}

/** Carries an identity through the SDK, from the request to the handler of the call. */
export const IDENTITY = 'identity';
