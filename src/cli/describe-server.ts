/** What a person sees when a server has started: where it is, how to try it, what to paste. */
import { resolve } from 'node:path';
import type { PlimsollServer } from '../serve/create-server.ts';
import type { HttpServer } from '../serve/http/open-http.ts';

interface Granted {
  readonly token: string;
  readonly flags: { readonly as: string; readonly grant: readonly string[] };
}

export function describeServer(
  server: PlimsollServer,
  http: HttpServer,
  path: string,
  granted: Granted | undefined,
): string {
  const grantArgs = granted === undefined ? [] : toArgs(granted);
  const host = {
    mcpServers: {
      [server.name]: {
        command: commandPath(),
        args: ['serve', resolve(path), '--stdio', ...grantArgs],
      },
    },
  };
  return [
    `${server.name} ${server.version}: ${server.operations.size} operations, house ${server.house.name}`,
    `  MCP      ${http.mcpUrl}`,
    `  HTTP     ${http.url}/op/{name}`,
    `  OpenAPI  ${http.url}/openapi.json`,
    '',
    'Try it:',
    `  curl -sS ${http.mcpUrl} \\`,
    `    -H 'Accept: application/json, text/event-stream' \\`,
    `    -H 'Content-Type: application/json' \\`,
    `    -d '{"jsonrpc":"2.0","method":"tools/list","id":1}'`,
    '',
    ...(granted === undefined
      ? []
      : [
          `Signed in as ${granted.flags.as} with ${granted.flags.grant.join(' ')}:`,
          `  -H 'Authorization: Bearer ${granted.token}'`,
          '',
        ]),
    'Paste into a host that starts servers itself (Claude Desktop, Claude Code, Cursor, …):',
    ...JSON.stringify(host, null, 2)
      .split('\n')
      .map((line) => `  ${line}`),
    '',
    'Stop with Ctrl-C.',
    '',
  ].join('\n');
}

function toArgs({ flags }: Granted): readonly string[] {
  return ['--as', flags.as, ...flags.grant.flatMap((scope) => ['--grant', scope])];
}

/** From a checkout this is the script that finds the right Node; installed, the command's own name. */
function commandPath(): string {
  const script = new URL('../../bin/plimsoll', import.meta.url).pathname;
  return import.meta.url.endsWith('.ts') ? script : 'plimsoll';
}
