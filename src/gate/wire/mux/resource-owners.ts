/** Which server has which resource, as far as their lists tell. */
import type { ListKind, MergedList } from './merge-lists.ts';
import type { Peer } from './peer.ts';

export class ResourceOwners {
  readonly #peers: ReadonlyMap<string, Peer>;
  #addresses: ReadonlyMap<string, string> = new Map();
  #templates: ReadonlyMap<string, string> = new Map();

  constructor(peers: ReadonlyMap<string, Peer>) {
    this.#peers = peers;
  }

  learn({ key }: ListKind, { owners }: MergedList): void {
    if (key === 'uri') this.#addresses = owners;
    else if (key === 'uriTemplate') this.#templates = owners;
  }

  find(uri: string): Peer | undefined {
    const server =
      this.#addresses.get(uri) ?? this.#templates.get(uri) ?? this.#findByTemplate(uri);
    return server === undefined ? undefined : this.#peers.get(server);
  }

  /** By the longest beginning that has no variable in it. */
  #findByTemplate(uri: string): string | undefined {
    let longest = 0;
    let found: string | undefined;
    for (const [template, server] of this.#templates) {
      const variable = template.indexOf('{');
      const length = variable === -1 ? template.length : variable;
      if (length <= longest || !uri.startsWith(template.slice(0, length))) continue;
      longest = length;
      found = server;
    }
    return found;
  }
}
