/** One call straight into a server's pipeline, without a transport. */
import type { Operation, PlimsollServer, Principal, Recorded } from 'plimsoll/server';

interface CallOptions {
  readonly key?: string | undefined;
  readonly principal?: Principal;
  readonly signal?: AbortSignal;
}

export async function callInProcess(
  server: PlimsollServer,
  operation: Operation,
  args: object = {},
  { key, principal, signal = new AbortController().signal }: CallOptions = {},
): Promise<Recorded> {
  return server.invoke({
    operation,
    args,
    identity: principal === undefined ? { kind: 'anonymous' } : { kind: 'known', principal },
    via: 'in-process',
    signal,
    progress: async () => {},
    keys: [key],
  });
}
