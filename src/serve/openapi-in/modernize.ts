/** Writes what OpenAPI 3.0 has of its own in a schema as JSON Schema 2020-12 has it. Pure. */
import type { Json } from './json.ts';
import { asList } from './json.ts';

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

/** 3.0: `nullable: true`. 2020-12: one more type, and one more value where they are listed. */
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
