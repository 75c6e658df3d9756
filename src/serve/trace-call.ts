/**
 * One span for each call, by OpenTelemetry's conventions for MCP. Only the API package is used: a
 * process without an SDK pays nothing. Arguments and results never go into a span.
 */
import type { Context, Span } from '@opentelemetry/api';
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { CallRequest } from '../invoke/flow.ts';
import type { Outcome, Recorded } from '../invoke/outcome.ts';
import { worstTier } from '../effect/effect.ts';

export async function traceCall(
  request: CallRequest,
  work: () => Promise<Recorded>,
): Promise<Recorded> {
  const { operation, via } = request;
  const attributes = {
    'mcp.method.name': 'tools/call',
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': operation.name,
    'network.transport': via === 'mcp-stdio' ? 'pipe' : 'tcp',
    'plimsoll.tier': worstTier(operation.effect),
    ...(request.mcp !== undefined && { 'jsonrpc.request.id': String(request.mcp.mcpReq.id) }),
  };
  const name = `tools/call ${operation.name}`;
  const options = { kind: SpanKind.SERVER, attributes };
  return trace
    .getTracer('plimsoll')
    .startActiveSpan(name, options, parentOf(request), async (span) => {
      try {
        const outcome = await work();
        mark(span, outcome);
        return outcome;
      } finally {
        span.end();
      }
    });
}

function mark(span: Span, outcome: Outcome): void {
  if (outcome.replayed) span.setAttribute('plimsoll.replayed', true);
  if (outcome.kind !== 'failure') return;
  span.setAttribute('error.type', 'tool_error');
  span.setAttribute('plimsoll.problem', outcome.problem.code);
  span.setStatus({ code: SpanStatusCode.ERROR, message: outcome.problem.code });
}

/** MCP carries the trace in `_meta`, under the names of the HTTP headers. */
function parentOf({ mcp }: CallRequest): Context {
  const carrier = mcp?.mcpReq._meta ?? {};
  return propagation.extract(context.active(), carrier);
}
