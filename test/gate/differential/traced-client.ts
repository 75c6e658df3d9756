/** A client as the scripts know it, whichever program it really is. */
import type { Json, JsonObject } from './fixture-world.ts';
import type { Recorder } from './trace.ts';

export type Era = '2025' | '2026';

export type Target =
  | { readonly kind: 'http'; readonly url: string }
  | { readonly kind: 'stdio'; readonly command: string; readonly args: readonly string[] };

export interface RequestOptions {
  readonly progress: boolean;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

export interface TracedClient {
  readonly recorder: Recorder;
  /** The handshake; resolves to what the client learned of the server. */
  open(): Promise<Json>;
  request(method: string, params: JsonObject, options: RequestOptions): Promise<Json>;
  notify(method: string): Promise<void>;
  listen(filter: JsonObject): Promise<void>;
  unlisten(): Promise<void>;
  close(): Promise<void>;
}

export const CLIENT_INFO = { name: 'differential', version: '1.0.0' };
export const CAPABILITIES = { elicitation: {}, sampling: {}, roots: { listChanged: true } };

/** What the people and models behind every client answer. */
export const ANSWERS = {
  'elicitation/create': { action: 'accept', content: { name: 'Ada' } },
  'sampling/createMessage': {
    role: 'assistant',
    content: { type: 'text', text: 'Paris' },
    model: 'a-model',
    stopReason: 'endTurn',
  },
  'roots/list': { roots: [{ uri: 'file:///home/ada', name: 'home' }] },
} as const;
