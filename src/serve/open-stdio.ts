/**
 * Serves over standard input and output. Whoever started the process is trusted to say who calls:
 * the principal is given when the server is opened, and without one the caller is nobody.
 */
import { Writable } from 'node:stream';
import type { Readable } from 'node:stream';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Principal } from '../effect/operation.ts';
import type { Identity } from '../invoke/identity.ts';
import { ANONYMOUS } from '../invoke/identity.ts';
import type { PlimsollServer } from './create-server.ts';
import { openSweeper } from './open-sweeper.ts';
import { StrictLines } from './strict-lines.ts';
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
  const sweeper = openSweeper(server);
  return {
    [Symbol.asyncDispose]: async () => {
      await sweeper[Symbol.asyncDispose]();
      await handle.close();
    },
  };
}

/** Every message is one write, so a stand-in never straddles two. */
function fillingIn(server: PlimsollServer, output: Writable): Writable {
  return new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      const text = typeof chunk === 'string' ? chunk : chunk.toString('utf8');
      output.write(server.toolLists.fillIn(text), done);
    },
  });
}
