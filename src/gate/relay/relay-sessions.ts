/** Conversations through a relay: whose they are, what is under way in them, and what was asked. */
import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Principal } from '../../effect/operation.ts';
import { ClientQuestions } from '../client-questions.ts';
import type { Frame, RpcId } from '../wire/frame.ts';
import { isId, isResponse } from '../wire/frame.ts';
import { ownerOf } from '../wire/http/front/to-caller.ts';

const MOST_SESSIONS = 10_000;

/** A call under way. */
interface OpenCall {
  readonly abort: () => void;
  readonly take: (frame: Frame) => void;
}

/** One conversation. */
export class RelaySession {
  readonly name: string;
  readonly owner: string;
  readonly questions: ClientQuestions;
  /** Where to send what the gate itself wants to say in a call. */
  readonly calls: Map<RpcId, OpenCall> = new Map();

  constructor(name: string, owner: string) {
    this.name = name;
    this.owner = owner;
    this.questions = new ClientQuestions((frame) => {
      const call = frame.about === undefined ? undefined : this.calls.get(frame.about);
      call?.take(frame);
    });
  }

  cancel(id: unknown): void {
    if (isId(id)) this.calls.get(id)?.abort();
  }

  /** An answer that comes on another stream than the one its call was made on. */
  hear(frame: Frame): void {
    const { id } = frame.message;
    if (isResponse(frame) && isId(id)) this.calls.get(id)?.take(frame);
  }
}

export class RelaySessions {
  readonly #sessions = new LRUCache<string, RelaySession>({ max: MOST_SESSIONS });

  /** `undefined`: it is somebody else's. */
  find(
    request: IncomingMessage,
    principal: Principal,
    isModern: boolean,
  ): RelaySession | undefined {
    const id = request.headers['mcp-session-id'];
    const owner = ownerOf(principal);
    const hasSession = !isModern && typeof id === 'string';
    const key = hasSession ? `session:${id}` : `principal:${owner}`;
    const known = this.#sessions.get(key);
    if (known !== undefined) return known.owner === owner ? known : undefined;
    const name = hasSession ? id : key;
    const session = new RelaySession(name, owner);
    // A session that began before this process did; its server knows whether it still stands.
    this.#sessions.set(key, session);
    return session;
  }

  open(id: string | string[] | undefined, principal: Principal, initialize: Frame): void {
    if (typeof id !== 'string') return;
    const session = new RelaySession(id, ownerOf(principal));
    session.questions.seeHandshake(initialize);
    this.#sessions.set(`session:${id}`, session);
  }
}
