/**
 * One protocol instance over the shared operations, for either era. Listing and calling are ours;
 * framing, negotiation and everything else stays with the SDK.
 */
import type {
  CallToolResult,
  ContentBlock,
  InputRequiredResult,
  ServerContext,
} from '@modelcontextprotocol/server';
import { McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { CALL_META_KEYS } from '../effect/meta-keys.ts';
import type { Call, Operation } from '../effect/operation.ts';
import type { CallRequest } from '../invoke/flow.ts';
import type { Identity } from '../invoke/identity.ts';
import type { Recorded } from '../invoke/outcome.ts';
import type { Via } from '../ledger/receipt.ts';
import type { Problem } from '../lib/problem.ts';
import { toProblem } from '../lib/problem.ts';
import type { PlimsollServer } from './create-server.ts';
import { isObjectSchema } from './tool-lists.ts';

/** Lists are valid until the server restarts; a minute keeps clients from polling. */
const LIST_TTL_MS = 60_000;

export function toMcpServer(
  server: PlimsollServer,
  via: Via,
  identityOf: (context: ServerContext) => Identity,
): McpServer {
  const { capabilities, extend, ...options } = server.mcp;
  const instance = new OperationsMcpServer(server, {
    ...options,
    capabilities: { ...capabilities },
    cacheHints: {
      'tools/list': {
        ttlMs: LIST_TTL_MS,
        cacheScope: server.toolLists.isPrivate ? 'private' : 'public',
      },
    },
  });
  instance.server.registerCapabilities({ tools: {} });
  instance.server.setRequestHandler('tools/list', (request, context) => {
    if (request.params?.cursor !== undefined) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        'The list has one page; send no cursor.',
      );
    }
    const identity = identityOf(context);
    const principal = identity.kind === 'known' ? identity.principal : undefined;
    return { tools: [...server.toolLists.placeholderFor(principal)] };
  });
  instance.server.setRequestHandler('tools/call', async (request, context) => {
    const { name, arguments: args } = request.params;
    const operation = server.operations.get(name);
    if (operation === undefined) {
      const problem = toProblem('unknown-operation', `No tool is named "${name.slice(0, 128)}".`);
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, problem.detail, problem);
    }
    const outcome = await invokeSafely(server, {
      operation,
      args,
      identity: identityOf(context),
      via,
      signal: context.mcpReq.signal,
      progress: toProgress(context),
      mcp: context,
      keys: [
        context.mcpReq._meta?.[CALL_META_KEYS.idempotencyKey.key],
        context.http?.req?.headers.get('idempotency-key'),
      ],
    });
    return toCallResult(outcome, operation);
  });
  extend?.(instance);
  return instance;
}

/** The SDK would send the message of an error to the client, whatever it says. */
async function invokeSafely(server: PlimsollServer, request: CallRequest): Promise<Recorded> {
  try {
    return await server.invoke(request);
  } catch (error) {
    server.report(`${request.operation.name} failed outside of its pipeline`, error);
    const problem = toProblem('internal-error', `${request.operation.name} failed.`, {
      remedy: 'Ask the operator of the server; the log has the cause.',
    });
    throw new ProtocolError(ProtocolErrorCode.InternalError, problem.detail, problem);
  }
}

/** The SDK asks the server for a tool's schema when it checks mirrored headers; tools are ours. */
class OperationsMcpServer extends McpServer {
  readonly #operations: PlimsollServer['operations'];

  constructor(server: PlimsollServer, options: ConstructorParameters<typeof McpServer>[1]) {
    super({ name: server.name, version: server.version }, options);
    this.#operations = server.operations;
  }

  override toolInputSchemaJson(name: string): Record<string, unknown> | undefined {
    return this.#operations.get(name)?.inputSchema;
  }
}

function toProgress({ mcpReq }: ServerContext): Call['progress'] {
  const progressToken = mcpReq._meta?.progressToken;
  return async (progress, total, message) => {
    if (progressToken === undefined) return;
    await mcpReq.notify({
      method: 'notifications/progress',
      params: {
        progressToken,
        progress,
        ...(total !== undefined && { total }),
        ...(message !== undefined && { message }),
      },
    });
  };
}

/** How an outcome looks to an MCP client: problems are `isError` results with the problem inside. */
function toCallResult(
  outcome: Recorded,
  operation: Operation,
): CallToolResult | InputRequiredResult {
  const result = toPlainResult(outcome, operation);
  if (!outcome.replayed) return result;
  return { ...result, _meta: { ...result._meta, [CALL_META_KEYS.replayed.key]: true } };
}

function toPlainResult(
  outcome: Recorded,
  operation: Operation,
): CallToolResult | InputRequiredResult {
  switch (outcome.kind) {
    case 'failure':
      return toProblemResult(outcome.problem, operation);
    case 'input-required':
      return outcome.result;
    case 'success': {
      const { value, content } = outcome;
      const isTyped = isObjectSchema(operation.outputSchema);
      const structured = isTyped ? asObject(value) : undefined;
      return {
        content: [...(content ?? toContent(value))],
        // Otherwise the client would reject the result of finished work whose answer is lost.
        ...(isTyped && structured === undefined && { isError: true }),
        ...(structured !== undefined && { structuredContent: structured }),
      };
    }
  }
}

function toProblemResult(problem: Problem, { outputSchema }: Operation): CallToolResult {
  const text = `${problem.title}. ${problem.detail} ${problem.remedy}`;
  return {
    isError: true,
    content: [{ type: 'text', text }],
    // Some clients check even a refusal against the tool's output schema, and then show nothing.
    ...(!isObjectSchema(outputSchema) && { structuredContent: { ...problem } }),
    _meta: { [CALL_META_KEYS.problem.key]: { ...problem } },
  };
}

function toContent(value: unknown): readonly ContentBlock[] {
  if (value === undefined) return [];
  return [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }];
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  return value as Record<string, unknown>; // the output stage has checked it against an object schema
}
