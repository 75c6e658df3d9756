/**
 * The schemas that operations accept: any Standard Schema that can also be written as JSON Schema
 * 2020-12. Independent of any library; zod, valibot and arktype all fit.
 */
import type { StandardSchemaV1 } from '@standard-schema/spec';

export interface Schema<Input = unknown, Output = Input> {
  readonly '~standard': StandardSchemaV1.Props<Input, Output> & {
    readonly jsonSchema: { readonly input: WriteSchema; readonly output: WriteSchema };
  };
}

/** Narrower than the standard's own converter, so that libraries with fewer dialects fit as well. */
type WriteSchema = (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>;

export type InferOutput<S extends Schema> = StandardSchemaV1.InferOutput<S>;
export type InferInput<S extends Schema> = StandardSchemaV1.InferInput<S>;

export type JsonSchema = Readonly<Record<string, unknown>>;

/** The JSON Schema of what callers send. Unknown arguments are refused unless the schema says so. */
export function toInputSchema(schema: Schema): JsonSchema {
  const json = schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' });
  const { $schema: _, ...rest } = json;
  return Object.freeze(
    'additionalProperties' in rest ? rest : { ...rest, additionalProperties: false },
  );
}

export function toOutputSchema(schema: Schema): JsonSchema {
  const { $schema: _, ...rest } = schema['~standard'].jsonSchema.output({
    target: 'draft-2020-12',
  });
  return Object.freeze(rest);
}

/** The named members of an object schema. */
export function propertiesOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  const properties = schema['properties'];
  if (typeof properties !== 'object' || properties === null) return {};
  return properties as Record<string, JsonSchema>; // JSON Schema: `properties` maps names to schemas
}
