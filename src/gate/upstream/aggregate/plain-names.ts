/**
 * Names of tools and prompts behind the aggregate as the servers gave them, for a host whose prompts and rules
 * know them so. A name belongs to the server that it was accepted from, or else to the first that had it, for
 * as long as the gate runs: no other server can take it over, also not while that one is down. What another
 * server calls by the same name keeps the prefix.
 */
import type { ListKind } from './merged-lists.ts';
import { toPrefixed } from './names.ts';

interface OwnName {
  readonly server: string;
  readonly name: string;
}

export class PlainNames {
  /** By the name that the client sees, with a prefix or without: what looks like another's prefix is taken too. */
  readonly #owners: Readonly<Record<'tools' | 'prompts', Map<string, OwnName>>>;

  /** `tools`: whose each is, as far as that is known beforehand. */
  constructor(tools: ReadonlyMap<string, string> = new Map()) {
    const known = [...tools].map(([name, server]) => [name, { server, name }] as const);
    this.#owners = { tools: new Map(known), prompts: new Map() };
  }

  /** How the client sees it; `undefined` where no name is left for it. */
  show({ field }: ListKind, own: OwnName): string | undefined {
    const prefixed = toPrefixed(own.server, own.name);
    if (field !== 'tools' && field !== 'prompts') return prefixed;
    const owners = this.#owners[field];
    return [own.name, prefixed].find((shown) => shown !== undefined && claim(owners, shown, own));
  }

  find(kind: 'tools' | 'prompts', shown: string): OwnName | undefined {
    return this.#owners[kind].get(shown);
  }
}

function claim(owners: Map<string, OwnName>, shown: string, own: OwnName): boolean {
  const owner = owners.get(shown) ?? own;
  owners.set(shown, owner);
  return owner.server === own.server && owner.name === own.name;
}
