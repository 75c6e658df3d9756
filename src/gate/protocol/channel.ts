/**
 * The port between the parts of the gate: frames go up to a server with `send` and come back to the one
 * listener. A server process, an HTTP upstream, a translator of eras, the aggregate and the gate itself
 * are all channels, and one contract suite holds each of them to the rules below.
 */
import type { Frame, RpcId } from './frame.ts';

/**
 * Every request that was sent is settled exactly once: by one response frame with its id, or by one
 * `failed`. That holds after a cancel, a restart of the server, a stream that ends without a result, a
 * timeout and disposal. A response to an id that is not in flight is never passed to the listener.
 */
export interface Channel extends AsyncDisposable {
  /** Called once, before the first `send`. */
  listen(listener: Listener): void;
  /**
   * Never throws and never calls the listener back before it returns. A `notifications/cancelled`
   * leaves its request in flight: it is settled by a late answer, or as `lost` after a grace time.
   */
  send(frame: Frame): void;
  /** Settles what is in flight, then calls `closed`; nothing is called after it resolves. */
  [Symbol.asyncDispose](): Promise<void>;
}

export interface Listener {
  frame(frame: Frame): void;
  /** A request that was sent gets no answer. */
  failed(id: RpcId, failure: Failure): void;
  /**
   * The server ended or lost its session; whatever is sent next reaches a new one. Nothing that it said
   * about itself (tools, capabilities) holds any longer. Called before anything is sent to the new one, and
   * by a channel to a server after the requests in flight were settled. The gate may call it while calls of
   * its client are open, since it sends some of them again; they are settled later, like any other.
   */
  renewed(): void;
  /** Nothing more will come. Called once. */
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
  /** The server's process ended, or never began. */
  readonly ended?: true;
  /** Its program is not there or may not be run: another attempt fails like this one. */
  readonly unstarted?: true;
}

/** What became of one sending of a call: an answer, or the reason why there is none. */
export type Delivery =
  | { readonly kind: 'answer'; readonly frame: Frame }
  | { readonly kind: 'failure'; readonly failure: Failure };
