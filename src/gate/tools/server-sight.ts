/** What was last seen of one server, by whichever gate in front of it saw it last. For people to look at; nothing is decided by it. */
import type { Failure } from '../protocol/channel.ts';
import type { JsonObject } from '../protocol/frame.ts';

export type Era = 'modern' | 'legacy';

export class ServerSight {
  state: 'unused' | 'up' | 'down' = 'unused';
  era: Era | undefined;
  /** As listed last; stays when the server goes down. */
  tools: readonly JsonObject[] = [];
  /** The same by name; of two with one name the first, as whoever searches the list would find. */
  #byName: ReadonlyMap<unknown, JsonObject> = new Map();

  sawTools(tools: readonly JsonObject[]): void {
    this.state = 'up';
    this.tools = tools;
    this.#byName = new Map(tools.toReversed().map((tool) => [tool['name'], tool]));
  }

  toolOf(name: string): JsonObject | undefined {
    return this.#byName.get(name);
  }

  sawEra(era: Era): void {
    this.state = 'up';
    this.era = era;
  }

  sawAnswer(): void {
    this.state = 'up';
  }

  sawFailure({ kind }: Failure): void {
    // To refuse, a server must be there.
    this.state = kind === 'refused' ? 'up' : 'down';
  }
}
