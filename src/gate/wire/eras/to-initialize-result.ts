/** What a server of 2026 tells about itself, as the answer to `initialize`. Pure. */
import type { JsonValue } from '../../../lib/json-value.ts';
import type { JsonObject } from '../frame.ts';
import { readMeta } from './envelope.ts';
import { LEGACY_VERSIONS, META } from './protocol.ts';

export function toInitializeResult(
  discovered: JsonObject,
  asked: JsonValue | undefined,
): JsonObject {
  const { capabilities, instructions } = discovered;
  const known = typeof asked === 'string' && LEGACY_VERSIONS.includes(asked);
  return {
    protocolVersion: known ? asked : LEGACY_VERSIONS[0],
    capabilities: capabilities ?? {},
    // 2025 demands a name; a server of 2026 need not tell one.
    serverInfo: readMeta(discovered)[META.server] ?? { name: 'unnamed', version: '0' },
    ...(instructions !== undefined && { instructions }),
  };
}
