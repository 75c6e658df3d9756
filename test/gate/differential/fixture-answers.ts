/** What the fixture server answers without regard to who asks: lists, reads, and tools that only return something. */
import { PROMPTS, RESOURCES, TEMPLATES, toolsOf } from './fixture-offer.ts';
import type { Id, Json, JsonObject } from './fixture-world.ts';

const META = 'io.modelcontextprotocol/';
const PAGE = 6;

export class RpcError extends Error {
  readonly code: number;
  readonly data: Json | undefined;

  constructor(code: number, message: string, data?: Json) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export interface Request {
  readonly id: Id;
  readonly params: JsonObject;
  readonly meta: JsonObject;
  readonly isModern: boolean;
  readonly signal: AbortSignal;
  /** The request as it arrived. */
  readonly text: string;
}

export function toUnknownTool(name: string): RpcError {
  return new RpcError(-32_602, `Unknown tool: ${name}`);
}

export function asText(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

/** `undefined` for a method that is not of this kind. */
export function answerRequest(
  method: string,
  params: JsonObject,
  offer: { readonly name: string; readonly hasExtraTool: boolean },
): JsonObject | undefined {
  const { cursor } = params;
  switch (method) {
    case 'tools/list':
      return toPage('tools', toolsOf(offer), cursor);
    case 'resources/list':
      return toPage('resources', RESOURCES(offer.name), cursor, 2);
    case 'resources/templates/list':
      return toPage('resourceTemplates', TEMPLATES(offer.name), cursor);
    case 'prompts/list':
      return toPage('prompts', PROMPTS(offer.name), cursor);
    case 'resources/read':
      return read(asText(params['uri']));
    case 'prompts/get':
      return prompt(params);
    case 'completion/complete':
      return complete(params);
    default:
      return undefined;
  }
}

/** Tools that neither wait nor change anything. */
export function answerPlainly(
  name: string,
  args: JsonObject,
  request: Request,
): JsonObject | string {
  switch (name) {
    case 'get_echo':
      return toText(asText(args['text']));
    case 'get_arguments': {
      // As they are spelled, which is not how JSON.stringify would spell them.
      const [, spelled = ''] = /"arguments":\s*(\{[^{}]*\})/.exec(request.text) ?? [];
      return toText(spelled);
    }
    case 'get_meta': {
      const { progressToken, ...rest } = request.meta;
      return toText(JSON.stringify({ ...rest, hasToken: progressToken !== undefined }));
    }
    case 'get_spelled':
      return `{ "content" : [{"type":"text","text":"\\u0041\\/b"}],${request.isModern ? '"resultType":"complete",' : ''} "structuredContent": {"ratio":1.0, "big":1e2,"z":1,"a":-0.50}, "isError":false }`;
    case 'get_structured':
      return { ...toText('{"count":3}'), structuredContent: { count: 3 } };
    case 'get_content':
      return CONTENT;
    case 'get_large':
      return toText('0123456789abcdef'.repeat(Number(args['bytes']) / 16));
    case 'get_length':
      return toText(String(asText(args['text']).length));
    case 'get_failure':
      return { ...toText('It failed, as it was asked to.'), isError: true };
    case 'get_error':
      throw new RpcError(-32_099, 'An error of the server.', { hint: ['a', 1] });
    case 'create_note':
      return toText(`created ${JSON.stringify(args)}`);
    case 'place_order':
      return toText(`ordered ${JSON.stringify(args)}`);
    default:
      throw toUnknownTool(name);
  }
}

const CONTENT = {
  content: [
    { type: 'text', text: 'Zażółć 🦊', annotations: { audience: ['user'], priority: 0.5 } },
    { type: 'image', data: 'AAEC', mimeType: 'image/png' },
    { type: 'resource_link', uri: 'note://1', name: 'one' },
    { type: 'resource', resource: { uri: 'note://1', text: 'inside', mimeType: 'text/plain' } },
  ],
  _meta: { 'example.com/kept': { deep: [1, null, true] } },
};

export function toText(text: string): JsonObject {
  return { content: [{ type: 'text', text }] };
}

export function cached(result: JsonObject): JsonObject {
  return { ...result, ttlMs: 0, cacheScope: 'public' };
}

function toPage(
  field: string,
  items: readonly JsonObject[],
  cursor: Json | undefined,
  size = PAGE,
): JsonObject {
  const start =
    cursor === undefined ? 0 : Number(/^at-(\d+)$/.exec(asText(cursor))?.[1] ?? Number.NaN);
  if (Number.isNaN(start)) throw new RpcError(-32_602, 'Invalid cursor');
  const end = start + size;
  const more = end < items.length && { nextCursor: `at-${end}` };
  return cached({ [field]: items.slice(start, end), ...more });
}

function read(uri: string): JsonObject {
  if (uri === 'note://2')
    return cached({ contents: [{ uri, blob: 'AAECAw==', mimeType: 'image/png' }] });
  if (/^note:\/\/(1|3|by-id\/\w+)$/.test(uri)) {
    return cached({ contents: [{ uri, text: `The text of ${uri}`, mimeType: 'text/plain' }] });
  }
  throw new RpcError(-32_602, 'Resource not found', { uri });
}

function prompt({ name, arguments: args }: JsonObject): JsonObject {
  if (name !== 'greet') throw new RpcError(-32_602, `Unknown prompt: ${asText(name)}`);
  const text = `Greet ${asText((args as JsonObject | undefined)?.['who'])}.`;
  return {
    description: 'A greeting.',
    messages: [{ role: 'user', content: { type: 'text', text } }],
  };
}

function complete({ argument }: JsonObject): JsonObject {
  const start = asText((argument as JsonObject | undefined)?.['value']);
  const values = ['ada', 'adele', 'grace'].filter((each) => each.startsWith(start));
  return { completion: { values, total: values.length, hasMore: false } };
}

/** What the 2026 revision adds to every result. */
export function toResult(result: JsonObject, isModern: boolean, name: string): JsonObject {
  if (!isModern) {
    const { ttlMs: _, cacheScope: __, ...rest } = result;
    return rest;
  }
  const _meta = {
    ...(result['_meta'] as object),
    [`${META}serverInfo`]: { name, version: '1.2.3' },
  };
  return { resultType: 'complete', ...result, _meta };
}
