/** The cells: which client, over which transports, in which era, in front of how many servers. */
export interface Cell {
  readonly client: 'sdk1' | 'sdk2' | 'raw' | 'inspector';
  readonly era: '2025' | '2026';
  readonly down: 'stdio' | 'http';
  readonly up: 'stdio' | 'http';
  readonly servers: 'one' | 'aggregate';
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

export const CELLS: readonly Cell[] = TRANSPORTS.flatMap((down) =>
  TRANSPORTS.flatMap((up) =>
    (['one', 'aggregate'] as const).flatMap((servers) =>
      CLIENTS.map(([client, era]) => ({ client, era, down, up, servers })),
    ),
  ),
);

export function nameOf({ client, era, down, up, servers }: Cell): string {
  return `${client} ${era}, ${down} to ${up}, ${servers}`;
}
