import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ServerConfig } from '../gate/config/gate-config.ts';
import { createServer } from '../serve/create-server.ts';
import { openHttp } from '../serve/http/open-http.ts';
import { describeServer, serverAddress } from './load-server.ts';

function toProcess(command: string, ...args: readonly string[]): ServerConfig {
  const env = { API_KEY: 'from-the-environment' };
  return { kind: 'process', name: 'one', disabled: false, command, args, env, cwd: '/' };
}

describe('serverAddress', () => {
  it.each([
    [
      'npx',
      ['-y', '@modelcontextprotocol/server-memory'],
      'npx -y @modelcontextprotocol/server-memory',
    ],
    ['run', ['--api-key', 'hunter2', '.'], 'run --api-key … .'],
    ['run', ['--token=hunter2'], 'run --token=…'],
    ['my server', ['a b', "it's", '$HOME'], `'my server' 'a b' 'it'\\''s' '$HOME'`],
    ['run', ['sk1a2b3c4d5e6f7a8b9c0d1e2f3a4b'], 'run …'],
    ['run', ['postgres://ann:pw@db/shop?sslkey=1'], 'run postgres://db/shop'],
    ['run', ['https://ann:pw@[not-a-host/'], 'run …'],
    ['run', ['https://a.example/sk1a2b3c4d5e6f7a8b9c0d1e2f/mcp'], 'run https://a.example/…/mcp'],
    ['run', ['--db=postgres://ann:pw@db/shop'], 'run --db=postgres://db/shop'],
  ])('shows %s %j as %s', (command, args, shown) => {
    expect(serverAddress(toProcess(command, ...args))).toBe(shown);
  });

  it('shows a remote server without user, query or headers', () => {
    const url = 'https://ann:pw@mcp.example.com/mcp?key=1#part';
    const headers = { authorization: 'Bearer hunter2' };
    const shown = serverAddress({ kind: 'remote', name: 'one', disabled: false, url, headers });
    expect(shown).toBe('https://mcp.example.com/mcp');
  });
});

describe('describeServer', () => {
  const as = { as: 'mia', grant: ['notes:read'], tenant: 'acme' };

  it.each([
    [{ flags: as }, []],
    [{ token: 'dev_1', flags: as }, ['--as', 'mia', '--grant', 'notes:read', '--tenant', 'acme']],
    [
      { flags: { ...as, ledger: 'postgres://ann:pw@db/shop' } },
      ['--ledger', 'postgres://ann@db/shop'],
    ],
    [
      { flags: { ...as, ledger: 'sqlite:x.sqlite' } },
      ['--ledger', `sqlite:${resolve('x.sqlite')}`],
    ],
  ])('has a host start the same server as %j', async (started, args) => {
    const server = createServer({ name: 'notes', version: '1.0.0', operations: [] });
    await using http = await openHttp(server);
    const text = describeServer(server, http, 'notes.ts', started);
    const [, pasted = ''] = /^Paste into .*\n([^]*?)\n\n/m.exec(text) ?? [];
    expect(JSON.parse(pasted)).toMatchObject({
      mcpServers: { notes: { args: ['serve', resolve('notes.ts'), '--stdio', ...args] } },
    });
  });
});
