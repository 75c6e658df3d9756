/** Where an idempotency key is sent, which effects take one, and its format. */
import type { Effect } from './effect.ts';
import { possibleEffects } from './effect.ts';
import type { JsonSchema } from './schema.ts';
import { propertiesOf } from './schema.ts';

/** The argument that keyed operations take, for clients that cannot set headers. */
export const KEY_ARGUMENT = 'idempotency_key';

const KEY = /^[A-Za-z0-9_.:-]{16,255}$/;

const ARGUMENT_SCHEMA: JsonSchema = Object.freeze({
  type: 'string',
  minLength: 16,
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

/** The input schema with the key argument added, unless it has its own. */
export function withKeyArgument(schema: JsonSchema): JsonSchema {
  const properties = propertiesOf(schema);
  if (KEY_ARGUMENT in properties) return schema;
  return Object.freeze({
    ...schema,
    properties: { ...properties, [KEY_ARGUMENT]: ARGUMENT_SCHEMA },
  });
}
