/** Names behind the aggregate: <server>__<name>. A server's name has no underscore, so that none is ambiguous. */

/** Names behind the aggregate: `<server>__<name>`. A server's name has no underscore, so that none is unclear. */

interface NameFault {
  readonly code: 'invalid-name' | 'name-collision';
  readonly server: string;
  readonly detail: string;
}

const SEPARATOR = '__';

const LONGEST_NAME = 128;

const SERVER_NAME = /^[a-z0-9-]{1,32}$/i;

/** `undefined` if the name would be longer than the protocol advises. */
export function toPrefixed(server: string, name: string): string | undefined {
  const prefixed = `${server}${SEPARATOR}${name}`;
  return prefixed.length > LONGEST_NAME ? undefined : prefixed;
}

export function fromPrefixed(
  prefixed: string,
): { readonly server: string; readonly name: string } | undefined {
  const at = prefixed.indexOf(SEPARATOR);
  if (at <= 0) return undefined;
  return { server: prefixed.slice(0, at), name: prefixed.slice(at + SEPARATOR.length) };
}

/** What is wrong with the names of servers that are to stand side by side. */
export function checkServerNames(servers: readonly string[]): readonly NameFault[] {
  const seen = new Set<string>();
  return servers.flatMap((server): readonly NameFault[] => {
    if (!SERVER_NAME.test(server)) {
      const detail = `“${server}” is not 1 to 32 letters, digits or hyphens`;
      return [{ code: 'invalid-name', server, detail }];
    }
    const folded = server.toLowerCase();
    if (seen.has(folded)) {
      const detail = `two servers are named “${server}”, letter case aside`;
      return [{ code: 'name-collision', server, detail }];
    }
    seen.add(folded);
    return [];
  });
}
