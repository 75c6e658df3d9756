/** One object of arguments for an endpoint, and how they become its request. */
import { fromJsonSchema } from '@modelcontextprotocol/server';
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker';
import type { JsonSchema, Schema } from '../../effect/schema.ts';
import { toDoubles } from '../../lib/lossless-json.ts';
import type { Endpoint } from './endpoints.ts';
import { describeParameter } from './find-exclusion.ts';
import { Refused } from './finding.ts';
import { isJson, readBody, successMedia } from './read-body.ts';
import { readParameters } from './read-parameters.ts';
import type { Located } from './reference.ts';
import { asList, asObject, asText, locate, member, resolve } from './reference.ts';
import { SchemaBundle } from './schema-bundle.ts';
import type { KeyNeed, ReadArgument, RequestPlan } from './request-plan.ts';

interface Input {
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
  const { parameters, reserved, key } = readParameters(endpoint, document, credentials);
  const beside = parameters.map(({ argument }) => argument);
  const body = readBody(endpoint, document, new Set(beside.map(({ name }) => name)));
  return {
    schema: merge([...beside, ...(body?.arguments ?? [])]),
    plan: {
      method: endpoint.method.toUpperCase(),
      path: endpoint.path,
      parameters: parameters.map(({ plan }) => plan),
      reserved,
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

/** Every argument has a description, a generic one where the document has none. */
function describe({ name, place, schema, description }: ReadArgument): string {
  return (
    description ??
    asText(member(schema.value, 'description')) ??
    asText(member(resolve(schema.value, schema.root).value, 'description')) ??
    describeParameter(name, place)
  );
}

/**
 * The output schema of an endpoint. There is one only when every documented success returns the same
 * JSON object: a result that breaks its output schema is not sent, so a schema for half of the answers
 * would lose the other half.
 */
export function toOutput(endpoint: Endpoint, document: unknown): JsonSchema | undefined {
  if (endpoint.method === 'head') return undefined;
  const schemas = successMedia(endpoint, document).map((media) => media.find(isJson)?.schema);
  const [first, ...others] = schemas.map((schema) => schema && toObjectSchema(schema));
  if (first === undefined) return undefined;
  const shown = JSON.stringify(first);
  return others.every((other) => JSON.stringify(other) === shown) ? first : undefined;
}

function toObjectSchema(written: Located): JsonSchema | undefined {
  const bundle = new SchemaBundle('output');
  try {
    const located = resolve(written.value, written.root);
    if (!isObject(located)) return undefined;
    return bundle.close({ ...bundle.add(located), type: 'object' });
  } catch (error) {
    // Results need no schema, and one of this size is useless; the tool works without it.
    if (error instanceof Refused && error.code === 'schema-too-large') return undefined;
    throw error;
  }
}

/** Whether every value of the schema is an object, as far as the schema says. */
function isObject({ value, root }: Located, depth = 8): boolean {
  const type = member(value, 'type');
  if (member(value, 'nullable') === true || depth === 0) return false;
  if (type !== undefined) return type === 'object';
  if (asObject(member(value, 'properties')) !== undefined) return true;
  return asList(member(value, 'allOf')).some((part) => {
    const inner = locate(part, root);
    return isObject(resolve(inner.value, inner.root), depth - 1);
  });
}

/**
 * A JSON Schema as a schema that operations accept. Checked by an interpreter: the default validator
 * would compile the document into code.
 */
const validator = new CfWorkerJsonSchemaValidator({ draft: '2020-12' });

export function toSchema(json: JsonSchema): Schema {
  const { validate, ...standard } = read(json)['~standard'];
  return {
    '~standard': {
      ...standard,
      /**
       * The validator throws on values nested deeper than its stack, and on `undefined`; it knows
       * doubles only, and takes what an object inherits for a member.
       */
      validate: (value) => {
        try {
          const result = validate(toDoubles(value));
          // This validator is synchronous, which the type leaves open.
          return result instanceof Promise || result.issues !== undefined ? result : { value };
        } catch {
          return { issues: [{ message: 'The value cannot be checked.' }] };
        }
      },
    },
  };
}

function read(json: JsonSchema): Schema {
  try {
    return fromJsonSchema({ ...json }, validator);
  } catch {
    throw new Refused(
      'schema-unusable',
      'Its schema cannot be checked by the validator; write it more simply.',
    );
  }
}
