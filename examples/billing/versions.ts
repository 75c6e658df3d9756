/** The API's versions, and what the payload of an event looks like in each. Pure. */

export interface ApiVersion {
  readonly version: string;
  readonly status: 'current' | 'supported' | 'deprecated';
}

/** Oldest first. */
export const VERSIONS: readonly ApiVersion[] = Object.freeze([
  { version: '2025-01-15', status: 'deprecated' },
  { version: '2025-09-01', status: 'supported' },
  { version: '2026-03-01', status: 'current' },
]);

export const LATEST = '2026-03-01';

export function isVersion(version: string): boolean {
  return VERSIONS.some((one) => one.version === version);
}

type Data = Readonly<Record<string, unknown>>;

/** What changed with each version, from the newest payload back. */
const BACK: Readonly<Record<string, (payload: Data) => Data>> = {
  // Until 2026-03-01 there was no environment, and the object was not wrapped.
  '2026-03-01': (payload) => ({
    ...without(payload, 'environment', 'data'),
    object_data: payload['data'],
  }),
  // Until 2025-09-01 times were in seconds and the type was called `event`.
  '2025-09-01': (payload) => ({
    ...without(payload, 'type', 'created_at'),
    event: payload['type'],
    created: Math.floor(Date.parse(String(payload['created_at'])) / 1000),
  }),
};

function without(payload: Data, ...names: readonly string[]): Data {
  return Object.fromEntries(Object.entries(payload).filter(([name]) => !names.includes(name)));
}

export interface PayloadParts {
  readonly id: string;
  readonly type: string;
  readonly created_at: string;
  readonly environment: string;
  readonly data: Data;
}

export function toPayload(parts: PayloadParts, version: string): Data {
  let payload: Data = { object: 'event', ...parts };
  for (const { version: step } of VERSIONS.toReversed()) {
    if (step <= version) break;
    payload = BACK[step]?.(payload) ?? payload;
  }
  return { ...payload, api_version: version };
}

export interface Comparison {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

/** Fields of the payload, by what happened to them from one version to another. */
export function comparePayloads(from: Data, to: Data): Comparison {
  const [before, after] = [Object.keys(from), Object.keys(to)];
  return {
    added: after.filter((name) => !before.includes(name)),
    removed: before.filter((name) => !after.includes(name)),
    changed: before.filter(
      (name) => after.includes(name) && JSON.stringify(from[name]) !== JSON.stringify(to[name]),
    ),
  };
}
