/** Turns away what a browser tricked by DNS rebinding, or another site, would send. */
import type { IncomingMessage } from 'node:http';
import { validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';
import type { Problem } from '../../../../lib/problem.ts';
import { toProblem } from '../../../../lib/problem.ts';

export interface GuardOptions {
  /** Host names without port. */
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
}

type Guard = (request: IncomingMessage) => Problem | undefined;

/** Few names are ever accepted, under many ports; no URL is read for one that was seen before. */
const REMEMBERED = 256;

export function createGuard({ allowedHosts, allowedOrigins }: GuardOptions): Guard {
  const isHost = remembering((host) => validateHostHeader(host, [...allowedHosts]).ok);
  const isOrigin = remembering((origin) => validateOriginHeader(origin, [...allowedOrigins]).ok);
  return ({ headers: { host, origin } }) => {
    if (host === undefined || !isHost(host)) {
      return toProblem('host-refused', 'The request names a host that this gate is not.');
    }
    if (origin === undefined || isOrigin(origin)) return undefined;
    const detail = 'The request comes from a page that may not call this gate.';
    return toProblem('origin-refused', detail);
  };
}

function remembering(check: (value: string) => boolean): (value: string) => boolean {
  const accepted = new Set<string>();
  return (value) => {
    if (accepted.has(value)) return true;
    if (!check(value)) return false;
    if (accepted.size < REMEMBERED) accepted.add(value);
    return true;
  };
}
