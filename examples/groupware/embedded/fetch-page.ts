/** Fetches a web page that a user named: over HTTP, from a public address, within a size and a time. */
import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import type { IncomingMessage } from 'node:http';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { isIP } from 'node:net';
import { ProblemError } from 'plimsoll/server';
import { isPublicAddress } from '../../shared/public-address.ts';
import { invalid } from '../refuse.ts';

const MOST_BYTES = 2_000_000;
const PATIENCE_MS = 10_000;

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
    if (!allow.includes(url.host) && addresses.some(({ address }) => !isPublicAddress(address))) {
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
