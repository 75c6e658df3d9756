/**
 * Posts to an address that a user gave. Only https and only to the public internet: the address is checked
 * after the name is resolved and again on the connection that is used, so that a name cannot move in between.
 * No redirect is followed.
 */
import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns';
import { request as httpRequest } from 'node:http';
import type { Agent } from 'node:https';
import { request as httpsRequest } from 'node:https';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { isPublicAddress } from '../shared/public-address.ts';

export interface OutboundOptions {
  /** For tests and development: this machine may be reached, also without TLS. */
  readonly allowLoopback?: boolean;
  /** For the whole exchange. */
  readonly timeoutMs?: number;
  /** How connections are made. Default: directly, one for each request. */
  readonly agent?: Agent;
}

export type Posted = { readonly status: number } | { readonly error: string };

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

function isAllowed(address: string, { allowLoopback = false }: OutboundOptions): boolean {
  if (isPublicAddress(address)) return true;
  return allowLoopback && LOOPBACK.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** What can be said before anything is resolved. */
export function refuseUrl(
  text: string,
  { allowLoopback = false }: OutboundOptions,
): string | undefined {
  const url = URL.parse(text);
  if (url === null) return 'It is not a URL.';
  if (url.username !== '' || url.password !== '') return 'It must not hold a password.';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isHere =
    host === 'localhost' ||
    (isIP(host) !== 0 && LOOPBACK.check(host, isIPv6(host) ? 'ipv6' : 'ipv4'));
  if (url.protocol !== 'https:' && !(allowLoopback && isHere && url.protocol === 'http:')) {
    return 'It must be https.';
  }
  if (isIP(host) !== 0 && !isAllowed(host, { allowLoopback })) {
    return 'It is an address inside a network.';
  }
  return undefined;
}

const REFUSED = 'the address is inside a network';

export async function postOut(
  text: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  options: OutboundOptions = {},
): Promise<Posted> {
  const refusal = refuseUrl(text, options);
  if (refusal !== undefined) return { error: refusal };
  const url = new URL(text);
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve) => {
    const request = send(url, {
      method: 'POST',
      agent: options.agent ?? false,
      // One that sends a byte now and then is too slow all the same.
      signal: AbortSignal.timeout(options.timeoutMs ?? 30_000),
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
      lookup: (host, _, callback) => {
        lookup(host, { all: true }, (error, found: LookupAddress[]) => {
          if (error !== null) return callback(error, '', 4);
          const [first] = found;
          // One bad address among several is enough to distrust the name.
          const isFine =
            first !== undefined && found.every(({ address }) => isAllowed(address, options));
          return isFine ? callback(null, found) : callback(new Error(REFUSED), '', 4);
        });
      },
    });
    request.on('socket', (socket) => {
      socket.once('connect', () => {
        if (!isAllowed(socket.remoteAddress ?? '', options)) socket.destroy(new Error(REFUSED));
      });
    });
    request.once('error', (error) =>
      resolve({ error: error.name === 'AbortError' ? 'no answer in time' : error.message }),
    );
    request.once('response', (response) => {
      // What it says is of no interest, however long it is.
      response.destroy();
      resolve({ status: response.statusCode ?? 0 });
    });
    request.end(body);
  });
}
