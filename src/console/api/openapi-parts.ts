/** The parts that the operations of an OpenAPI document have in common. */

interface OperationInit {
  readonly parameters?: readonly unknown[];
  /** The schema of the body. */
  readonly body?: unknown;
  readonly type?: string;
}

export function operation(id: string, summary: string, init: OperationInit = {}): unknown {
  const { parameters, body, type = 'application/json' } = init;
  const schema = type === 'application/json' ? { type: 'object' } : { type: 'string' };
  return {
    operationId: id,
    summary,
    ...(parameters !== undefined && { parameters }),
    ...(body !== undefined && {
      requestBody: { required: true, content: { 'application/json': { schema: body } } },
    }),
    responses: {
      200: { description: summary, content: { [type]: { schema } } },
      default: {
        description: 'A refusal or a failure.',
        content: {
          'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
        },
      },
    },
  };
}

export function parameter(
  name: string,
  place: 'path' | 'query' | 'header',
  description: string,
  required = true,
  choices?: readonly string[],
): unknown {
  const schema = { type: 'string', ...(choices !== undefined && { enum: choices }) };
  return { name, in: place, required, description, schema };
}
