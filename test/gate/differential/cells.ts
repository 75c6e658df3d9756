/** The cells: which client, over which transports, in which era, in front of how many servers. */
export interface Cell {
  readonly client: 'sdk1' | 'sdk2' | 'raw' | 'inspector';
  readonly era: '2025' | '2026';
  readonly down: 'stdio' | 'http';
  readonly up: 'stdio' | 'http';
  readonly servers: 'one' | 'aggregate';
  /** Whether the server stops in the middle; takes most of the time. */
  readonly restarts: boolean;
}

const TRANSPORTS = ['stdio', 'http'] as const;

/** The first SDK knows no 2026. */
const CLIENTS = [
  ['raw', '2025'],
  ['raw', '2026'],
  ['sdk1', '2025'],
  ['sdk2', '2025'],
  ['sdk2', '2026'],
  ['inspector', '2025'],
  ['inspector', '2026'],
] as const;

/** The whole cross product: `npm run differential`. */
export const CELLS: readonly Cell[] = TRANSPORTS.flatMap((down) =>
  TRANSPORTS.flatMap((up) =>
    (['one', 'aggregate'] as const).flatMap((servers) =>
      CLIENTS.map(([client, era]) => {
        const restarts = client !== 'inspector';
        return { client, era, down, up, servers, restarts };
      }),
    ),
  ),
);

/**
 * What runs with the tests: raw clients in every cell, the SDKs where each transport on each side meets
 * one server or several, the Inspector at two corners; servers stop under raw clients only.
 */
export const SELECTED: readonly Cell[] = CELLS.filter(({ client, era, down, up, servers }) => {
  if (client === 'raw') return true;
  const isMixed = down !== up;
  if (client !== 'inspector') return isMixed === (servers === 'aggregate');
  const isOld = era === '2025';
  return !isMixed && isOld === (down === 'stdio') && isOld === (servers === 'one');
}).map((cell) => ({ ...cell, restarts: cell.client === 'raw' }));

export function nameOf({ client, era, down, up, servers }: Cell): string {
  return `${client} ${era}, ${down} to ${up}, ${servers}`;
}
