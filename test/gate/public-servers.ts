/** Servers that others published, as the tests start them: where they are, a read and a call that asks. */
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '../../src/gate/protocol/frame.ts';

export interface PublicServer {
  readonly name: string;
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Without effects, and without a network. */
  readonly read?: Call;
  readonly asks?: Call;
  /** What `asks` does needs a network. */
  readonly isRemote?: true;
}

export interface Call {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** In front of a command, it leaves its process id in a file. */
const TELL_PID = 'echo $$ > "$1"; shift; exec "$@"';

export function publicServers(folder: string): readonly PublicServer[] {
  const memory = { MEMORY_FILE_PATH: `${folder}/memory.jsonl` };
  const start = (program: string, ...args: readonly string[]): readonly string[] => [
    process.execPath,
    fileURLToPath(program),
    ...args,
  ];
  return [
    {
      name: 'filesystem',
      command: start(
        import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'),
        folder,
      ),
      env: {},
      read: { name: 'read_text_file', arguments: { path: `${folder}/a.txt` } },
      asks: { name: 'write_file', arguments: { path: `${folder}/a.txt`, content: 'new' } },
    },
    {
      name: 'memory',
      command: start(import.meta.resolve('@modelcontextprotocol/server-memory/dist/index.js')),
      env: memory,
      read: { name: 'read_graph', arguments: {} },
      asks: { name: 'delete_entities', arguments: { entityNames: ['ada'] } },
    },
    {
      name: 'everything',
      command: start(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js')),
      env: {},
      read: { name: 'get-sum', arguments: { a: 2, b: 3 } },
    },
    {
      name: 'sequential-thinking',
      command: start(
        import.meta.resolve('@modelcontextprotocol/server-sequential-thinking/dist/index.js'),
      ),
      env: {},
    },
    {
      name: 'notion',
      command: start(import.meta.resolve('@notionhq/notion-mcp-server/bin/cli.mjs')),
      env: { NOTION_TOKEN: 'none' },
      asks: { name: 'API-delete-a-block', arguments: { block_id: '1' } },
      isRemote: true,
    },
  ];
}

export function telling(pidFile: string, command: readonly string[]): readonly string[] {
  return ['/bin/sh', '-c', TELL_PID, 'sh', pidFile, ...command];
}
