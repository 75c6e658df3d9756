/**
 * One connection to a server, over which requests go one after the other. Nothing of a request is written before
 * the connection is ready and all that had arrived on it is read: what was sent before a request is never its answer.
 * It is known when the system has taken the last byte of a request, or, over TLS, may have.
 */
import type { Socket } from 'node:net';
import { connect, isIP } from 'node:net';
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import type { AnswerHeaders } from './response-reader.ts';
import { ResponseError, ResponseReader } from './response-reader.ts';

/** Where a server is. */
export interface Address {
  readonly isSecure: boolean;
  readonly host: string;
  readonly port: number;
}

/** A request, as the one who waits for its answer. Told of nothing after its end or its failure. */
export interface OutgoingRequest {
  readonly head: string;
  readonly body: Uint8Array | undefined;
  /** Told again if it goes over another connection, since the one that it was to use was closed before. */
  assigned(connection: Connection): void;
  /** The first byte leaves. */
  ready(): void;
  /** The system has taken the last one, or may have; until then nobody can have read the whole request. */
  written(): void;
  answer(status: number, headers: AnswerHeaders): void;
  data(bytes: Buffer): void;
  end(): void;
  failed(reason: Error | string): void;
}

/** What is told of a connection. */
interface ConnectionPort {
  /** It can send another request. */
  free(connection: Connection): void;
  closed(connection: Connection): void;
  /** It turned out to be no good for another request, of which nothing was written. */
  returned(request: OutgoingRequest): void;
  /** A TLS session that the next connection can go on with. */
  session(session: Buffer): void;
}

/** Finds out that the other machine is gone, where a stream may be silent. */
const PROBE_MS = 30_000;
/** From here on, copying costs more than another part of the same write. */
const LARGE = 64 * 1024;

export class Connection {
  readonly #socket: Socket;
  readonly #isSecure: boolean;
  readonly #port: ConnectionPort;
  #isReady = false;
  #isWritten = false;
  #request: OutgoingRequest | undefined;
  /** Of the answer to what was written; none while nothing is asked. */
  #reader: ResponseReader | undefined;
  #wasUsed = false;
  /** How long it may be unused, if the server says so. */
  #idleMs = Number.POSITIVE_INFINITY;

  constructor(address: Address, session: Buffer | undefined, port: ConnectionPort) {
    const { isSecure, host, port: number } = address;
    this.#port = port;
    this.#isSecure = isSecure;
    this.#socket = isSecure ? connectTls(host, number, session) : connect({ host, port: number });
    const socket = this.#socket;
    socket.setNoDelay(true).setKeepAlive(true, PROBE_MS);
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      this.#isReady = true;
      if (this.#request !== undefined) this.#writeLater(this.#request);
    });
    socket.on('session', (given: Buffer) => port.session(given));
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('end', () => this.#finish());
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail('the connection was closed'));
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  get idleMs(): number {
    return this.#idleMs;
  }

  send(request: OutgoingRequest): void {
    this.#request = request;
    request.assigned(this);
    if (this.#isReady) this.#writeLater(request);
  }

  destroy(): void {
    this.#request = undefined;
    this.#port.closed(this);
    this.#socket.destroy();
  }

  /**
   * After the loop has asked the system once what there is to read. It may be between asking and now, so that the
   * first immediate runs before it asks again, and the second one after that.
   */
  #writeLater(request: OutgoingRequest): void {
    setImmediate(() => setImmediate(() => this.#write(request)));
  }

  #write(request: OutgoingRequest): void {
    if (this.#request !== request) return;
    const socket = this.#socket;
    const { head, body } = request;
    this.#isWritten = false;
    this.#reader = new ResponseReader({
      head: (status, headers) => {
        const [, seconds] = IDLE.exec(headers['keep-alive'] ?? '') ?? [];
        if (seconds !== undefined) this.#idleMs = Number(seconds) * 1000 - EARLY_MS;
        this.#request?.answer(status, headers);
      },
      data: (bytes) => this.#request?.data(bytes),
      end: (isReusable) => this.#end(isReusable),
    });
    request.ready();
    const first = Buffer.from(head, 'latin1');
    if (body === undefined) socket.write(first);
    else if (body.length < LARGE) socket.write(Buffer.concat([first, body]));
    else {
      socket.cork();
      socket.write(first);
      socket.write(body);
      socket.uncork();
    }
    // TLS tells only after the next poll, when the server may have read it all and hung up.
    if (this.#isSecure) request.written();
    if (socket.writableLength === 0) this.#written(request);
    else {
      socket.write('', (error) => {
        if (!error) this.#written(request);
      });
    }
  }

  #written(request: OutgoingRequest): void {
    if (this.#request !== request) return;
    this.#isWritten = true;
    request.written();
  }

  #read(chunk: Buffer): void {
    if (this.#reader === undefined) return this.#fail('the server sent what nobody asked for');
    try {
      return this.#reader.push(chunk);
    } catch (error) {
      if (!(error instanceof ResponseError)) throw error;
      return this.#fail(error);
    }
  }

  #finish(): void {
    try {
      this.#reader?.finish();
      this.#fail('the connection was closed');
    } catch (error) {
      if (!(error instanceof ResponseError)) throw error;
      this.#fail(error);
    }
  }

  #end(isReusable: boolean): void {
    const request = this.#request;
    this.#request = undefined;
    this.#reader = undefined;
    this.#wasUsed = true;
    // An answer to half a request says nothing of what the other half would be taken for.
    if (request !== undefined && isReusable && this.#isWritten) this.#port.free(this);
    else this.destroy();
    request?.end();
  }

  #fail(reason: Error | string): void {
    const request = this.#request;
    const isReturned = this.#wasUsed && this.#reader === undefined;
    this.destroy();
    if (request !== undefined && isReturned) this.#port.returned(request);
    else request?.failed(reason);
  }
}

/** As servers write it in `Keep-Alive`. */
const IDLE = /\btimeout=(\d{1,6})\b/;
/** The server may close it while a request is on its way. */
const EARLY_MS = 1000;

function connectTls(host: string, port: number, session: Buffer | undefined): TLSSocket {
  const options: ConnectionOptions = {
    host,
    port,
    ALPNProtocols: ['http/1.1'],
    // Names are sent, addresses are not; the certificate is checked for either.
    ...(isIP(host) === 0 && { servername: host }),
    ...(session && { session }),
  };
  return process.getBuiltinModule('node:tls').connect(options);
}
