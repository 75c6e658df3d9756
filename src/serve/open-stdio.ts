/**
 * Serves over standard input and output. The process that starts the server says who calls: the
 * principal is passed when the server is opened, and without one the caller is anonymous.
 */
import type { Readable, TransformCallback } from 'node:stream';
import { Transform, Writable } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { serializeMessage } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Principal } from '../effect/operation.ts';
import type { Identity } from '../invoke/identity.ts';
import { ANONYMOUS } from '../invoke/identity.ts';
import type { Problem } from '../lib/problem.ts';
import { toProblem } from '../lib/problem.ts';
import { parseStrictJson } from '../lib/strict-json.ts';
import type { PlimsollServer } from './create-server.ts';
import { sweepServer } from './create-server.ts';
import { messagesIn } from './http/read-json.ts';
import { toMcpServer } from './to-mcp-server.ts';
import type { TrackedCalls } from './track-calls.ts';
import { trackCalls } from './track-calls.ts';

export interface StdioOptions {
  readonly principal?: Principal;
  /** How long calls that run may take when the server is closed or its input ends. Default: 10 seconds. */
  readonly graceMs?: number;
  /** Default: the process's own. */
  readonly input?: Readable;
  readonly output?: Writable;
}

export interface StdioServer extends AsyncDisposable {
  /** Resolves when the input has ended and every call that came in by then has. */
  readonly done: Promise<void>;
}

/** Closing, and the end of the input, let calls that run end first, and answer them. */
export function openStdio(opened: PlimsollServer, options: StdioOptions = {}): StdioServer {
  const calls = trackCalls(opened, options.graceMs);
  const { server } = calls;
  const { principal, input = process.stdin, output = process.stdout } = options;
  const identity: Identity = principal === undefined ? ANONYMOUS : { kind: 'known', principal };
  const strict = input.pipe(new StrictLines((answer) => void output.write(answer), calls));
  strict.on('error', (error) => server.report('stdio', error));
  const handle = serveStdio(() => toMcpServer(server, 'mcp-stdio', () => identity), {
    transport: new AnsweringTransport(strict, fillingIn(server, output), calls),
    onerror: (error) => {
      server.report('stdio', error);
    },
  });
  const sweeper = sweepServer(server);
  const { promise: done, resolve } = Promise.withResolvers<void>();
  for (const event of ['end', 'close']) {
    input.once(event, () => void calls.drain(true).then(resolve));
  }
  return {
    done,
    [Symbol.asyncDispose]: async () => {
      await calls.drain();
      await sweeper[Symbol.asyncDispose]();
      await handle.close();
    },
  };
}

/** Every message is one write, so a placeholder never spans two. */
function fillingIn(server: PlimsollServer, output: Writable): Writable {
  return new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      const text = typeof chunk === 'string' ? chunk : chunk.toString('utf8');
      output.write(server.toolLists.fillIn(text), done);
    },
  });
}

/**
 * Notes which calls have been answered. Waits for the write itself: the SDK adds two listeners to the stream
 * for each message that waits for a slow reader, and Node warns of a leak from the eleventh on.
 */
class AnsweringTransport extends StdioServerTransport {
  readonly #output: Writable;
  readonly #calls: TrackedCalls;
  #isClosed = false;

  constructor(input: Readable, output: Writable, calls: TrackedCalls) {
    super(input, output);
    this.#output = output;
    this.#calls = calls;
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    try {
      await this.#write(serializeMessage(message));
    } finally {
      if (!('method' in message)) this.#calls.answered(message.id);
    }
  }

  override async close(): Promise<void> {
    this.#isClosed = true;
    await super.close();
  }

  #write(text: string): Promise<void> {
    if (this.#isClosed) return Promise.reject(new Error('the connection is closed'));
    return new Promise((resolve, reject) => {
      this.#output.write(text, (error) => (error ? reject(error) : resolve()));
    });
  }
}

/** The limit of the SDK's own reader. */
const MOST_BYTES = 10 * 1024 * 1024;

class StrictLines extends Transform {
  readonly #refuse: (line: string) => void;
  readonly #calls: TrackedCalls;
  #rest = Buffer.alloc(0);
  /** In the middle of a line that is too long, which was refused when that was seen. */
  #isSkipping = false;

  /** `refuse` gets the answer to each refused line. */
  constructor(refuse: (line: string) => void, calls: TrackedCalls) {
    super();
    this.#refuse = refuse;
    this.#calls = calls;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let rest = Buffer.concat([this.#rest, chunk]);
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      if (!this.#isSkipping) this.#pass(rest.subarray(0, end));
      this.#isSkipping = false;
      rest = rest.subarray(end + 1);
    }
    // Failing would end the process, and everything that runs in it.
    if (rest.length > MOST_BYTES && !this.#isSkipping) this.#refuse(toParseError(TOO_LONG));
    this.#isSkipping ||= rest.length > MOST_BYTES;
    this.#rest = this.#isSkipping ? Buffer.alloc(0) : rest;
    done();
  }

  /** Whoever reads takes the end for a reason to abort what runs. */
  override _flush(done: TransformCallback): void {
    void this.#calls.drain(true).finally(() => done());
  }

  #pass(line: Buffer): void {
    const text = line.toString('utf8').replace(/\r$/, '');
    if (text === '') return;
    const parsed = parseStrictJson(text, { bytes: MOST_BYTES });
    if (parsed.kind !== 'json') {
      return this.#refuse(toParseError(toProblem('malformed-json', parsed.detail)));
    }
    this.#note(parsed.value);
    this.push(`${text}\n`);
    return undefined;
  }

  /** A cancelled call is not answered. */
  #note(message: unknown): void {
    for (const { id, method, params } of messagesIn(message)) {
      if (method === 'tools/call' && id !== undefined) this.#calls.expectAnswer(id);
      if (method === 'notifications/cancelled') this.#calls.answered(params?.requestId);
    }
  }
}

const TOO_LONG = toProblem(
  'payload-too-large',
  `The message is longer than ${MOST_BYTES} bytes and was not read.`,
  { limit: MOST_BYTES },
);

function toParseError(data: Problem): string {
  const error = { code: -32700, message: data.detail, data };
  return `${JSON.stringify({ jsonrpc: '2.0', id: null, error })}\n`;
}
