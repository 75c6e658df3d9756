/**
 * One object of arguments for an endpoint: its parameters, and the fields of its JSON body beside
 * them. Where the body is no plain object, or a field has a parameter's name, it is one argument
 * named `body`.
 */
import type { JsonSchema } from '../../effect/schema.ts';
import type { Endpoint } from './endpoints.ts';
import { isJson, requestMedia } from './find-exclusion.ts';
import { Refused } from './finding.ts';
import type { Json } from './json.ts';
import { asObject, asText, isTextList, member } from './json.ts';
import type { ReadParameters } from './plan-parameters.ts';
import type { Located } from './reference.ts';
import { locate, resolve } from './reference.ts';
import type { PlannedBody, RequestPlan } from './request-plan.ts';
import { ARGUMENT_NAME } from './request-plan.ts';
import { SchemaBundle } from './schema-bundle.ts';
import { describeParameter } from './words.ts';

export interface Input {
  readonly schema: JsonSchema;
  readonly plan: RequestPlan;
}

const WHOLE = 'body';
/** What a body may say of itself and still be nothing but its fields. */
const FIELDS_ONLY: ReadonlySet<string> = new Set([
  '$id',
  '$schema',
  '$defs',
  '$comment',
  'type',
  'properties',
  'required',
  'additionalProperties',
  'title',
  'description',
  'example',
  'examples',
  'externalDocs',
  'xml',
]);

export function toInput(
  endpoint: Endpoint,
  { parameters }: ReadParameters,
  document: unknown,
): Input {
  const bundle = new SchemaBundle('input');
  const properties = new Map<string, JsonSchema>();
  const required: string[] = [];
  const add = (name: string, schema: JsonSchema, isRequired: boolean) => {
    if (properties.has(name)) {
      throw new Refused(
        'name-collision',
        `Two arguments would be named "${name}"; rename a parameter in the document.`,
      );
    }
    properties.set(name, schema);
    if (isRequired) required.push(name);
  };
  for (const { plan, schema, description, required: isRequired } of parameters) {
    add(plan.argument, describe(bundle, schema, plan.name, plan.place, description), isRequired);
  }
  const body = planBody(endpoint, document, bundle, properties, add);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
  return {
    schema: bundle.close(schema),
    plan: {
      method: endpoint.method.toUpperCase(),
      path: endpoint.path,
      parameters: parameters.map(({ plan }) => plan),
      ...(body !== undefined && { body }),
    },
  };
}

function planBody(
  endpoint: Endpoint,
  document: unknown,
  bundle: SchemaBundle,
  parameters: ReadonlyMap<string, unknown>,
  add: (name: string, schema: JsonSchema, isRequired: boolean) => void,
): PlannedBody | undefined {
  const media = requestMedia(endpoint, document).find(isJson);
  if (media === undefined) return undefined;
  const { value } = resolve(member(endpoint.operation, 'requestBody'), document);
  const required = member(value, 'required') === true;
  const contentType = media.mediaType.includes('*') ? 'application/json' : media.mediaType;
  const written = media.schema ?? locate({}, document);
  const fields = fieldsOf(written, parameters);
  if (fields === undefined) {
    const description = asText(member(value, 'description')) ?? 'The whole body of the request.';
    add(WHOLE, describe(bundle, written, WHOLE, 'request', description), required);
    return { contentType, required, arguments: WHOLE };
  }
  const { entries, needed, root } = fields;
  const shown = entries.filter(([, field]) => !bundle.hides(field, root));
  for (const [name, field] of shown) {
    const schema = describe(bundle, locate(field, root), name, 'body');
    add(name, schema, required && needed.includes(name));
  }
  return { contentType, required, arguments: shown.map(([name]) => name) };
}

interface Fields {
  readonly entries: readonly (readonly [string, unknown])[];
  readonly needed: readonly string[];
  readonly root: unknown;
}

function fieldsOf(written: Located, parameters: ReadonlyMap<string, unknown>): Fields | undefined {
  const { value, root } = resolve(written.value, written.root);
  const schema = asObject(value);
  const properties = asObject(schema?.['properties']);
  if (schema === undefined || hasSiblings(written.value)) return undefined;
  const { type = 'object', additionalProperties = false, required: needed } = schema;
  if (type !== 'object' || additionalProperties !== false) return undefined;
  if (properties === undefined && schema['additionalProperties'] === undefined) return undefined;
  const isPlain = Object.keys(schema).every(
    (keyword) => FIELDS_ONLY.has(keyword) || keyword.startsWith('x-'),
  );
  const entries = Object.entries(properties ?? {});
  const isFree = entries.every(([name]) => ARGUMENT_NAME.test(name) && !parameters.has(name));
  return isPlain && isFree
    ? { entries, needed: isTextList(needed) ? needed : [], root }
    : undefined;
}

/** A reference with more beside it is not only what it points at. */
function hasSiblings(written: unknown): boolean {
  return (
    typeof member(written, '$ref') === 'string' &&
    Object.keys(asObject(written) ?? {}).some((key) => key !== '$ref' && key !== 'description')
  );
}

/** Every argument has a description, a plain one where the document has none. */
function describe(
  bundle: SchemaBundle,
  schema: Located,
  name: string,
  place: string,
  description?: string,
): Json {
  const said =
    description ??
    asText(member(schema.value, 'description')) ??
    asText(member(resolve(schema.value, schema.root).value, 'description'));
  return { ...bundle.add(schema), description: said ?? describeParameter(name, place) };
}
