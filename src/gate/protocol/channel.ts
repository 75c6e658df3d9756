/**
 * The port between the parts of the wire: frames go down with `send` and come up to the one listener.
 * A server process, an HTTP endpoint, a translator of eras and the gate itself are all channels.
 */
import type { Frame, RpcId } from './frame.ts';

export interface Channel extends AsyncDisposable {
  /** Called once, before the first `send`. */
  listen(listener: Listener): void;
  send(frame: Frame): void;
}

export interface Listener {
  frame(frame: Frame): void;
  /** A request that was sent gets no answer. */
  failed(id: RpcId, failure: Failure): void;
  /** Nothing more will come. */
  closed(): void;
}

/**
 * - `not-sent`: it is certain that nothing reached the server.
 * - `refused`: the server answered that it did not take the request (HTTP 429, 503 with a hint).
 * - `lost`: it may have arrived; nobody can tell.
 */
export interface Failure {
  readonly kind: 'not-sent' | 'refused' | 'lost';
  readonly detail: string;
  readonly status?: number;
  readonly retryAfterSeconds?: number;
}

/** What became of one sending of a call: an answer, or the reason why there is none. */
export type Delivery =
  | { readonly kind: 'answer'; readonly frame: Frame }
  | { readonly kind: 'failure'; readonly failure: Failure };
