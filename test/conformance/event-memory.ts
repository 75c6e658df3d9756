/**
 * Keeps what one session was sent, so that a client can come back for the rest. For tests only: it
 * forgets nothing.
 */
import { randomUUID } from 'node:crypto';
import type { EventId, EventStore, JSONRPCMessage, StreamId } from '@modelcontextprotocol/server';

interface StoredEvent {
  readonly id: EventId;
  readonly stream: StreamId;
  readonly message: JSONRPCMessage;
}

export function createEventMemory(): EventStore {
  const events: StoredEvent[] = [];
  return {
    storeEvent: async (stream, message) => {
      const id = randomUUID();
      events.push({ id, stream, message });
      return id;
    },
    getStreamIdForEventId: async (id) => events.find((event) => event.id === id)?.stream,
    replayEventsAfter: async (lastId, { send }) => {
      const last = events.findIndex(({ id }) => id === lastId);
      const stream = events[last]?.stream;
      if (stream === undefined) throw new Error('There is no such event.');
      for (const event of events.slice(last + 1)) {
        if (event.stream === stream) await send(event.id, event.message);
      }
      return stream;
    },
  };
}
