/**
 * One protocol instance over the shared operations, for either era. Listing and calling are ours;
 * framing, negotiation and everything else stays with the SDK.
 */
import type { ServerContext } from '@modelcontextprotocol/server';
import { McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { CALL_META_KEYS } from '../effect/meta-keys.ts';
import type { Call } from '../effect/operation.ts';
import type { Identity } from '../invoke/identity.ts';
import type { Via } from '../ledger/receipt.ts';
import { toProblem } from '../lib/problem.ts';
import type { PlimsollServer } from './create-server.ts';
import { toCallResult } from './to-call-result.ts';

/** Lists stay good until the server restarts; a minute keeps clients from asking all the time. */
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
    return { tools: [...server.toolLists.standInFor(principal)] };
  });
  instance.server.setRequestHandler('tools/call', async (request, context) => {
    const { name, arguments: args } = request.params;
    const operation = server.operations.get(name);
    if (operation === undefined) {
      const problem = toProblem('unknown-operation', `There is no tool "${name.slice(0, 128)}".`);
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, problem.detail, problem);
    }
    const outcome = await server.invoke({
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
