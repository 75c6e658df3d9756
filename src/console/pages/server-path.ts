/** Where the page of a server is. */

/** Undefined for names that no address can carry: dots alone would walk up the path. */
export function serverPath(server: string): string | undefined {
  if (/^\.{0,2}$/.test(server) || !server.isWellFormed()) return undefined;
  return `/servers/${encodeURIComponent(server)}`;
}
