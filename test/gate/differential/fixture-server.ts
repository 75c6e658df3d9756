/**
 * The fixture server as a process: `fixture-server.ts NAME` on standard input and output, or
 * `fixture-server.ts NAME PORT` over streamable HTTP, sessions and streams of 2025 and single requests of
 * 2026 at one address.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { Message } from './fixture-world.ts';
import { FixtureSession } from './fixture-session.ts';
import { FixtureWorld } from './fixture-world.ts';
import { readLines } from './read-lines.ts';

type Id = string | number;

const [, , name = 'alpha', port] = process.argv;
const world = new FixtureWorld(name);
if (port === undefined) serveLines();
else serveHttp(Number(port));

function serveLines(): void {
  const session = new FixtureSession(world, (text) => process.stdout.write(`${text}\n`));
  readLines(process.stdin, (line) => session.receive(line));
  process.stdin.once('end', () => process.exit(0));
}

/** A session of 2025: its standing stream, and those of the requests that are under way. */
class HttpSession {
  readonly session: FixtureSession;
  readonly #streams = new Map<Id, ServerResponse>();
  readonly #waiting: string[] = [];
  #standing: ServerResponse | undefined;

  constructor() {
    this.session = new FixtureSession(world, (text, about) => this.#write(text, about));
  }

  stand(response: ServerResponse): void {
    this.#standing = toStream(response);
    for (const text of this.#waiting.splice(0)) this.#standing.write(toEvent(text));
  }

  receive(text: string, response: ServerResponse): void {
    const { id, method } = JSON.parse(text) as Message; // what clients send is JSON-RPC
    if (id === undefined || method === undefined) {
      response.writeHead(202).end();
    } else {
      this.#streams.set(id, response);
      if (method === 'tools/call') toStream(response);
    }
    this.session.receive(text);
  }

  #write(text: string, about: Id | undefined): void {
    const stream = about === undefined ? undefined : this.#streams.get(about);
    const { method } = JSON.parse(text) as Message; // our own
    if (stream === undefined || about === undefined) {
      if (this.#standing === undefined) this.#waiting.push(text);
      else this.#standing.write(toEvent(text));
    } else if (method === undefined) {
      this.#streams.delete(about);
      end(stream, text);
    } else stream.write(toEvent(text));
  }
}

function serveHttp(address: number): void {
  const sessions = new Map<string, HttpSession>();
  const server = createServer((request, response) => {
    const id = request.headers['mcp-session-id'];
    const session = typeof id === 'string' ? sessions.get(id) : undefined;
    const isModern = request.headers['mcp-protocol-version'] === '2026-07-28';
    if (request.method === 'POST') {
      void (async () => {
        const text = await readBody(request);
        if (isModern) serveOne(text, response);
        else if (session !== undefined) session.receive(text, response);
        else if ((JSON.parse(text) as Message).method === 'initialize') begin(text, response);
        else refuse(response, id);
      })();
    } else if (session === undefined) refuse(response, id);
    else if (request.method === 'GET') session.stand(response);
    else {
      sessions.delete(String(id));
      session.session.close();
      response.writeHead(200).end();
    }
  });
  const begin = (text: string, response: ServerResponse): void => {
    const id = randomUUID();
    const session = new HttpSession();
    sessions.set(id, session);
    response.setHeader('mcp-session-id', id);
    session.receive(text, response);
  };
  server.listen(address, '127.0.0.1', () => process.stdout.write('listening\n'));
}

/** A request of 2026 is a conversation of its own, cancelled by the end of its connection. */
function serveOne(text: string, response: ServerResponse): void {
  const { id, method = '' } = JSON.parse(text) as Message; // what clients send is JSON-RPC
  if (id === undefined) {
    response.writeHead(202).end();
    return;
  }
  const session = new FixtureSession(world, (written) => {
    const { method: told, error } = JSON.parse(written) as Message; // our own
    if (told !== undefined) response.write(toEvent(written));
    else if (response.headersSent) end(response, written);
    else {
      const isUnknown = error?.['code'] === -32_601;
      response.writeHead(isUnknown ? 404 : 200, { 'content-type': 'application/json' });
      response.end(written);
    }
  });
  response.on('close', () => session.close());
  if (method === 'tools/call' || method === 'subscriptions/listen') toStream(response);
  session.receive(text);
}

function refuse(response: ServerResponse, session: unknown): void {
  const status = session === undefined ? 400 : 404;
  const error = { code: -32_000, message: status === 404 ? 'Session not found' : 'No session' };
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error }));
}

function toStream(response: ServerResponse): ServerResponse {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.flushHeaders();
  return response;
}

function toEvent(text: string): string {
  return `event: message\ndata: ${text}\n\n`;
}

function end(response: ServerResponse, text: string): void {
  if (response.headersSent) response.end(toEvent(text));
  else response.writeHead(200, { 'content-type': 'application/json' }).end(text);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer); // no encoding is set
  return Buffer.concat(parts).toString('utf8');
}
