/**
 * The keywords of JSON Schema 2020-12 that are copied from a document, by the type of their value.
 * Other keywords and invalid values are dropped: the API itself still checks what it receives.
 */
import type { Json } from './reference.ts';
import { asList, asObject, isTextList } from './reference.ts';

const TYPES: ReadonlySet<unknown> = new Set([
  'null',
  'boolean',
  'object',
  'array',
  'number',
  'integer',
  'string',
]);

type Fits = (value: unknown) => boolean;

const isText: Fits = (value) => typeof value === 'string';
const isFlag: Fits = (value) => typeof value === 'boolean';
const isNumber: Fits = (value) => Number.isFinite(value);
const isCount: Fits = (value) => Number.isInteger(value) && Number(value) >= 0;
const isAnything: Fits = () => true;

/** Keywords whose value is not a schema. */
export const PLAIN: ReadonlyMap<string, Fits> = new Map(
  Object.entries({
    type: (value) =>
      TYPES.has(value) || (isTextList(value) && value.every((type) => TYPES.has(type))),
    title: isText,
    description: isText,
    format: isText,
    pattern: isPattern,
    contentMediaType: isText,
    contentEncoding: isText,
    enum: (value) => Array.isArray(value) && value.length > 0,
    const: isAnything,
    default: isAnything,
    examples: Array.isArray,
    deprecated: isFlag,
    uniqueItems: isFlag,
    required: isTextList,
    dependentRequired: (value) => Object.values(asObject(value) ?? { no: 1 }).every(isTextList),
    minimum: isNumber,
    maximum: isNumber,
    exclusiveMinimum: isNumber,
    exclusiveMaximum: isNumber,
    multipleOf: (value) => isNumber(value) && Number(value) > 0,
    minLength: isCount,
    maxLength: isCount,
    minItems: isCount,
    maxItems: isCount,
    minContains: isCount,
    maxContains: isCount,
    minProperties: isCount,
    maxProperties: isCount,
  }),
);

/** Keywords whose value is one schema. */
export const NESTED = [
  'items',
  'additionalProperties',
  'contains',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
  'not',
  'if',
  'then',
  'else',
] as const;

export const NESTED_LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'] as const;

export const NESTED_MAPS = ['properties', 'patternProperties', 'dependentSchemas'] as const;

/** Keywords whose schemas apply to the same value as the enclosing schema. */
export const IN_PLACE: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
]);

/** The validator compiles patterns on first use; an invalid one must not reach it. */
export function isPattern(value: unknown): boolean {
  try {
    return typeof value === 'string' && new RegExp(value, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

/** Converts OpenAPI 3.0's own schema keywords to JSON Schema 2020-12. Pure. */
export function modernize(schema: Json): Json {
  return withNull(withBounds(withExamples(schema)));
}

function withExamples({ example, ...schema }: Json): Json {
  return example === undefined || schema['examples'] !== undefined
    ? schema
    : { ...schema, examples: [example] };
}

/** 3.0: `minimum: 5, exclusiveMinimum: true`. 2020-12: `exclusiveMinimum: 5`. */
function withBounds(schema: Json): Json {
  let result = schema;
  for (const [bound, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    const { [exclusive]: said, [bound]: limit, ...rest } = result;
    if (said === true) result = { ...rest, [exclusive]: limit };
    if (said === false) result = { ...rest, ...(limit !== undefined && { [bound]: limit }) };
  }
  return result;
}

/** 3.0: `nullable: true`. 2020-12: one more type, and one more enum value. */
function withNull({ nullable, ...schema }: Json): Json {
  if (nullable !== true) return schema;
  const { type, enum: values } = schema;
  if (typeof type !== 'string') {
    const { description, ...rest } = schema;
    const either = { anyOf: [rest, { type: 'null' }] };
    return description === undefined ? either : { description, ...either };
  }
  return {
    ...schema,
    type: [type, 'null'],
    ...(values !== undefined && { enum: [...new Set([...asList(values), null])] }),
  };
}
