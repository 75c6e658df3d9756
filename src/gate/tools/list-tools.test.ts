import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { listTools, readToolSource } from './list-tools.ts';

const scratch = mkdtempSync(join(tmpdir(), 'plimsoll-list-'));
afterAll(() => rmSync(scratch, { recursive: true }));

function save(name: string, text: string): string {
  const path = join(scratch, name);
  writeFileSync(path, text);
  return path;
}

/** Answers by pages, with members that no schema knows. */
const PAGED = `
const pages = { '': ['a', 'p2'], p2: ['b', undefined] };
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const [name, nextCursor] = pages[params?.cursor ?? ''] ?? [];
  const result = method === 'initialize'
    ? { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } }
    : { tools: [{ name, inputSchema: { type: 'object' }, 'x-odd': [1, { y: null }] }], nextCursor };
  const known = method === 'initialize' || method === 'tools/list';
  const answer = known ? { result } : { error: { code: -32601, message: 'no such method' } };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n');
});`;

describe('readToolSource', () => {
  it('tells files, addresses and commands apart', () => {
    expect(readToolSource(['saved/tools.json'])).toEqual({
      kind: 'file',
      path: 'saved/tools.json',
    });
    expect(readToolSource(['https://a.example/mcp'])).toEqual({
      kind: 'url',
      url: 'https://a.example/mcp',
    });
    expect(readToolSource(['npx', '-y', 'x.json'])).toEqual({
      kind: 'command',
      command: 'npx',
      args: ['-y', 'x.json'],
    });
  });
});

describe('listTools', () => {
  it.each(['{"tools":[{"name":"a","x":1}]}', '{"id":1,"result":{"tools":[{"name":"a","x":1}]}}'])(
    'reads %s',
    async (text) => {
      const path = save('tools.json', text);
      expect(await listTools({ kind: 'file', path })).toEqual([{ name: 'a', x: 1 }]);
    },
  );

  it('refuses a file without tools', async () => {
    const path = save('none.json', '{"result":{}}');
    await expect(listTools({ kind: 'file', path })).rejects.toThrow(/no "tools"/);
  });

  it('gathers every page of a server that it starts, as it was sent', async () => {
    const args = [save('paged.cjs', PAGED)];
    const tools = await listTools({ kind: 'command', command: process.execPath, args });
    expect(tools).toEqual(
      ['a', 'b'].map((name) => ({
        name,
        inputSchema: { type: 'object' },
        'x-odd': [1, { y: null }],
      })),
    );
  });

  it('says so when there is no such server', async () => {
    const source = { kind: 'command', command: join(scratch, 'nothing'), args: [] } as const;
    await expect(listTools(source)).rejects.toThrow(/\w/);
  });
});
