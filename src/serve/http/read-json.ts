/**
 * Reads a JSON body: right media type, within the limit, unambiguous to every parser; otherwise a
 * problem.
 */
import { isJsonContentType, readRequestBody } from '@modelcontextprotocol/server';
import type { Problem } from '../../lib/problem.ts';
import { toProblem } from '../../lib/problem.ts';
import { parseStrictJson } from '../../lib/strict-json.ts';

type JsonBody =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'problem'; readonly problem: Problem };

export async function readJson(request: Request, limit: number): Promise<JsonBody> {
  const { headers } = request;
  const media = checkMedia(headers.get('content-type'), headers.get('content-encoding'));
  if (media !== undefined) return refuse(media);
  const body = await readRequestBody(request, limit);
  if (body.tooLarge) {
    const detail = `The body is larger than ${limit} bytes.`;
    return refuse(toProblem('payload-too-large', detail, { limit }));
  }
  const parsed = parseStrictJson(body.text, { bytes: limit });
  if (parsed.kind === 'json') return parsed;
  return refuse(toProblem('malformed-json', parsed.detail));
}

const CHARSET = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;]*))/gi;
const UTF8 = /^utf-?8$/i;

/** A body that is not plain UTF-8 would be read by others in their own way. */
export function checkMedia(
  type: string | null | undefined,
  encoding: string | null | undefined,
): Problem | undefined {
  if (type === 'application/json' && encoding === undefined) return undefined;
  const refused = (detail: string): Problem => toProblem('unsupported-media-type', detail);
  if (!isJsonContentType(type ?? null)) return refused('The body must be application/json.');
  for (const [, quoted, plain = ''] of (type ?? '').matchAll(CHARSET)) {
    if (!UTF8.test(quoted ?? plain)) return refused('The body must be in UTF-8.');
  }
  const isEncoded = (encoding ?? '').trim() !== '' && !/^\s*identity\s*$/i.test(encoding ?? '');
  return isEncoded ? refused('The body must not be compressed or encoded.') : undefined;
}

function refuse(problem: Problem): JsonBody {
  return { kind: 'problem', problem };
}

/** Reads just enough of a JSON-RPC body to route it. Validation is up to the SDK. */

interface RpcMessage {
  readonly method?: unknown;
  readonly id?: unknown;
  readonly params?: {
    readonly name?: unknown;
    readonly arguments?: unknown;
    readonly requestId?: unknown;
  };
}

/** Whether the answer will contain a list of tools. */
export function asksForTools(body: unknown): boolean {
  return messagesIn(body).some(({ method }) => method === 'tools/list');
}

export function calledTool(body: unknown): string | undefined {
  const call = messagesIn(body).find(({ method }) => method === 'tools/call');
  return typeof call?.params?.name === 'string' ? call.params.name : undefined;
}

export function idOf(body: unknown): string | number | null {
  const id = messagesIn(body)[0]?.id;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

/** The first of the 2025 revisions allowed several messages in one body. */
export function messagesIn(body: unknown): readonly RpcMessage[] {
  const list: readonly unknown[] = Array.isArray(body) ? body : [body];
  return list.filter((item): item is RpcMessage => typeof item === 'object' && item !== null);
}
