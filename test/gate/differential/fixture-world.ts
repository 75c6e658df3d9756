/** What all conversations of one fixture server share, and the shapes of what is said in them. */
import { setTimeout as sleep } from 'node:timers/promises';

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}
export type Id = string | number;

export interface Message {
  readonly id?: Id;
  readonly method?: string;
  readonly params?: JsonObject;
  readonly result?: JsonObject;
  readonly error?: JsonObject;
}

/** What all conversations of one server process share. */
export class FixtureWorld {
  readonly watchers = new Set<(uri: string) => void>();
  readonly listWatchers = new Set<() => void>();
  readonly name: string;
  readonly counts = { cancelled: 0, rootsChanged: 0 };
  hasExtraTool = false;

  constructor(name: string) {
    this.name = name;
  }

  async tellCounts({ reset, cancelled }: JsonObject): Promise<JsonObject> {
    if (reset === true) Object.assign(this.counts, { cancelled: 0, rootsChanged: 0 });
    // A cancel may take another way than the next call.
    for (let left = 100; left > 0 && this.counts.cancelled < Number(cancelled ?? 0); left -= 1) {
      await sleep(20);
    }
    return { content: [{ type: 'text', text: JSON.stringify(this.counts) }] };
  }
}
