/** `POST /op/{name}`: any operation as plain HTTP, through the same pipeline. */
import type { Operation } from '../../effect/operation.ts';
import { propertiesOf } from '../../effect/schema.ts';
import type { CallRequest } from '../../invoke/flow.ts';
import type { Recorded } from '../../invoke/outcome.ts';
import { toProblem } from '../../lib/problem.ts';
import type { PlimsollServer } from '../create-server.ts';
import { readIfMatch, toProblemResponse } from './http-problem.ts';
import { bearerOf } from './guard.ts';
import { readJson } from './read-json.ts';

const VERSION_ARGUMENT = 'etag';

export async function serveOperation(
  server: PlimsollServer,
  name: string,
  request: Request,
  bodyLimit: number,
): Promise<Response> {
  const operation = server.operations.get(name);
  if (operation === undefined) {
    const detail = `No operation is named "${name.slice(0, 128)}".`;
    return toProblemResponse(toProblem('unknown-operation', detail));
  }
  const body = await readJson(request, bodyLimit);
  if (body.kind === 'problem') return toProblemResponse(body.problem);
  const outcome = await server.invoke({
    operation,
    ...withVersion(body.value, operation, request.headers.get('if-match')),
    identity: await server.identify(bearerOf(request.headers.get('authorization'))),
    via: 'http',
    signal: request.signal,
    progress: async () => {},
    keys: [request.headers.get('idempotency-key')],
  });
  const response = toResponse(outcome, operation.name);
  if (outcome.replayed) response.headers.set('idempotent-replayed', 'true');
  return response;
}

/** `If-Match` is the HTTP form of an operation's `etag` argument. */
function withVersion(
  args: unknown,
  { inputSchema }: Operation,
  ifMatch: string | null,
): Pick<CallRequest, 'args' | 'refusal'> {
  if (ifMatch === null || typeof args !== 'object' || args === null) return { args };
  if (!Object.hasOwn(propertiesOf(inputSchema), VERSION_ARGUMENT)) return { args };
  const version = readIfMatch(ifMatch);
  if (version === undefined) {
    const detail = 'If-Match must name one version, as a strong tag in quotes. Nothing was run.';
    const remedy = 'Send the version that you read in quotes, as `If-Match: "…"`.';
    return { args, refusal: toProblem('invalid-request', detail, { remedy }) };
  }
  if (!Object.hasOwn(args, VERSION_ARGUMENT))
    return { args: { ...args, [VERSION_ARGUMENT]: version } };
  const { [VERSION_ARGUMENT]: given } = args as { readonly [VERSION_ARGUMENT]: unknown };
  if (given === version) return { args };
  const detail = `If-Match and the argument "${VERSION_ARGUMENT}" differ. Nothing was run.`;
  const remedy = 'Send the version once, or the same one in both places.';
  return { args, refusal: toProblem('invalid-request', detail, { remedy }) };
}

function toResponse(outcome: Recorded, name: string): Response {
  switch (outcome.kind) {
    case 'failure':
      return toProblemResponse(outcome.problem);
    case 'input-required': {
      const detail = `${name} asks its caller a question, which only MCP can carry.`;
      return toProblemResponse(
        toProblem('conflict', detail, { remedy: 'Call it over MCP instead.' }),
      );
    }
    case 'success':
      if (outcome.value !== undefined) return Response.json(outcome.value);
      if (outcome.content !== undefined) return Response.json({ content: outcome.content });
      return new Response(null, { status: 204 });
  }
}
