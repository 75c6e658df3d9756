/** Other programs from npm that serve a stdio server over HTTP, each started as documented. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { STDIO_SERVER } from '../gate/gate-command.ts';

export interface Peer {
  readonly name: string;
  /** Its script below `node_modules`. */
  readonly script: string;
  readonly transport: 'streamable' | 'sse';
  readonly args: (port: number, folder: string) => readonly string[];
}

export const PEERS: readonly Peer[] = [
  {
    name: 'mcp-proxy',
    script: 'mcp-proxy/dist/bin/mcp-proxy.mjs',
    transport: 'streamable',
    args: (port) => {
      const flags = ['--host', '127.0.0.1', '--port', String(port), '--server', 'stream'];
      return [...flags, '--', process.execPath, STDIO_SERVER];
    },
  },
  {
    name: 'supergateway',
    script: 'supergateway/dist/index.js',
    transport: 'streamable',
    // Without sessions it starts a server for every call.
    args: (port) => {
      const flags = ['--outputTransport', 'streamableHttp', '--stateful', '--logLevel', 'none'];
      const server = `${process.execPath} ${STDIO_SERVER}`;
      return ['--stdio', server, '--port', String(port), ...flags];
    },
  },
  {
    name: 'mcp-hub',
    script: 'mcp-hub/dist/cli.js',
    transport: 'sse',
    args: (port, folder) => {
      const file = join(folder, 'mcp-hub.json');
      const server = { command: process.execPath, args: [STDIO_SERVER] };
      writeFileSync(file, JSON.stringify({ mcpServers: { invoices: server } }));
      return ['--port', String(port), '--config', file];
    },
  },
];
