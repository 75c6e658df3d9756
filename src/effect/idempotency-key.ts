/** Where an idempotency key is sent, which effects take one, and its format. */
import type { Effect } from './effect.ts';
import { possibleEffects } from './effect.ts';
import type { JsonSchema } from './schema.ts';
import { propertiesOf } from './schema.ts';

/** The argument that keyed operations take, for clients that cannot set headers. */
export const KEY_ARGUMENT = 'idempotency_key';

const SHORTEST = 16;
const KEY = /^[A-Za-z0-9_.:-]{16,255}$/;

const ARGUMENT_SCHEMA: JsonSchema = Object.freeze({
  type: 'string',
  minLength: SHORTEST,
  maxLength: 255,
  description:
    'One key for one intention, made before the first call. Send the same key again when you retry; a new key means a new effect.',
});

export function isKey(value: unknown): value is string {
  return typeof value === 'string' && KEY.test(value);
}

/** Whether some arguments cause an effect that takes a key. */
export function takesKey(effect: Effect): boolean {
  return possibleEffects(effect).some(({ repeat }) => repeat.kind === 'key');
}

/** Whether a parameter of the operation's own can hold a key at all. */
export function acceptsKeys(schema: JsonSchema | undefined): boolean {
  if (schema === undefined) return true;
  const { type = 'string', maxLength = SHORTEST } = schema;
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  return types.includes('string') && Number(maxLength) >= SHORTEST;
}

/** The input schema with the key argument added, unless it has its own. */
export function withKeyArgument(schema: JsonSchema): JsonSchema {
  const properties = propertiesOf(schema);
  if (Object.hasOwn(properties, KEY_ARGUMENT)) return schema;
  return Object.freeze({
    ...schema,
    properties: { ...properties, [KEY_ARGUMENT]: ARGUMENT_SCHEMA },
  });
}
