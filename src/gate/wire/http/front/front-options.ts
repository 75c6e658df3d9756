/** What a front needs to know. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal } from '../../../../effect/operation.ts';
import type { Authenticate } from '../../../../invoke/identity.ts';
import type { Channel } from '../../channel.ts';
import type { Frame } from '../../frame.ts';
import type { Inbound } from './inbound.ts';

/** For whom a channel is opened: a session of the 2025 revisions, or a principal of 2026-07-28. */
export interface FrontCaller {
  readonly principal: Principal;
  readonly session: string;
  readonly era: 'modern' | 'legacy';
}

export interface FrontOptions {
  /** Default: 127.0.0.1. */
  readonly host?: string;
  /** Default: any free one. */
  readonly port?: number;
  /** Default: `/mcp`. */
  readonly path?: string;
  readonly authenticate?: Authenticate;
  /** Who callers are when there is no `authenticate`; only on this machine. */
  readonly principal?: Principal;
  readonly openSession: (caller: FrontCaller) => Channel | Promise<Channel>;
  /** Bytes. Default: 4 MiB. */
  readonly bodyLimit?: number;
  /** Host names without port. Default: this machine's. */
  readonly allowedHosts?: readonly string[];
  readonly allowedOrigins?: readonly string[];
  /** How long an unused channel is kept. Default: half an hour. */
  readonly sessionIdleMs?: number;
  readonly sessionLimit?: number;
  /** Passes on by itself what needs no translation. */
  readonly relay?: FrontRelay;
  /** Other paths; tells whether it took the request. */
  readonly routes?: (request: IncomingMessage, response: ServerResponse) => boolean;
  readonly report: (message: string, cause: unknown) => void;
}

interface FrontRelay {
  /** Whether it took the request; if not, nothing was sent and nothing answered. */
  post(inbound: Inbound, frame: Frame): Promise<boolean>;
  getOrDelete(inbound: Inbound): boolean;
}
