/**
 * A JSON Schema as a schema that operations accept. Checked by an interpreter: the default validator
 * would turn the document into code.
 */
import { fromJsonSchema } from '@modelcontextprotocol/server';
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker';
import type { JsonSchema, Schema } from '../../effect/schema.ts';
import { Refused } from './finding.ts';

const validator = new CfWorkerJsonSchemaValidator({ draft: '2020-12' });

export function toSchema(json: JsonSchema): Schema {
  const { validate, ...standard } = read(json)['~standard'];
  return {
    '~standard': {
      ...standard,
      /** The validator throws at values that nest deeper than its stack, and at no value at all. */
      validate: (value) => {
        try {
          return validate(value);
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
