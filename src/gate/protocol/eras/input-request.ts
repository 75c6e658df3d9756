/**
 * What a server may ask of a client, which 2025 sends as a request and 2026 embeds in a result: the
 * same words in both but for a few. Pure.
 */
import { randomUUID } from 'node:crypto';
import type { JsonValue } from '../../../lib/json-value.ts';
import type { JsonObject } from '../frame.ts';
import { isObject } from '../read-frame.ts';

export interface InputRequest {
  readonly method: string;
  readonly params: JsonObject | undefined;
}

const CAPABILITY_OF: Readonly<Record<string, string>> = Object.freeze({
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
});

export function isInputMethod(method: string): boolean {
  return Object.hasOwn(CAPABILITY_OF, method);
}

/** Whether a client with these capabilities may be asked this. */
export function isDeclared(capabilities: JsonObject, { method, params }: InputRequest): boolean {
  const name = isInputMethod(method) ? CAPABILITY_OF[method] : undefined;
  const capability = name === undefined ? undefined : capabilities[name];
  if (!isObject(capability)) return false;
  if (method !== 'elicitation/create') return true;
  const isUrl = params?.['mode'] === 'url';
  // An empty capability means forms, since it was so before there were modes.
  return isUrl
    ? capability['url'] !== undefined
    : capability['form'] !== undefined || capability['url'] === undefined;
}

/** As 2026 embeds it: without the id that 2025 gives to a page to open. */
export function toEmbedded({ method, params }: InputRequest): JsonObject {
  if (params === undefined) return { method };
  const { elicitationId: _, ...rest } = params;
  return { method, params: params['mode'] === 'url' ? rest : params };
}

/** As 2025 sends it. `undefined` for what is no such request. */
export function fromEmbedded(value: JsonValue | undefined): InputRequest | undefined {
  if (!isObject(value)) return undefined;
  const { method, params } = value;
  if (typeof method !== 'string' || !isInputMethod(method)) return undefined;
  if (!isObject(params)) return { method, params: undefined };
  if (params['mode'] !== 'url') return { method, params };
  return { method, params: { elicitationId: randomUUID(), ...params } };
}
