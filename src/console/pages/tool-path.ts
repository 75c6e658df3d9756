/** Where the page of a tool is. */

/** Undefined for names that no address can carry: dots alone would walk up the path. */
export function toolPath(server: string, tool: string): string | undefined {
  const parts = [server, tool];
  const isLost = (part: string): boolean => /^\.{0,2}$/.test(part) || !part.isWellFormed();
  if (parts.some(isLost)) return undefined;
  return `/tools/${parts.map(encodeURIComponent).join('/')}`;
}
