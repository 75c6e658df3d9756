/** The description of the console's API, as OpenAPI 3.1. Served at `/api/openapi.json`. */
import { z } from 'zod';
import { TIERS } from '../../effect/tier.ts';
import { ANSWER } from './approvals-api.ts';

const ID = parameter('id', 'path', 'The question.');
const FILTERS = ['server', 'operation', 'principal', 'outcome', 'decision', 'since', 'until'];
const TOOL_FILTERS = ['q', 'server', 'hint', 'evidence', 'verdict'];

export const OPENAPI: Readonly<Record<string, unknown>> = Object.freeze({
  openapi: '3.1.0',
  info: {
    title: 'Plimsoll console',
    version: '1',
    description:
      'What the pages of the console show and do. Authenticate with the session cookie and, to change something, the header `x-plimsoll-csrf` with the value from `/api/session`; or with a bearer token if the console was started with one.',
  },
  security: [{ cookie: [] }, { bearer: [] }],
  paths: {
    '/api/session': {
      get: operation('readSession', 'Who is signed in, and the CSRF token.'),
    },
    '/api/approvals': {
      get: operation('listApprovals', 'The waiting questions, the oldest first.'),
    },
    '/api/approvals/{id}': {
      get: operation('readApproval', 'One question and its state.', { parameters: [ID] }),
    },
    '/api/approvals/{id}/answer': {
      post: operation('answerApproval', 'Approves or declines, once, what was shown.', {
        parameters: [ID, parameter('x-plimsoll-csrf', 'header', 'From `/api/session`.', false)],
        body: { $ref: '#/components/schemas/Answer' },
      }),
    },
    '/api/events': {
      get: operation(
        'watch',
        'Server-sent events. `approvals` is sent at once and whenever the queue changes, with its version and length.',
        { type: 'text/event-stream' },
      ),
    },
    '/api/tools': {
      get: operation('listTools', 'All tools behind this gate, the gravest first.', {
        parameters: [tier(), ...TOOL_FILTERS.map((name) => query(name))],
      }),
    },
    '/api/calls': {
      get: operation(
        'listCalls',
        'Receipts, the newest first; continue with `before` set to `next`.',
        {
          parameters: [
            tier(),
            ...[...FILTERS, 'open', 'before', 'limit'].map((name) => query(name)),
          ],
        },
      ),
    },
    '/api/budgets': {
      get: operation('listBudgets', 'Usage of the shared budgets and of those of a principal.', {
        parameters: ['principal', 'tenant'].map((name) => query(name)),
      }),
    },
    '/api/servers': { get: operation('listServers', 'The servers behind this gate.') },
    '/api/openapi.json': { get: operation('describe', 'This document.') },
  },
  components: {
    schemas: { Answer: z.toJSONSchema(ANSWER), Problem: toProblemSchema() },
    securitySchemes: {
      cookie: { type: 'apiKey', in: 'cookie', name: 'plimsoll-session' },
      bearer: { type: 'http', scheme: 'bearer' },
    },
  },
});

function query(name: string): unknown {
  return parameter(name, 'query', 'The same as on the page of this name.', false);
}

function tier(): unknown {
  return parameter('tier', 'query', 'Only this tier.', false, Object.keys(TIERS));
}

/** RFC 9457, with the members that all our problems have. */
function toProblemSchema(): unknown {
  const text = { type: 'string' };
  return {
    type: 'object',
    required: ['type', 'title', 'status', 'code', 'detail', 'remedy'],
    properties: {
      type: text,
      title: text,
      status: { type: 'integer' },
      code: text,
      detail: text,
      remedy: text,
    },
  };
}

/** The parts that the operations of an OpenAPI document have in common. */

interface OperationInit {
  readonly parameters?: readonly unknown[];
  /** The schema of the body. */
  readonly body?: unknown;
  readonly type?: string;
}

function operation(id: string, summary: string, init: OperationInit = {}): unknown {
  const { parameters, body, type = 'application/json' } = init;
  const schema = type === 'application/json' ? { type: 'object' } : { type: 'string' };
  return {
    operationId: id,
    summary,
    ...(parameters !== undefined && { parameters }),
    ...(body !== undefined && {
      requestBody: { required: true, content: { 'application/json': { schema: body } } },
    }),
    responses: {
      200: { description: summary, content: { [type]: { schema } } },
      default: {
        description: 'A refusal or a failure.',
        content: {
          'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
        },
      },
    },
  };
}

function parameter(
  name: string,
  place: 'path' | 'query' | 'header',
  description: string,
  required = true,
  choices?: readonly string[],
): unknown {
  const schema = { type: 'string', ...(choices !== undefined && { enum: choices }) };
  return { name, in: place, required, description, schema };
}
