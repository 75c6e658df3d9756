/** What tests of the shop put between a client and the server. */
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';

/** A transport whose lists of tools come without `_meta`. */
export function withoutMeta(inner: Transport): Transport {
  const outer: Transport = Object.create(inner) as Transport; // every member that is not replaced
  outer.start = async () => {
    // A transport of the SDK takes its listeners as properties.
    Object.assign(inner, {
      onmessage: (message: JSONRPCMessage) => outer.onmessage?.(strip(message)),
      onclose: () => outer.onclose?.(),
      onerror: (error: Error) => outer.onerror?.(error),
    });
    await inner.start();
  };
  outer.send = (message, options) => inner.send(message, options);
  outer.close = () => inner.close();
  return outer;
}

function strip(message: JSONRPCMessage): JSONRPCMessage {
  if (!('result' in message) || !Array.isArray(message.result['tools'])) return message;
  const tools = (message.result['tools'] as readonly object[]).map((tool) =>
    Object.fromEntries(Object.entries(tool).filter(([key]) => key !== '_meta')),
  );
  return { ...message, result: { ...message.result, tools } };
}
