/** Finds the idempotency key of a call: in the header, in `_meta`, as an argument, or nowhere. */
import { isKey, KEY_ARGUMENT } from '../effect/idempotency-key.ts';

export type KeyReading =
  | { readonly kind: 'none' }
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'refused'; readonly code: 'key-invalid' | 'key-mismatch' };

export function readKey(
  args: Readonly<Record<string, unknown>>,
  beside: readonly unknown[],
): KeyReading {
  const given = [args[KEY_ARGUMENT], ...beside].filter((key) => key !== undefined && key !== null);
  const keys = given.map(unquote);
  const valid = keys.filter(isKey);
  if (valid.length < keys.length) return { kind: 'refused', code: 'key-invalid' };
  const [key, ...others] = valid;
  if (key === undefined) return { kind: 'none' };
  if (others.some((other) => other !== key)) return { kind: 'refused', code: 'key-mismatch' };
  return { kind: 'key', key };
}

/** As a header the key may stand in quotes, as a structured field's string does. */
function unquote(key: unknown): unknown {
  return typeof key === 'string' ? key.replace(/^"(.*)"$/, '$1') : key;
}
