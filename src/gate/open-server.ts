/** Opens one server of a configuration behind the gate: reached, spoken to in its own era, and gated. */
import type { Authorizer } from './auth/authorize.ts';
import type { ServerConfig } from './config/gate-config.ts';
import type { GateContext } from './gate-services.ts';
import { openGate } from './call/open-gate.ts';
import type { Era } from './tools/server-sight.ts';
import type { Channel } from './protocol/channel.ts';
import { openEither } from './protocol/eras/open-either.ts';
import { openHttpUpstream } from './upstream/http-upstream.ts';
import { openProcess } from './upstream/process.ts';

export interface ServerAccess {
  readonly version: string;
  /** Gives the token of a remote server, if there is one. */
  readonly authorizerOf: (url: string) => Authorizer;
}

/** The configuration must be expanded: what the environment holds stands in it. */
export function openServer(
  config: ServerConfig,
  context: GateContext,
  access: ServerAccess,
): Channel {
  const clientInfo = { name: 'plimsoll', version: access.version };
  const onEra = (era: Era): void => context.server.sight.sawEra(era);
  return openGate(openEither(reach(config, context, access), { clientInfo, onEra }), context);
}

function reach(config: ServerConfig, { services }: GateContext, access: ServerAccess): Channel {
  const report = (message: string): void => services.report(`${config.name}: ${message}`);
  if (config.kind === 'process') {
    const { command, args, env, cwd } = config;
    return openProcess({ command, args, env, cwd, report });
  }
  const { url, headers } = config;
  const hasOwn = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
  return openHttpUpstream({
    url,
    headers,
    ...(!hasOwn && { authorize: access.authorizerOf(url) }),
  });
}
