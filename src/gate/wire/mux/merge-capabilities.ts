/** What several servers can do together, and what they say of themselves as one. Pure. */
import type { JsonValue } from '../../../lib/json-value.ts';
import { LEGACY_VERSIONS, META, MODERN_VERSION } from '../eras/protocol.ts';
import type { JsonObject } from '../frame.ts';
import { isObject } from '../read-frame.ts';

/** A server's answer to `initialize` or `server/discover`. */
export interface Hello {
  readonly server: string;
  readonly result: JsonObject;
}

export function toMergedInitialize(hellos: readonly Hello[], info: JsonObject): JsonObject {
  const versions = hellos.map(({ result }) => result['protocolVersion']);
  // The revisions are dates; what the oldest of them says, all can say.
  const oldest = versions.filter((one) => typeof one === 'string').toSorted()[0];
  return {
    protocolVersion: oldest ?? LEGACY_VERSIONS[0],
    capabilities: mergeCapabilities(hellos),
    serverInfo: info,
    ...toInstructions(hellos),
  };
}

export function toMergedDiscover(hellos: readonly Hello[], info: JsonObject): JsonObject {
  const ttls = hellos.map(({ result }) => toTtl(result['ttlMs']));
  return {
    resultType: 'complete',
    supportedVersions: [MODERN_VERSION],
    capabilities: mergeCapabilities(hellos),
    ...toInstructions(hellos),
    ttlMs: ttls.length === 0 ? 0 : Math.min(...ttls),
    cacheScope: 'private',
    _meta: { [META.server]: info },
  };
}

export function toTtl(value: JsonValue | undefined): number {
  return typeof value === 'number' && value > 0 ? value : 0;
}

function mergeCapabilities(hellos: readonly Hello[]): JsonObject {
  let merged: JsonValue = {};
  for (const { result } of hellos) merged = unite(merged, result['capabilities'] ?? {});
  return isObject(merged) ? merged : {};
}

/** What either can do. */
function unite(one: JsonValue, other: JsonValue): JsonValue {
  if (isObject(one) && isObject(other)) {
    const added = Object.entries(other).map(([key, value]) => {
      const had = Object.hasOwn(one, key) ? one[key] : undefined;
      return [key, had === undefined ? value : unite(had, value)] as const;
    });
    return { ...one, ...Object.fromEntries(added) };
  }
  return one === false ? other : one;
}

function toInstructions(hellos: readonly Hello[]): { readonly instructions?: string } {
  const told = hellos.flatMap(({ server, result: { instructions } }) =>
    typeof instructions === 'string' && instructions !== ''
      ? [`# ${server}\n\n${instructions}`]
      : [],
  );
  return told.length === 0 ? {} : { instructions: told.join('\n\n') };
}
