/**
 * A server's message under another id. Its parts are set together anew, so that a server that writes
 * a second `id` cannot answer for another server.
 */
import type { Frame, JsonObject, RpcId } from '../frame.ts';
import { locate } from '../locate.ts';
import { toText } from '../eras/to-text.ts';

const PARTS = ['method', 'params', 'result', 'error'] as const;

export function readdress(frame: Frame, id: RpcId, about?: RpcId): Frame {
  const text = toText(frame);
  const kept = PARTS.filter((part) => frame.message[part] !== undefined);
  const members = kept.map((part) => {
    const place = locate(text, [part]);
    return `"${part}":${text.slice(place?.start, place?.end)}`;
  });
  const bytes = Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${members.join(',')}}`);
  const parts = Object.fromEntries(kept.map((part) => [part, frame.message[part]]));
  const message = { jsonrpc: '2.0', id, ...parts } as JsonObject; // parts of a message are JSON
  return { bytes, message, ...(about !== undefined && { about }) };
}
