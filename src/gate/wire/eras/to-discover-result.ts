/** What a server of 2025 said in its handshake, as the answer to `server/discover`. Pure. */
import type { JsonObject } from '../frame.ts';
import { isObject } from '../read-frame.ts';
import { META, MODERN_VERSION } from './protocol.ts';

export function toDiscoverResult(hello: JsonObject): JsonObject {
  const { capabilities, instructions, serverInfo } = hello;
  // The tasks of 2025 went out of the core; whoever saw them here would call methods that are gone.
  const { tasks: _, ...kept } = isObject(capabilities) ? capabilities : {};
  return {
    resultType: 'complete',
    supportedVersions: [MODERN_VERSION],
    capabilities: kept,
    ...(instructions !== undefined && { instructions }),
    ttlMs: 0,
    cacheScope: 'private',
    ...(serverInfo !== undefined && { _meta: { [META.server]: serverInfo } }),
  };
}
