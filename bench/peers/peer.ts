/**
 * Other programs from npm that forward calls, each started as documented, by the transports on its two
 * sides. A program that can do several appears once for each.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { STDIO_SERVER } from '../gate/gate-command.ts';
import type { Route } from './route.ts';

/** What a peer may need to know to be started. */
export interface Place {
  /** Where packages are installed, and where peers keep their files. */
  readonly folder: string;
  /** Of this run only, for what grows with the calls. */
  readonly logs: string;
  /** A free one, to listen on. */
  readonly port: number;
  /** Of the server behind it, if that is over HTTP. */
  readonly url: string;
}

export interface Peer {
  /** Its package. */
  readonly name: string;
  readonly route: Route;
  /** Its script and arguments. */
  readonly command: (place: Place) => readonly string[];
  readonly env?: (place: Place) => Readonly<Record<string, string>>;
  /** Of one that listens. Default: streamable HTTP at `/mcp`. */
  readonly transport?: 'sse';
  readonly query?: (place: Place) => Readonly<Record<string, string>>;
  /** Some prefix tools with the server's name. */
  readonly tool?: string;
}

/** Programs that have no way to do it, so that nobody looks for them again. */
export const LEFT_OUT: readonly string[] = [
  '`fastmcp` 4.20.16 and `mcporter` 0.12.3 have no command that forwards calls.',
  '`@modelcontextprotocol/inspector` 2 has no proxy any more; its earlier one is `@modelcontextprotocol/inspector-server`.',
];

const STDIO_COMMAND = [process.execPath, STDIO_SERVER];

export const PEERS: readonly Peer[] = [
  {
    name: 'mcp-scan',
    route: 'stdio to stdio',
    command: ({ folder }) => {
      const [program = '', script = ''] = STDIO_COMMAND;
      return [scriptOf(folder, 'mcp-scan/dist/index.js'), 'proxy', '-c', program, '-a', script];
    },
    // It logs every message, 18 MB in a run.
    env: ({ logs }) => ({ MCP_SCAN_LOG_DIR: join(logs, 'mcp-scan') }),
  },
  {
    name: 'mcp-proxy',
    route: 'stdio to stdio',
    command: ({ folder }) => [write(folder, 'proxy-server.mjs', PROXY_SERVER), ...STDIO_COMMAND],
  },
  {
    name: 'mcp-proxy',
    route: 'stdio to HTTP',
    command: ({ folder, url }) => [write(folder, 'start-stdio.mjs', START_STDIO), url],
  },
  {
    name: 'mcp-remote',
    route: 'stdio to HTTP',
    command: ({ folder, url }) => {
      const flags = ['--transport', 'http-only', '--allow-http', '--silent'];
      return [scriptOf(folder, 'mcp-remote/dist/proxy.js'), url, ...flags];
    },
    env: ({ folder }) => ({ MCP_REMOTE_CONFIG_DIR: join(folder, 'mcp-remote') }),
  },
  {
    name: 'supergateway',
    route: 'stdio to HTTP',
    command: ({ folder, url }) => {
      const flags = ['--outputTransport', 'stdio', '--logLevel', 'none'];
      return [scriptOf(folder, 'supergateway/dist/index.js'), '--streamableHttp', url, ...flags];
    },
  },
  {
    name: 'mcp-proxy',
    route: 'HTTP to stdio',
    command: ({ folder, port }) => {
      const flags = ['--host', '127.0.0.1', '--port', String(port), '--server', 'stream'];
      return [
        scriptOf(folder, 'mcp-proxy/dist/bin/mcp-proxy.mjs'),
        ...flags,
        '--',
        ...STDIO_COMMAND,
      ];
    },
  },
  {
    name: 'supergateway',
    route: 'HTTP to stdio',
    // Without sessions it starts a server for every call.
    command: ({ folder, port }) => {
      const flags = ['--outputTransport', 'streamableHttp', '--stateful', '--logLevel', 'none'];
      const script = scriptOf(folder, 'supergateway/dist/index.js');
      return [script, '--stdio', STDIO_COMMAND.join(' '), '--port', String(port), ...flags];
    },
  },
  {
    name: 'mcp-hub',
    route: 'HTTP to stdio',
    transport: 'sse',
    tool: 'invoices__get_invoice',
    command: ({ folder, port }) => {
      const server = { command: process.execPath, args: [STDIO_SERVER] };
      return hubCommand(folder, port, 'mcp-hub-stdio.json', server);
    },
  },
  {
    name: '@modelcontextprotocol/inspector-server',
    route: 'HTTP to stdio',
    command: ({ folder }) => [inspectorOf(folder)],
    env: inspectorEnv,
    query: () => ({ transportType: 'stdio', command: process.execPath, args: STDIO_SERVER }),
  },
  {
    name: 'mcp-hub',
    route: 'HTTP to HTTP',
    transport: 'sse',
    tool: 'invoices__get_invoice',
    command: ({ folder, port, url }) => hubCommand(folder, port, 'mcp-hub-http.json', { url }),
  },
  {
    name: '@modelcontextprotocol/inspector-server',
    route: 'HTTP to HTTP',
    command: ({ folder }) => [inspectorOf(folder)],
    env: inspectorEnv,
    query: ({ url }) => ({ transportType: 'streamable-http', url }),
  },
];

function scriptOf(folder: string, path: string): string {
  return join(folder, 'node_modules', path);
}

function write(folder: string, name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

function hubCommand(folder: string, port: number, name: string, invoices: object): string[] {
  const config = write(folder, name, JSON.stringify({ mcpServers: { invoices } }));
  return [scriptOf(folder, 'mcp-hub/dist/cli.js'), '--port', String(port), '--config', config];
}

function inspectorOf(folder: string): string {
  return scriptOf(folder, '@modelcontextprotocol/inspector-server/build/index.js');
}

function inspectorEnv({ port }: Place): Readonly<Record<string, string>> {
  return { PORT: String(port), SERVER_PORT: String(port), DANGEROUSLY_OMIT_AUTH: 'true' };
}

/** `mcp-proxy` does these as a library. They are stored beside its package, so that they find it. */
const START_STDIO = `import { ServerType, startStdioServer } from 'mcp-proxy';
await startStdioServer({ serverType: ServerType.HTTPStream, url: process.argv[2] });
`;
const PROXY_SERVER = `import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Server } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { proxyServer } from 'mcp-proxy';

const [command, ...args] = process.argv.slice(2);
const client = new Client({ name: 'mcp-proxy', version: '1.0.0' });
await client.connect(new StdioClientTransport({ command, args }));
const capabilities = client.getServerCapabilities();
const server = new Server(client.getServerVersion(), { capabilities });
await proxyServer({ client, server, serverCapabilities: capabilities });
await server.connect(new StdioServerTransport());
`;
