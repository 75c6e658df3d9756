/** Small OpenAPI documents, and short ways to project them. */
import type { Operation, Projection, ProjectOptions } from 'plimsoll/server';
import { projectOpenApi } from 'plimsoll/server';

type Json = Readonly<Record<string, unknown>>;

/** A document with these paths. */
export function documentOf(paths: Json, components: Json = {}, openapi = '3.1.0'): Json {
  return { openapi, info: { title: 'Shop', version: '1.0.0' }, paths, components };
}

/** Projected with an address that nobody calls. */
export function project(document: unknown, options: Partial<ProjectOptions> = {}): Projection {
  return projectOpenApi(document, { baseUrl: 'https://api.example.com', ...options });
}

interface Endpoint extends Partial<ProjectOptions> {
  readonly path?: string;
  readonly method?: string;
  readonly components?: Json;
}

/** The one operation that a document with this one endpoint becomes. */
export function projectOne(
  operation: Json,
  { path = '/things', method = 'get', components, ...options }: Endpoint = {},
): Operation {
  const item = { [method]: { operationId: 'one', ...operation } };
  const { operations, excluded, refused } = project(
    documentOf({ [path]: item }, components),
    options,
  );
  const [made] = operations;
  if (made === undefined) throw new Error(JSON.stringify([...excluded, ...refused]));
  return made;
}

/** How each endpoint of a document ended: `kept`, or the code of its finding. */
export function endings(projection: Projection): Record<string, string> {
  const { operations, excluded, refused } = projection;
  const kept = operations.map(({ name }) => [name, 'kept'] as const);
  const found = [...excluded, ...refused].map(({ operation, code }) => [operation, code] as const);
  return Object.fromEntries([...kept, ...found]);
}

export const json = (schema: unknown): Json => ({ 'application/json': { schema } });

export const answers = (content: Json, status = '200'): Json => ({
  responses: { [status]: { description: 'Done.', content } },
});

export const takes = (schema: unknown, required = true): Json => ({
  requestBody: { required, content: json(schema) },
});
