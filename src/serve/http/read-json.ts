/** Reads a JSON body: right media type, within the limit, and the same to every parser, or a problem. */
import { isJsonContentType, readRequestBody } from '@modelcontextprotocol/server';
import type { Problem } from '../../lib/problem.ts';
import { toProblem } from '../../lib/problem.ts';
import { parseStrictJson } from '../../lib/strict-json.ts';

export type JsonBody =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'problem'; readonly problem: Problem };

export async function readJson(request: Request, limit: number): Promise<JsonBody> {
  if (!isJsonContentType(request.headers.get('content-type'))) {
    return refuse(toProblem('unsupported-media-type', 'The body must be application/json.'));
  }
  const body = await readRequestBody(request, limit);
  if (body.tooLarge) {
    const detail = `The body is larger than ${limit} bytes.`;
    return refuse(toProblem('payload-too-large', detail, { limit }));
  }
  const parsed = parseStrictJson(body.text, { bytes: limit });
  if (parsed.kind === 'json') return parsed;
  return refuse(toProblem('malformed-json', parsed.detail));
}

function refuse(problem: Problem): JsonBody {
  return { kind: 'problem', problem };
}
