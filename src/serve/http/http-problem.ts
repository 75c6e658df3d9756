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
    const error = problem.code === 'unauthenticated' ? '' : ' error="invalid_token",';
    headers['www-authenticate'] = `Bearer${error} ${scopeParameter(problem)}`
      .trim()
      .replace(/,$/, '');
  }
  if (problem.code === 'scope-missing') {
    headers['www-authenticate'] = `Bearer error="insufficient_scope", ${scopeParameter(problem)}`;
  }
  if (problem.current !== undefined) headers['etag'] = `"${problem.current}"`;
  if (problem.retryAfter !== undefined) headers['retry-after'] = String(problem.retryAfter);
  return headers;
}

function scopeParameter({ missing }: Problem): string {
  return missing === undefined ? '' : `scope="${missing.join(' ')}"`;
}
