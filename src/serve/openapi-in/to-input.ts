/** One object of arguments for an endpoint, and how they become its request. */
import type { JsonSchema } from '../../effect/schema.ts';
import type { Endpoint } from './endpoints.ts';
import { Refused } from './finding.ts';
import { asText, member } from './json.ts';
import { readBody } from './read-body.ts';
import { readParameters } from './read-parameters.ts';
import { resolve } from './reference.ts';
import type { KeyNeed, ReadArgument, RequestPlan } from './request-plan.ts';
import { SchemaBundle } from './schema-bundle.ts';
import { describeParameter } from './words.ts';

export interface Input {
  readonly schema: JsonSchema;
  readonly plan: RequestPlan;
  /** Whether the API takes an idempotency key, as a header or as a field of the body. */
  readonly key: KeyNeed | undefined;
}

export function toInput(
  endpoint: Endpoint,
  document: unknown,
  credentials: ReadonlySet<string>,
): Input {
  const { parameters, key } = readParameters(endpoint, document, credentials);
  const beside = parameters.map(({ argument }) => argument);
  const body = readBody(endpoint, document, new Set(beside.map(({ name }) => name)));
  return {
    schema: merge([...beside, ...(body?.arguments ?? [])]),
    plan: {
      method: endpoint.method.toUpperCase(),
      path: endpoint.path,
      parameters: parameters.map(({ plan }) => plan),
      ...(body !== undefined && { body: body.plan }),
    },
    key: body?.key === 'required' ? body.key : (key ?? body?.key),
  };
}

function merge(all: readonly ReadArgument[]): JsonSchema {
  const bundle = new SchemaBundle('input');
  const properties = new Map<string, JsonSchema>();
  for (const argument of all) {
    const { name } = argument;
    if (properties.has(name)) {
      throw new Refused(
        'name-collision',
        `Two arguments would be named "${name}"; rename a parameter in the document.`,
      );
    }
    properties.set(name, { ...bundle.add(argument.schema), description: describe(argument) });
  }
  const required = all.filter((argument) => argument.required).map(({ name }) => name);
  return bundle.close({
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  });
}

/** Every argument has a description, a plain one where the document has none. */
function describe({ name, place, schema, description }: ReadArgument): string {
  return (
    description ??
    asText(member(schema.value, 'description')) ??
    asText(member(resolve(schema.value, schema.root).value, 'description')) ??
    describeParameter(name, place)
  );
}
