/** The server behind a relay: pooled connections, the gate's own credentials, one request at a time each. */
import type { ClientRequest, IncomingMessage } from 'node:http';
import { Agent as HttpAgent, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { urlToHttpOptions } from 'node:url';
import type { Failure } from '../../channel.ts';
import type { Authorize } from '../endpoint/link.ts';

export interface UpstreamOptions {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly authorize?: Authorize;
}

export interface Outgoing {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

export type Arrived =
  | { readonly kind: 'response'; readonly response: IncomingMessage }
  | { readonly kind: 'failure'; readonly failure: Failure };

const FREE_CONNECTIONS = 128;
const DENIED = 401;

export class Upstream implements Disposable {
  readonly #place: object;
  readonly #agent: HttpAgent;
  readonly #request: typeof requestHttp;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #authorize: Authorize | undefined;

  constructor({ url, headers = {}, authorize }: UpstreamOptions) {
    const { protocol, hostname, port, path, auth } = urlToHttpOptions(new URL(url));
    const isSecure = protocol === 'https:';
    const Agent = isSecure ? HttpsAgent : HttpAgent;
    this.#agent = new Agent({ keepAlive: true, maxFreeSockets: FREE_CONNECTIONS });
    this.#request = isSecure ? requestHttps : requestHttp;
    this.#place = { hostname, port, path, auth, agent: this.#agent };
    this.#headers = headers;
    this.#authorize = authorize;
  }

  /** Gives a way to break it off. */
  send(outgoing: Outgoing, arrived: (arrival: Arrived) => void): () => void {
    if (this.#authorize === undefined) {
      const request = this.#start(outgoing, {}, arrived);
      return () => request.destroy();
    }
    return this.#sendWithToken(this.#authorize, outgoing, arrived);
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }

  #sendWithToken(
    authorize: Authorize,
    outgoing: Outgoing,
    arrived: (arrival: Arrived) => void,
  ): () => void {
    let request: ClientRequest | undefined;
    let isOver = false;
    const run = async (refused: boolean): Promise<void> => {
      const token = await (refused ? authorize({ refused: true }) : authorize());
      if (isOver) return;
      const bearer = token === undefined ? {} : { authorization: `Bearer ${token}` };
      request = this.#start(outgoing, bearer, (arrival) => {
        const isDenied = arrival.kind === 'response' && arrival.response.statusCode === DENIED;
        if (!isDenied || refused) return arrived(arrival);
        arrival.response.resume();
        return void run(true);
      });
    };
    run(false).catch(() => {
      const detail = 'There is no token for the server';
      arrived({ kind: 'failure', failure: { kind: 'not-sent', detail } });
    });
    return () => {
      isOver = true;
      request?.destroy();
    };
  }

  #start(
    { method, headers, body }: Outgoing,
    bearer: Readonly<Record<string, string>>,
    arrived: (arrival: Arrived) => void,
  ): ClientRequest {
    let isSent = false;
    let isTold = false;
    const length = body === undefined ? {} : { 'content-length': String(body.length) };
    const request = this.#request({
      ...this.#place,
      method,
      headers: { ...headers, ...this.#headers, ...bearer, ...length },
    });
    request.once('socket', (socket) => {
      if (socket.connecting) socket.once('connect', () => (isSent = true));
      else isSent = true;
    });
    request.once('response', (response) => {
      isTold = true;
      arrived({ kind: 'response', response });
    });
    request.on('error', (error) => {
      if (isTold) return;
      isTold = true;
      const kind = isSent ? 'lost' : 'not-sent';
      const detail = `The server could not be reached or did not answer: ${error.message}`;
      arrived({ kind: 'failure', failure: { kind, detail } });
    });
    request.end(body);
    return request;
  }
}
