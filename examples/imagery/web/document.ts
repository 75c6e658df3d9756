/** The OpenAPI document of what the shop serves over plain HTTP besides its operations. */
import type { Overlay } from 'plimsoll/server';
import type { Endpoint } from './endpoints.ts';
import { ENDPOINTS } from './endpoints.ts';

/** What the document cannot say: why a page gets no tool although its answer would suit one. */
export const OVERLAY: Overlay = Object.freeze({
  'share.open': {
    exclude:
      'It is a page for whoever has the link, without a sign-in; share.link.validate is its tool.',
  },
});

export function toWebDocument(): Readonly<Record<string, unknown>> {
  const paths = Object.entries<Endpoint>(ENDPOINTS).map(([id, endpoint]) => [
    endpoint.path,
    { [endpoint.method.toLowerCase()]: toOperation(id, endpoint) },
  ]);
  return {
    openapi: '3.1.0',
    info: { title: 'imagery', version: '1.0.0' },
    paths: Object.fromEntries(paths) as unknown,
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  };
}

function toOperation(id: string, endpoint: Endpoint): object {
  const { summary, tier, scope, query = [], answers, untyped, isFile, path } = endpoint;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const inQuery = query.map((name) => ({ name, in: 'query', schema: { type: 'string' } }));
  return {
    operationId: id,
    summary,
    'x-side-effect': tier,
    ...(scope !== undefined && { 'x-required-scope': scope }),
    ...(isFile === true && { 'x-raw-response': true }),
    security: scope === undefined ? [] : [{ bearer: [scope] }],
    parameters: [...inPath, ...inQuery],
    ...(untyped === true && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { type: 'object' } } },
      },
    }),
    responses: {
      200: { description: summary, content: { [answers]: {} } },
      default: { description: 'A problem.', content: { 'application/problem+json': {} } },
    },
  };
}
