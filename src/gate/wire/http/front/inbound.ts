/** A request of a client whose sender is known. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal } from '../../../../effect/operation.ts';

export interface Inbound {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly principal: Principal;
}

/** Taken, and nothing to say about it. */
export function accept(response: ServerResponse): void {
  response.writeHead(202, { 'content-length': 0 });
  response.end();
}
