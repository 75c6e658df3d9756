/** A server as the gate in front of it sees it, for the ledger and the console. */
import type { ServerConfig } from '../gate/config/gate-config.ts';
import type { GateContext } from '../gate/gate-services.ts';
import type { RegisteredServer } from '../gate/registry.ts';
import { serverAddress } from './load-server.ts';

export interface SeenServer {
  /** As written, without expanding variables. */
  readonly config: ServerConfig;
  readonly context: GateContext;
  /** Where its gate reads pins from. */
  readonly lock: string;
}

export function toServerView({ config, context: { server }, lock }: SeenServer): RegisteredServer {
  const { name, trusted, mode, sight } = server;
  const { state, era, tools } = sight;
  const address = serverAddress(config);
  return { name, address, state, ...(era !== undefined && { era }), trusted, mode, tools, lock };
}
