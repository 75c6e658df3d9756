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
  readonly #owners: Readonly<Record<'tools' | 'prompts', Map<string, string>>>;

  /** `tools`: whose each is, as far as that is known beforehand. */
  constructor(tools: ReadonlyMap<string, string> = new Map()) {
    this.#owners = { tools: new Map(tools), prompts: new Map() };
  }

  /** How the client sees it. */
  show({ field }: ListKind, { server, name }: OwnName): string | undefined {
    if (field !== 'tools' && field !== 'prompts') return toPrefixed(server, name);
    const owners = this.#owners[field];
    const owner = owners.get(name) ?? server;
    owners.set(name, owner);
    return owner === server ? name : toPrefixed(server, name);
  }

  find(kind: 'tools' | 'prompts', shown: string): OwnName | undefined {
    const server = this.#owners[kind].get(shown);
    return server === undefined ? undefined : { server, name: shown };
  }
}
