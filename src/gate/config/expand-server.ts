/** A server of the configuration with what the environment holds: ready to be opened, not to be shown. */
import type { Environment } from './environment.ts';
import { expandText } from './environment.ts';
import type { ServerConfig } from './gate-config.ts';

export function expandServer<Server extends ServerConfig>(
  server: Server,
  environment: Environment,
): Server;
export function expandServer(server: ServerConfig, environment: Environment): ServerConfig {
  const expand = (text: string): string => expandText(text, environment);
  const expandAll = (texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, expand(text)]));
  if (server.kind === 'remote') {
    return { ...server, url: expand(server.url), headers: expandAll(server.headers) };
  }
  return {
    ...server,
    command: expand(server.command),
    args: server.args.map(expand),
    env: expandAll(server.env),
  };
}
