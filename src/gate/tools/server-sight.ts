/** What was last seen of one server, by whichever gate in front of it saw it last. For people to look at; nothing is decided by it. */
import type { Failure } from '../protocol/channel.ts';
import type { JsonObject } from '../protocol/frame.ts';

export type Era = 'modern' | 'legacy';

export class ServerSight {
  state: 'unused' | 'up' | 'down' = 'unused';
  era: Era | undefined;
  /** As listed last; stays when the server goes down. */
  tools: readonly JsonObject[] = [];

  sawTools(tools: readonly JsonObject[]): void {
    this.state = 'up';
    this.tools = tools;
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
