/** The OpenAPI 3.1 document of a server's operations, with their tier, scope and products. */
import { META_KEYS } from '../../effect/meta-keys.ts';
import { takesKey } from '../../effect/idempotency-key.ts';
import type { Operation } from '../../effect/operation.ts';
import type { JsonSchema } from '../../effect/schema.ts';
import { worstTier } from '../../effect/effect.ts';
import type { PlimsollServer } from '../create-server.ts';

type Json = Readonly<Record<string, unknown>>;

const PROBLEM_SCHEMA: Json = {
  type: 'object',
  description: 'RFC 9457. The codes are listed in docs/errors.md.',
  required: ['type', 'title', 'status', 'code', 'detail'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    code: { type: 'string' },
    detail: { type: 'string' },
    remedy: { type: 'string' },
  },
};

const KEY_HEADER: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 16, maxLength: 255 },
  description: 'One key for one intention; the same on every retry. May be an argument instead.',
};

export function toOpenApi(server: PlimsollServer): Json {
  const operations = [...server.operations.values()];
  return {
    openapi: '3.1.0',
    info: { title: server.name, version: server.version },
    paths: Object.fromEntries(
      operations.map((operation) => [`/op/${operation.name}`, { post: toPost(operation) }]),
    ),
    components: {
      schemas: { Problem: PROBLEM_SCHEMA },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    },
  };
}

function toPost(operation: Operation): Json {
  const { name, title, description, scopes, produces, effect } = operation;
  return {
    operationId: name,
    summary: title,
    description,
    [META_KEYS.sideEffect.key]: worstTier(effect),
    ...(scopes.length > 0 && { [META_KEYS.requiredScope.key]: scopes.join(' ') }),
    [META_KEYS.produces.key]: produces,
    security: scopes.length > 0 ? [{ bearer: scopes }] : [],
    ...(takesKey(effect) && { parameters: [KEY_HEADER] }),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: embed(operation.inputSchema, `${name}:input`) } },
    },
    responses: {
      200: {
        description: 'The result.',
        content: {
          'application/json': { schema: embed(operation.outputSchema ?? {}, `${name}:output`) },
        },
      },
      default: {
        description: 'A problem; nothing else is sent when a call fails.',
        content: {
          'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
        },
      },
    },
  };
}

/** A schema that refers to itself needs its own `$id`, or its references would point into the document. */
function embed(schema: JsonSchema, id: string): JsonSchema {
  return JSON.stringify(schema).includes('"$ref":"#')
    ? { $id: `urn:plimsoll:schema:${id}`, ...schema }
    : schema;
}
