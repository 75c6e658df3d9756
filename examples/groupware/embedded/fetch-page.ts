/** Fetches a web page that a user named: over HTTP, from a public address, within a size and a time. */
import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import type { IncomingMessage } from 'node:http';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { BlockList, isIP } from 'node:net';
import { ProblemError } from 'plimsoll/server';
import { invalid } from '../refuse.ts';

const MOST_BYTES = 2_000_000;
const PATIENCE_MS = 10_000;

/** Everything that is not for the public internet, and what leads to it by translation. */
const PRIVATE = new BlockList();
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  PRIVATE.addSubnet(net, prefix, 'ipv4');
}
for (const [net, prefix] of [
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2001::', 32],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 9],
  ['ff00::', 8],
] as const) {
  PRIVATE.addSubnet(net, prefix, 'ipv6');
}

/** All addresses of a name. */
type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

export interface FetchPageOptions {
  /** `host:port` of servers that are reachable although their addresses are private. */
  readonly allow?: readonly string[];
  /** Default: that of the system. */
  readonly resolve?: Resolve;
}

/** Redirects are not followed: each would have to be checked like the address itself. */
export function fetchPageFrom({ allow = [], resolve = resolveBySystem }: FetchPageOptions = {}) {
  return async (text: string): Promise<string> => {
    const url = URL.parse(text);
    if (url === null || !/^https?:$/.test(url.protocol)) {
      throw invalid('/url', 'The address is not an http or https URL.');
    }
    const host = url.hostname.replaceAll(/[[\]]/g, '');
    const addresses =
      isIP(host) === 0 ? await resolve(host) : [{ address: host, family: isIP(host) }];
    if (!allow.includes(url.host) && addresses.some(isPrivate)) {
      throw invalid('/url', 'The address is in a private network. Nothing was fetched.');
    }
    const response = await tryReading(request(url, addresses));
    if (response.statusCode === undefined || response.statusCode > 299) {
      response.destroy();
      throw invalid('/url', `The page answered with status ${response.statusCode}.`);
    }
    return tryReading(readBounded(response));
  };
}

function isPrivate({ address, family }: LookupAddress): boolean {
  return PRIVATE.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

async function resolveBySystem(host: string): Promise<readonly LookupAddress[]> {
  try {
    return await lookup(host, { all: true });
  } catch {
    throw invalid('/url', 'The host of the address does not exist.');
  }
}

/** Connects to the addresses that were checked: asked again, the name might lead elsewhere. */
function request(url: URL, addresses: readonly LookupAddress[]): Promise<IncomingMessage> {
  const known: LookupFunction = (_, options, callback) => {
    const [first] = addresses;
    if (options.all === true) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    send(url, { lookup: known, signal, agent: false }, resolve).on('error', reject).end();
  });
}

async function tryReading<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    throw new ProblemError('unavailable', 'The page did not answer. Nothing was imported.');
  }
}

async function readBounded(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw invalid('/url', `The page is larger than ${MOST_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
