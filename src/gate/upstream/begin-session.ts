/**
 * Begins a session of the 2025 revisions again after the server has forgotten it: with the handshake of
 * the client, and with what the client has set since. The client only hears that lists may have
 * changed.
 */
import type { Failure } from '../protocol/channel.ts';
import { editFrame } from '../protocol/edit-frame.ts';
import type { Frame } from '../protocol/frame.ts';
import { isId, isRequest, OwnIds } from '../protocol/frame.ts';
import { isObject } from '../protocol/read-frame.ts';
import type { HttpClient } from './http-client.ts';
import type { End, Order } from './http-exchange.ts';
import { readAnswer, toRejection } from './read-answer.ts';

interface Handshake {
  readonly initialize: Frame;
  /** What follows it; asked for when it is due, since the client may confirm the session meanwhile. */
  readonly replay: () => readonly Frame[];
  /** Something that the server sent in between. */
  readonly receive: (bytes: Buffer) => void;
}

interface Begun {
  readonly kind: 'begun';
  readonly id: string | undefined;
  readonly version: string | undefined;
}

export const POST_TYPES: Readonly<Record<string, string>> = Object.freeze({
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
});

const SILENCE_MS = 30_000;
const ids = new OwnIds();

/** A failure is that of the messages which wait for the session, none of which was sent. */
export async function beginSession(
  client: HttpClient,
  handshake: Handshake,
): Promise<Begun | Failure> {
  const { initialize, receive } = handshake;
  const hello = await post(client, initialize, {}, receive);
  const { result } = hello.answer?.message ?? {};
  if (!isObject(result)) return toFailure(hello.end);
  const version = result['protocolVersion'];
  const begun: Begun = {
    kind: 'begun',
    id: hello.session,
    version: typeof version === 'string' ? version : undefined,
  };
  const headers = toSessionHeaders(begun.id, begun.version);
  for (const frame of handshake.replay()) {
    if (isRequest(frame)) {
      const edit = { kind: 'set', path: ['id'], value: ids.next() } as const;
      await post(client, editFrame(frame, [edit]), headers, receive);
    } else {
      const { end } = await post(client, frame, headers, receive);
      if (end?.kind !== 'answered' || end.status >= 300) return toFailure(end);
    }
  }
  return begun;
}

export function toSessionHeaders(
  id: string | undefined,
  version: string | undefined,
): Record<string, string> {
  return {
    ...(id !== undefined && { 'mcp-session-id': id }),
    ...(version !== undefined && { 'mcp-protocol-version': version }),
  };
}

interface Reply {
  readonly answer?: Frame;
  readonly end?: End;
  readonly session?: string;
}

function post(
  client: HttpClient,
  frame: Frame,
  session: Readonly<Record<string, string>>,
  receive: (bytes: Buffer) => void,
): Promise<Reply> {
  const { promise, resolve } = Promise.withResolvers<Reply>();
  const { id } = frame.message;
  const headers = { ...POST_TYPES, ...session };
  const order: Order = { method: 'POST', headers, body: frame.bytes, silenceMs: SILENCE_MS };
  let named: { session?: string } = {};
  client.start(order, {
    head: (answer) => {
      const given = answer['mcp-session-id'];
      if (typeof given === 'string') named = { session: given };
    },
    message: (bytes) => {
      const answer = readAnswer(bytes, isId(id) ? id : undefined);
      if (answer !== undefined && answer.message.id === id) resolve({ answer, ...named });
      else receive(bytes);
    },
    done: (end) => resolve({ end, ...named }),
  });
  return promise;
}

function toFailure(end: End | undefined): Failure {
  const detail = 'The server has forgotten the session, and a new one could not be begun';
  if (end?.kind !== 'answered' || end.status < 300) return { kind: 'not-sent', detail };
  const rejection = toRejection(end, '', Date.now());
  if (rejection.kind === 'error' || rejection.failure.kind === 'lost') {
    return { kind: 'not-sent', detail };
  }
  return { ...rejection.failure, detail: `${detail}: ${rejection.failure.detail}` };
}
