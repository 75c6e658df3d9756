/** Fetches a web page that a user named: over HTTP, from a public address, within a size and a time. */
import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { ProblemError } from 'plimsoll/server';
import { invalid } from '../refuse.ts';

const MOST_BYTES = 2_000_000;
const PATIENCE_MS = 10_000;

const PRIVATE = new BlockList();
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  PRIVATE.addSubnet(net, prefix, 'ipv4');
}
for (const [net, prefix] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
] as const) {
  PRIVATE.addSubnet(net, prefix, 'ipv6');
}

export interface FetchPageOptions {
  /** `host:port` of servers that are reachable although their addresses are private. */
  readonly allow?: readonly string[];
}

/** Redirects are not followed: each would have to be checked like the address itself. */
export function fetchPageFrom({ allow = [] }: FetchPageOptions = {}) {
  return async (text: string): Promise<string> => {
    const url = URL.parse(text);
    if (url === null || !/^https?:$/.test(url.protocol)) {
      throw invalid('/url', 'The address is not an http or https URL.');
    }
    if (!allow.includes(url.host)) await refusePrivate(url.hostname.replaceAll(/[[\]]/g, ''));
    const response = await request(url);
    if (!response.ok || response.body === null) {
      throw invalid('/url', `The page answered with status ${response.status}.`);
    }
    return readBounded(response.body);
  };
}

async function refusePrivate(host: string): Promise<void> {
  const found = isIP(host) === 0 ? await resolve(host) : [{ address: host, family: isIP(host) }];
  const isPrivate = found.some(({ address, family }) =>
    PRIVATE.check(address, family === 6 ? 'ipv6' : 'ipv4'),
  );
  if (isPrivate) throw invalid('/url', 'The address is in a private network. Nothing was fetched.');
}

async function resolve(host: string) {
  try {
    return await lookup(host, { all: true });
  } catch {
    throw invalid('/url', 'The host of the address does not exist.');
  }
}

async function request(url: URL): Promise<Response> {
  try {
    return await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS) });
  } catch {
    throw new ProblemError('unavailable', 'The page did not answer. Nothing was imported.');
  }
}

async function readBounded(body: ReadableStream<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw invalid('/url', `The page is larger than ${MOST_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
