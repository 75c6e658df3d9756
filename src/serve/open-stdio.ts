/**
 * Serves over standard input and output. The process that starts the server says who calls: the
 * principal is passed when the server is opened, and without one the caller is anonymous.
 */
import type { Readable, TransformCallback } from 'node:stream';
import { Transform, Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Principal } from '../effect/operation.ts';
import type { Identity } from '../invoke/identity.ts';
import { ANONYMOUS } from '../invoke/identity.ts';
import { toProblem } from '../lib/problem.ts';
import { parseStrictJson } from '../lib/strict-json.ts';
import type { PlimsollServer } from './create-server.ts';
import { sweepServer } from './create-server.ts';
import { toMcpServer } from './to-mcp-server.ts';

export interface StdioOptions {
  readonly principal?: Principal;
  /** Default: the process's own. */
  readonly input?: Readable;
  readonly output?: Writable;
}

export function openStdio(server: PlimsollServer, options: StdioOptions = {}): AsyncDisposable {
  const { principal, input = process.stdin, output = process.stdout } = options;
  const identity: Identity = principal === undefined ? ANONYMOUS : { kind: 'known', principal };
  const strict = input.pipe(new StrictLines((answer) => void output.write(answer)));
  strict.on('error', (error) => server.report('stdio', error));
  const handle = serveStdio(() => toMcpServer(server, 'mcp-stdio', () => identity), {
    transport: new StdioServerTransport(strict, fillingIn(server, output)),
    onerror: (error) => {
      server.report('stdio', error);
    },
  });
  const sweeper = sweepServer(server);
  return {
    [Symbol.asyncDispose]: async () => {
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

/** The limit of the SDK's own reader. */
const MOST_BYTES = 10 * 1024 * 1024;

class StrictLines extends Transform {
  readonly #refuse: (line: string) => void;
  #rest = Buffer.alloc(0);

  /** `refuse` gets the answer to each refused line. */
  constructor(refuse: (line: string) => void) {
    super();
    this.#refuse = refuse;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let rest = Buffer.concat([this.#rest, chunk]);
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      this.#pass(rest.subarray(0, end));
      rest = rest.subarray(end + 1);
    }
    this.#rest = rest;
    if (rest.length > MOST_BYTES) done(new Error(`a message is longer than ${MOST_BYTES} bytes`));
    else done();
  }

  #pass(line: Buffer): void {
    const text = line.toString('utf8').replace(/\r$/, '');
    if (text === '') return;
    const parsed = parseStrictJson(text, { bytes: MOST_BYTES });
    if (parsed.kind === 'json') this.push(`${text}\n`);
    else this.#refuse(toParseError(parsed.detail));
  }
}

function toParseError(detail: string): string {
  const data = toProblem('malformed-json', detail);
  return `${JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32700, message: detail, data } })}\n`;
}
