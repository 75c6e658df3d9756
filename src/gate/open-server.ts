/** Opens one server of a configuration: its upstream, a translator where the eras differ, and the gate. */
import { showText } from './approvals/show-text.ts';
import type { Authorizer } from './auth/authorize.ts';
import type { ServerConfig } from './config/gate-config.ts';
import type { GateContext } from './gate-services.ts';
import { openGate } from './call/open-gate.ts';
import type { Era } from './tools/server-sight.ts';
import type { Channel } from './protocol/channel.ts';
import { openEither } from './protocol/eras/open-either.ts';
import { isObject } from './protocol/read-frame.ts';
import { openHttpUpstream } from './upstream/http-upstream.ts';
import { openProcess } from './upstream/process.ts';

export interface ServerAccess {
  readonly version: string;
  /** Gives the token of a remote server, if there is one. */
  readonly authorizerOf: (url: string) => Authorizer;
}

/** The configuration must be expanded: values from the environment are filled in. */
export function openServer(
  config: ServerConfig,
  context: GateContext,
  access: ServerAccess,
): Channel {
  const { server, services } = context;
  const label = showText(config.name);
  const report = (message: string): void => services.report(`${label}: ${message}`);
  const inner = openUpstream(config, context, access, report);
  const clientInfo = { name: 'plimsoll', version: access.version };
  const onEra = (era: Era): void => server.sight.sawEra(era);
  return openGate(openEither(inner, { clientInfo, onEra, report }), context);
}

function openUpstream(
  config: ServerConfig,
  { server }: GateContext,
  access: ServerAccess,
  report: (message: string) => void,
): Channel {
  if (config.kind === 'process') {
    const { name, command, args, env, passEnv, cwd } = config;
    return openProcess({ name, command, args, env, ...(passEnv && { passEnv }), cwd, report });
  }
  const { url, headers } = config;
  const hasOwn = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
  return openHttpUpstream({
    url,
    headers,
    ...(!hasOwn && { authorize: access.authorizerOf(url) }),
    // A client over standard input has no headers in which to repeat its arguments.
    toolOf: (name) => {
      const schema = server.sight.toolOf(name)?.['inputSchema'];
      return isObject(schema) ? { inputSchema: schema } : undefined;
    },
  });
}
