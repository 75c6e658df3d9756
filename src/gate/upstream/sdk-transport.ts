/** A transport of the SDK as a channel. Its messages are objects; bytes are made for those who want them. */
import type { JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/client';
import type { Channel, Listener } from '../protocol/channel.ts';
import type { Frame, JsonObject, RpcId } from '../protocol/frame.ts';
import { isId, isResponse, toFrame } from '../protocol/frame.ts';
import { readServerFrame } from '../protocol/read-frame.ts';

interface TransportChannel extends Channel {
  /** What the SDK wants known about a message that is about to be sent. */
  remember(frame: Frame, options: TransportSendOptions | undefined): void;
}

export function openTransportChannel(transport: Transport): TransportChannel {
  const options = new Map<RpcId, TransportSendOptions>();
  let listener: Listener | undefined;
  const onmessage = (message: JSONRPCMessage): void => {
    const frame = toFrame(message as unknown as JsonObject); // the SDK read it from JSON
    const { id } = frame.message;
    if (isResponse(frame) && isId(id)) options.delete(id);
    listener?.frame(frame);
  };
  // A transport of the SDK takes its listeners as properties.
  Object.assign(transport, { onmessage, onclose: () => listener?.closed() });
  return {
    listen: (given) => {
      listener = given;
    },
    remember: ({ message: { id } }, given) => {
      if (isId(id) && given !== undefined) options.set(id, given);
    },
    send: ({ bytes }) => {
      // The bytes are what was decided on, and may hold more than the message did.
      const message = readServerFrame(Buffer.from(bytes))?.message;
      if (message === undefined) return;
      const { id } = message;
      const sent = transport.send(
        message as unknown as JSONRPCMessage, // read from the bytes of one
        isId(id) ? options.get(id) : undefined,
      );
      sent.catch((error: unknown) => {
        const detail = error instanceof Error ? error.message : String(error);
        if (isId(id)) listener?.failed(id, { kind: 'lost', detail });
      });
    },
    [Symbol.asyncDispose]: () => transport.close(),
  };
}
