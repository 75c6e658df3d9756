/** One operation as its entry in `tools/list`, stamped by the convention. */
import type { Convention } from '../effect/convention.ts';
import type { Icon, Operation } from '../effect/operation.ts';
import type { JsonSchema } from '../effect/schema.ts';
import type { Stamp } from '../effect/stamp.ts';
import { stamp } from '../effect/stamp.ts';

interface ToolEntry extends Stamp {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly icons?: readonly Icon[];
}

export function toTool(operation: Operation, convention: Convention): ToolEntry {
  const { title, annotations, _meta } = stamp(operation, convention);
  const { name, description, inputSchema, outputSchema, icons } = operation;
  return Object.freeze({
    name,
    ...(title !== undefined && { title }),
    description,
    inputSchema,
    ...(convention.listsOutputSchema && isObjectSchema(outputSchema) && { outputSchema }),
    annotations,
    ...(icons !== undefined && { icons }),
    ...(_meta !== undefined && { _meta }),
  });
}

/** Clients of the 2025 revisions take structured results only as objects. */
export function isObjectSchema(schema: JsonSchema | undefined): schema is JsonSchema {
  return schema?.['type'] === 'object';
}
