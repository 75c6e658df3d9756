/** The text of a frame, without copying its bytes first. */
import type { Frame } from '../frame.ts';

export function toText({ bytes }: Frame): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
