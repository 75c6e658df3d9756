/** A server's answer of 2025, as 2026 words it: only what is missing is added. Pure. */
import type { JsonValue } from '../../../lib/json-value.ts';
import type { Frame, RpcId } from '../frame.ts';
import { isObject } from '../read-frame.ts';
import type { Edit } from './edit-frame.ts';
import { editFrame } from './edit-frame.ts';
import { CACHEABLE_METHODS, CODES, META } from './protocol.ts';

export function toModernResponse(
  frame: Frame,
  request: { readonly method: string; readonly id: RpcId },
  serverInfo: JsonValue | undefined,
): Frame {
  const { id, result, error } = frame.message;
  const edits: Edit[] = [];
  if (id !== request.id) edits.push({ kind: 'set', path: ['id'], value: request.id });
  if (isObject(result)) {
    const add = (path: readonly [string, ...string[]], value: JsonValue): void => {
      edits.push({ kind: 'set', path: ['result', ...path], value });
    };
    if (result['resultType'] === undefined) add(['resultType'], 'complete');
    if (CACHEABLE_METHODS.has(request.method)) {
      if (result['ttlMs'] === undefined) add(['ttlMs'], 0);
      if (result['cacheScope'] === undefined) add(['cacheScope'], 'private');
    }
    if (serverInfo !== undefined) add(['_meta', META.server], serverInfo);
  }
  if (isObject(error) && error['code'] === CODES.resourceNotFound) {
    edits.push({ kind: 'set', path: ['error', 'code'], value: CODES.invalidParams });
  }
  const edited = editFrame(frame, edits);
  return frame.about === undefined ? edited : { ...edited, about: request.id };
}
