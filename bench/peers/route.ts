/** The transports on both sides of a program in the middle: only those with the same are compared. */
export const ROUTES = ['stdio to stdio', 'stdio to HTTP', 'HTTP to stdio', 'HTTP to HTTP'] as const;
export type Route = (typeof ROUTES)[number];
