/** Turns away what a browser tricked by DNS rebinding or another site would send. */
import { validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';
import type { MiddlewareHandler } from 'hono';
import type { Problem } from '../../lib/problem.ts';
import { toProblem } from '../../lib/problem.ts';
import { toProblemResponse } from './http-problem.ts';
import type { AuthInfo } from '@modelcontextprotocol/server';
import type { Identity } from '../../invoke/identity.ts';

interface GuardOptions {
  /** Host names without port. Default: this machine only. */
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
}

export const LOOPBACK_NAMES: readonly string[] = Object.freeze(['localhost', '127.0.0.1', '[::1]']);

export function guard({ allowedHosts, allowedOrigins }: GuardOptions): MiddlewareHandler {
  return async (context, next) => {
    const problem =
      checkHost(context.req.header('host'), allowedHosts) ??
      checkOrigin(context.req.header('origin'), allowedOrigins);
    if (problem !== undefined) return toProblemResponse(problem);
    await next();
    return undefined;
  };
}

function checkHost(host: string | undefined, allowed: readonly string[]): Problem | undefined {
  if (validateHostHeader(host, [...allowed]).ok) return undefined;
  return toProblem('host-refused', 'The request names a host that this server is not.');
}

function checkOrigin(origin: string | undefined, allowed: readonly string[]): Problem | undefined {
  if (validateOriginHeader(origin, [...allowed]).ok) return undefined;
  return toProblem(
    'origin-refused',
    'The request comes from a page that may not call this server.',
  );
}

/** Takes the bearer token off a request. Other schemes are as good as no token. */
export function bearerOf(headers: Headers): string | undefined {
  const [scheme, token] = (headers.get('authorization') ?? '').split(/ +/, 2);
  return scheme?.toLowerCase() === 'bearer' && token !== undefined && token !== ''
    ? token
    : undefined;
}

/** Nothing for nobody, so that it can be spread into the SDK's options. */
export function toAuthInfo(identity: Identity): { readonly authInfo?: AuthInfo } {
  if (identity.kind !== 'known') return {};
  const { id, scopes } = identity.principal;
  // The token has done its work; nothing behind this point has a use for it.
  const extra = { [IDENTITY]: identity };
  return { authInfo: { token: '', clientId: id, scopes: [...scopes], extra } };
}

/** Carries an identity through the SDK, from the request to the handler of the call. */
export const IDENTITY = 'identity';
