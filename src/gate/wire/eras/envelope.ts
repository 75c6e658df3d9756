/** The envelope: what a request of 2026 says about its client in `params._meta`. Pure. */
import type { JsonValue } from '../../../lib/json-value.ts';
import type { Frame, JsonObject, RpcId, RpcMessage } from '../frame.ts';
import { isId } from '../frame.ts';
import { isObject } from '../read-frame.ts';
import { editFrame } from './edit-frame.ts';
import { ENVELOPE_KEYS, META } from './protocol.ts';

export interface Envelope {
  readonly version: JsonValue | undefined;
  readonly capabilities: JsonObject;
  readonly clientInfo: JsonObject | undefined;
  readonly logLevel: string | undefined;
  readonly progressToken: RpcId | undefined;
}

export function readEnvelope({ params }: RpcMessage): Envelope {
  const meta = readMeta(params);
  const capabilities = meta[META.capabilities];
  const clientInfo = meta[META.client];
  const logLevel = meta[META.logLevel];
  const token = meta['progressToken'];
  return Object.freeze({
    version: meta[META.version],
    capabilities: isObject(capabilities) ? capabilities : {},
    clientInfo: isObject(clientInfo) ? clientInfo : undefined,
    logLevel: typeof logLevel === 'string' ? logLevel : undefined,
    progressToken: isId(token) ? token : undefined,
  });
}

/** Leaves the progress token, trace context and whatever else is not the envelope. */
export function stripEnvelope(frame: Frame): Frame {
  const entries = Object.entries(readMeta(frame.message.params));
  const kept = entries.filter(([key]) => !ENVELOPE_KEYS.includes(key));
  if (kept.length === entries.length) return frame;
  const path = ['params', '_meta'] as const;
  if (kept.length === 0) return editFrame(frame, [{ kind: 'remove', path }]);
  return editFrame(frame, [{ kind: 'set', path, value: Object.fromEntries(kept) }]);
}

export function addEnvelope(frame: Frame, envelope: JsonObject): Frame {
  const value = { ...readMeta(frame.message.params), ...envelope };
  return editFrame(frame, [{ kind: 'set', path: ['params', '_meta'], value }]);
}

export function readMeta(holder: JsonValue | undefined): JsonObject {
  const meta = isObject(holder) ? holder['_meta'] : undefined;
  return isObject(meta) ? meta : {};
}
