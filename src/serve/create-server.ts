/**
 * A server: operations under one convention, ready to be served. Holds what all transports share; the
 * transports themselves are opened separately.
 */
import { inspect } from 'node:util';
import type { McpServer, ServerOptions } from '@modelcontextprotocol/server';
import type { Context, Span } from '@opentelemetry/api';
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Convention } from '../effect/convention.ts';
import { plimsoll } from '../effect/conventions/plimsoll.ts';
import { worstTier } from '../effect/effect.ts';
import type { Operation } from '../effect/operation.ts';
import type { CallRequest, Services } from '../invoke/flow.ts';
import type { Authenticate, Identity } from '../invoke/identity.ts';
import { identify } from '../invoke/identity.ts';
import type { Recorded, Outcome } from '../invoke/outcome.ts';
import { invoke } from '../invoke/pipeline.ts';
import { toKeyRules } from '../invoke/reserve-key.ts';
import { sealFound } from '../invoke/seal-secrets.ts';
import type { KeyRules } from '../ledger/idempotency/key-record.ts';
import { openSweeper } from '../ledger/idempotency/sweeper.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { Recorder } from '../ledger/receipts/recorder.ts';
import type { Store } from '../ledger/store.ts';
import { redactSecrets } from '../lib/find-secret-tokens.ts';
import { newId } from '../lib/new-id.ts';
import { checkOperations } from './check-operations.ts';
import { ToolLists } from './tool-lists.ts';

export interface ServerInit {
  readonly name: string;
  readonly version: string;
  readonly operations: readonly Operation[];
  /** Default: `plimsoll`, which always sets all four hints. */
  readonly convention?: Convention;
  /** Required as soon as any operation has scopes. */
  readonly authenticate?: Authenticate;
  readonly ledger?: Ledger;
  /** What goes beyond tools: capabilities, instructions, prompts, resources. */
  readonly mcp?: McpExtras;
  /** The path of the MCP endpoint over HTTP. Default: `/mcp`. */
  readonly mcpPath?: string;
  /** Receives the causes of failures. Default: one line on standard error. */
  readonly report?: (message: string, cause: unknown) => void;
  /** How long the answer of a call that may have changed something waits for its record. Default: 5 s. */
  readonly recordPatienceMs?: number;
  /** For tests. */
  readonly now?: () => Date;
}

/** What the starter of a server can pass to the function that creates it. */
export interface ServeContext {
  readonly ledger?: Ledger;
  readonly authenticate?: Authenticate;
}

export interface McpExtras extends Pick<
  ServerOptions,
  'capabilities' | 'instructions' | 'requestState' | 'inputRequired'
> {
  /** Registers prompts and resources on each new protocol instance. Tools belong to operations. */
  readonly extend?: (server: McpServer) => void;
}

export interface PlimsollServer {
  readonly name: string;
  readonly version: string;
  readonly convention: Convention;
  readonly operations: ReadonlyMap<string, Operation>;
  readonly mcp: McpExtras;
  readonly mcpPath: string;
  readonly toolLists: ToolLists;
  readonly report: (message: string, cause: unknown) => void;
  /** Where key records are stored, if there is a ledger. */
  readonly store?: Store;
  /** How long its leases and answers last, and how long a partner may take. */
  readonly keyRules?: KeyRules;
  /** Resolves a bearer token to an identity. */
  readonly identify: (token: string | undefined) => Promise<Identity>;
  /** Tries once more to record what could not be recorded yet, for a few seconds; before the ledger is closed. */
  readonly flush: () => Promise<void>;
  /** Sends one call through the pipeline. */
  readonly invoke: (request: CallRequest) => Promise<Recorded>;
}

export function createServer(init: ServerInit): PlimsollServer {
  const convention = init.convention ?? plimsoll;
  checkOperations(init.operations, convention, {
    signIn: init.authenticate !== undefined,
    keyRecord: init.ledger?.keyRecords !== undefined,
  });
  const report = neverThrowing(init.report ?? reportToStderr);
  const recorder = new Recorder(report);
  const services: Services = {
    now: init.now ?? (() => new Date()),
    newId,
    report,
    recorder,
    ...(init.recordPatienceMs !== undefined && { recordPatienceMs: init.recordPatienceMs }),
    ...(init.ledger !== undefined && { ledger: init.ledger }),
  };
  return Object.freeze({
    name: init.name,
    version: init.version,
    convention,
    operations: new Map(init.operations.map((operation) => [operation.name, operation])),
    mcp: init.mcp ?? {},
    mcpPath: init.mcpPath ?? '/mcp',
    toolLists: new ToolLists(init.operations, convention),
    report,
    identify: (token: string | undefined) => identify(token, init.authenticate, services.now()),
    flush: async () => void (await recorder.settle()),
    invoke: (request: CallRequest) => traceCall(request, () => invoke(request, services)),
    ...(init.ledger?.store !== undefined && { store: init.ledger.store }),
    ...(init.ledger?.keyRecords !== undefined && { keyRules: init.ledger.keyRecords.rules }),
  });
}

/** Sweeps the server's key records for as long as it is served. */
export function sweepServer(server: PlimsollServer, everyMs?: number): AsyncDisposable {
  const { store, keyRules, operations, report } = server;
  if (store === undefined) return { [Symbol.asyncDispose]: async () => {} };
  return openSweeper(store, {
    report,
    ...(everyMs !== undefined && { everyMs }),
    ...(keyRules !== undefined && { rules: keyRules }),
    rulesFor: (operation) => {
      const partner = operations.get(operation)?.partner;
      return partner && toKeyRules(partner);
    },
    reconcile: (operation) => operations.get(operation)?.partner.reconcile,
    toStored: async (name, value) => {
      const operation = operations.get(name);
      if (operation === undefined) throw new Error(`${name} is no longer served`);
      return sealFound(operation, value, { newId, report });
    },
  });
}

/** A report is made in the middle of a call, which must end as it would have without it. */
function neverThrowing(report: Services['report']): Services['report'] {
  return (message, cause) => {
    try {
      report(message, cause);
    } catch {
      process.stderr.write(
        redactSecrets(`plimsoll: ${message} (its cause could not be reported)\n`),
      );
    }
  };
}

function reportToStderr(message: string, cause: unknown): void {
  const text = cause instanceof Error ? (cause.stack ?? cause.message) : inspect(cause);
  process.stderr.write(redactSecrets(`plimsoll: ${message}\n${text}\n`));
}

/**
 * One span for each call, by OpenTelemetry's conventions for MCP. Only the API package is used: a
 * process without an SDK pays nothing. Arguments and results never go into a span.
 */
async function traceCall(request: CallRequest, work: () => Promise<Recorded>): Promise<Recorded> {
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
