/** How a problem is sent over HTTP: as problem+json, or inside a JSON-RPC error for MCP clients. */
import type { Problem } from '../../lib/problem.ts';

type RequestId = string | number | null;

export function toProblemResponse(problem: Problem): Response {
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: { 'content-type': 'application/problem+json', ...challengeHeaders(problem) },
  });
}

/** JSON-RPC has its own error numbers; the problem goes into `data`, the status onto the response. */
export function toRpcErrorResponse(problem: Problem, id: RequestId = null): Response {
  const code = problem.code === 'malformed-json' ? -32700 : -32600;
  const body = { jsonrpc: '2.0', id, error: { code, message: problem.detail, data: problem } };
  return new Response(JSON.stringify(body), {
    status: problem.status,
    headers: { 'content-type': 'application/json', ...challengeHeaders(problem) },
  });
}

/** RFC 6750 and RFC 9110: what the client can do next, in standard headers. */
function challengeHeaders(problem: Problem): Record<string, string> {
  const headers: Record<string, string> = {};
  if (problem.status === 401) {
    headers['www-authenticate'] = toChallenge(
      problem,
      problem.code === 'unauthenticated' ? undefined : 'invalid_token',
    );
  }
  if (problem.code === 'scope-missing') {
    headers['www-authenticate'] = toChallenge(problem, 'insufficient_scope');
  }
  const tag = problem.current === undefined ? undefined : toEntityTag(problem.current);
  if (tag !== undefined) headers['etag'] = tag;
  if (problem.retryAfter !== undefined && Number.isFinite(problem.retryAfter)) {
    headers['retry-after'] = String(Math.max(0, Math.ceil(problem.retryAfter)));
  }
  return headers;
}

/** The characters of a scope by RFC 6749; a header can hold no others between its quotes. */
const SCOPE = /^[\x21\x23-\x5B\x5D-\x7E]+$/;

function toChallenge({ missing }: Problem, error: string | undefined): string {
  const scopes = missing?.filter((scope) => SCOPE.test(scope)) ?? [];
  const parameters = [
    ...(error === undefined ? [] : [`error="${error}"`]),
    ...(scopes.length === 0 ? [] : [`scope="${scopes.join(' ')}"`]),
  ];
  return ['Bearer', parameters.join(', ')].filter((part) => part !== '').join(' ');
}

/**
 * What stands between the quotes. Other letters would be allowed, but every library encodes them in its
 * own way; spaces would not, but are common in dates.
 */
const OPAQUE = String.raw`[\x20\x21\x23-\x7E]*`;
const HOLDABLE = new RegExp(`^${OPAQUE}$`);
const ONE_TAG = new RegExp(`^\\s*"(${OPAQUE})"\\s*$`);
/** Not what the standard says, but what people type. */
const UNQUOTED = /^\s*([\x21\x23-\x2B\x2D-\x7E]+)\s*$/;

/** Undefined where a header cannot hold it. */
function toEntityTag(version: string): string | undefined {
  return HOLDABLE.test(version) ? `"${version}"` : undefined;
}

/**
 * The version that `If-Match` names. Undefined for lists, `*` and weak tags, which name none that an
 * operation could compare with its own.
 */
export function readIfMatch(header: string): string | undefined {
  const [, quoted] = ONE_TAG.exec(header) ?? [];
  if (quoted !== undefined) return quoted;
  const [, plain] = UNQUOTED.exec(header) ?? [];
  return plain === '*' ? undefined : plain;
}
