/** Writes refusals of the front itself: JSON-RPC errors with the problem as data and its status. */
import type { ServerResponse } from 'node:http';
import type { Problem } from '../../../../lib/problem.ts';
import { toRpcErrorResponse } from '../../../../serve/http/http-problem.ts';
import { toRefusalFrame } from '../../failure-frame.ts';
import type { RpcId } from '../../frame.ts';
import { toFrame } from '../../frame.ts';

export function refuse(response: ServerResponse, problem: Problem, id: RpcId | null = null): void {
  // Its headers tell a client how to sign in or when to come back.
  const headers = Object.fromEntries(toRpcErrorResponse(problem).headers);
  write(response, problem.status, toRefusalFrame(id, problem).bytes, headers);
}

/** For faults that the protocol has its own numbers for. */
export function refuseByCode(
  response: ServerResponse,
  fault: { readonly code: number; readonly message: string },
  id: RpcId | null,
): void {
  const { bytes } = toFrame({ jsonrpc: '2.0', id, error: { ...fault } });
  write(response, 400, bytes, {});
}

function write(
  response: ServerResponse,
  status: number,
  bytes: Uint8Array,
  headers: Readonly<Record<string, string>>,
): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, {
    ...headers,
    'content-type': 'application/json',
    'content-length': bytes.length,
  });
  response.end(bytes);
}
