/**
 * Lists the tools of a saved answer or of a server that is started or reached for it, as the raw objects
 * that it sent: nothing is left out or filled in. Throws an Error with one sentence when that fails.
 */
import { statSync } from 'node:fs';
import { readTextFile } from '../../lib/read-text-file.ts';
import { VERSION } from '../../lib/version.ts';
import type { Channel, Delivery } from '../protocol/channel.ts';
import { openEither } from '../protocol/eras/open-either.ts';
import { CODES, LEGACY_VERSIONS, META, MODERN_VERSION } from '../protocol/envelope.ts';
import type { Frame, JsonObject, RpcId } from '../protocol/frame.ts';
import { isId, isRequest, toError, toFrame, toNotification, toResult } from '../protocol/frame.ts';
import { openHttpUpstream } from '../upstream/http-upstream.ts';
import { openProcess } from '../upstream/process.ts';
import { isObject } from '../protocol/read-frame.ts';
import { Requests } from '../protocol/requests.ts';

export type ToolSource =
  | { readonly kind: 'file'; readonly path: string }
  | {
      readonly kind: 'command';
      readonly command: string;
      readonly args: readonly string[];
      readonly env?: Readonly<Record<string, string>>;
      /** What it gets of the environment of this process: its name there, and the variable's name here. */
      readonly passEnv?: Readonly<Record<string, string>>;
      readonly cwd?: string;
    }
  | {
      readonly kind: 'url';
      readonly url: string;
      readonly headers?: Readonly<Record<string, string>>;
    };

const MOST_PAGES = 1000;
const PATIENCE_MS = 60_000;

/** One word that is an address, ends like a list or a configuration, or names a file nobody can run is that; else a command. */
export function readToolSource(words: readonly string[]): ToolSource {
  const [first = '', ...args] = words;
  if (args.length > 0) return { kind: 'command', command: first, args };
  if (ADDRESSES.test(first)) return { kind: 'url', url: first };
  const file = statSync(first, { throwIfNoEntry: false });
  const isPlain = file?.isFile() === true && (file.mode & ANY_EXECUTE) === 0;
  if (isPlain || FILES.test(first)) return { kind: 'file', path: first };
  return { kind: 'command', command: first, args };
}

const ANY_EXECUTE = 0o111;
const ADDRESSES = /^https?:\/\//i;
const FILES = /\.(?:jsonc?|ya?ml|toml)$/i;

/** Whether a word can only be an address or a file, and no program, whatever comes behind it. */
export function isNoProgram(word: string): boolean {
  return ADDRESSES.test(word) || FILES.test(word);
}

export async function listTools(source: ToolSource): Promise<readonly unknown[]> {
  if (source.kind === 'file') return readSaved(source.path);
  if (source.kind === 'url' && !URL.canParse(source.url))
    throw new Error(`${source.url} is not a URL; write https://HOST/PATH`);
  const inner = source.kind === 'url' ? openHttpUpstream(source) : openProcess(source);
  const clientInfo = { name: 'plimsoll', version: VERSION };
  await using channel = openEither(inner, { clientInfo });
  return await listPages(channel, clientInfo, source.kind === 'command');
}

/** A list, an object with `tools`, or the whole JSON-RPC answer. */
async function readSaved(path: string): Promise<readonly unknown[]> {
  const answer = parse(path, await readTextFile(path));
  if (Array.isArray(answer)) return answer as unknown[];
  const result = isObject(answer) && isObject(answer['result']) ? answer['result'] : answer;
  if (isObject(result) && Array.isArray(result['tools'])) return result['tools'] as unknown[];
  throw new Error(`${path} has no "tools"; save a tools/list answer`);
}

/** The engine's own error quotes the text, which may be another file with secrets in it. */
function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${path} is not JSON; save a tools/list answer`);
  }
}

/**
 * A program gets the greeting of 2025 first. The question that a client of 2026 begins with makes some older
 * servers end, which could not be told from one that cannot start at all, and would be started again.
 */
async function listPages(
  channel: Channel,
  clientInfo: JsonObject,
  greets: boolean,
): Promise<readonly unknown[]> {
  const requests = new Requests(channel);
  const gone = Promise.withResolvers<never>();
  gone.promise.catch(() => {}); // it may come when nobody waits any more
  const timer = setTimeout(() => gone.reject(new Error('the server gave no answer')), PATIENCE_MS);
  channel.listen({
    frame: (frame) => {
      const { id, method } = frame.message;
      // A server may see whether anybody is there, and may not ask for more.
      if (isRequest(frame) && isId(id)) channel.send(toReply(id, method));
      else requests.answer(frame);
    },
    failed: (id, failure) => void requests.fail(id, failure),
    renewed: () => {},
    closed: () => gone.reject(new Error('the server ended before it told its tools')),
  });
  try {
    const tools: unknown[] = [];
    const list = greets
      ? await Promise.race([greet(channel, requests, clientInfo), gone.promise])
      : toModern(clientInfo);
    let params: JsonObject = {};
    for (let pages = 0; pages < MOST_PAGES; pages += 1) {
      const page = await Promise.race([ask(requests, list, params), gone.promise]);
      if (Array.isArray(page['tools'])) tools.push(...(page['tools'] as readonly unknown[]));
      const cursor = page['nextCursor'];
      if (cursor === undefined || cursor === null) return tools;
      params = { cursor };
    }
    throw new Error('the list of tools does not end');
  } finally {
    clearTimeout(timer);
  }
}

function toReply(id: RpcId, method: string | undefined): Frame {
  return method === 'ping'
    ? toResult(id, {})
    : toError(id, CODES.methodNotFound, `${method} is not served here`);
}

/** What a request is like that needs no session. */
function toModern(clientInfo: JsonObject): Frame {
  const envelope = {
    [META.version]: MODERN_VERSION,
    [META.capabilities]: {},
    [META.client]: clientInfo,
  };
  return toFrame({ method: 'tools/list', params: { _meta: envelope } });
}

/** Begins a session; gives what a request in it is like. */
async function greet(channel: Channel, requests: Requests, clientInfo: JsonObject): Promise<Frame> {
  const [protocolVersion] = LEGACY_VERSIONS;
  const params = { protocolVersion, capabilities: {}, clientInfo };
  const hello = toFrame({ method: 'initialize' });
  await resultOf(requests.request(hello, 'initialize', params), 'begin a session');
  channel.send(toNotification('notifications/initialized'));
  return toFrame({ method: 'tools/list' });
}

async function ask(requests: Requests, like: Frame, params: JsonObject): Promise<JsonObject> {
  return await resultOf(requests.request(like, 'tools/list', params), 'list its tools');
}

async function resultOf(answer: Promise<Delivery>, what: string): Promise<JsonObject> {
  const delivery = await answer;
  if (delivery.kind === 'failure') throw new Error(delivery.failure.detail);
  const { result, error } = delivery.frame.message;
  if (isObject(result)) return result;
  const why = isObject(error) ? error['message'] : undefined;
  throw new Error(`the server did not ${what}${typeof why === 'string' ? `: ${why}` : ''}`);
}
