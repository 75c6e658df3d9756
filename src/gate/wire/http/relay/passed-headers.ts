/** Which headers pass the gate in either direction: the protocol's and the client's own, no credentials. */
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

/** Of one connection only, or rewritten by who sends. */
const OF_THE_CONNECTION = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** A client's token is for the gate; a page's origin was judged here. */
const KEPT_FROM_SERVER: ReadonlySet<string> = new Set([
  ...OF_THE_CONNECTION,
  'authorization',
  'content-length',
  'cookie',
  'expect',
  'forwarded',
  'host',
  'origin',
  'referer',
]);

/** How to sign in at the server is no business of the client. */
const KEPT_FROM_CLIENT: ReadonlySet<string> = new Set([
  ...OF_THE_CONNECTION,
  'set-cookie',
  'www-authenticate',
]);

export function toServerHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const name in headers) {
    if (KEPT_FROM_SERVER.has(name) || name.startsWith('sec-') || name.startsWith('x-forwarded')) {
      continue;
    }
    const value = headers[name];
    if (typeof value === 'string') passed[name] = value;
  }
  return passed;
}

export function toClientHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const passed: OutgoingHttpHeaders = {};
  for (const name in headers) {
    if (!KEPT_FROM_CLIENT.has(name)) passed[name] = headers[name];
  }
  return passed;
}
