import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { nameOf, readSource, readSources } from './source.ts';

const scratch = mkdtempSync(join(tmpdir(), 'plimsoll-source-'));
afterAll(() => rmSync(scratch, { recursive: true }));

mkdirSync(join(scratch, 'project'));
const list = join(scratch, 'saved');
writeFileSync(list, '[]');
const module = join(scratch, 'server.ts');
writeFileSync(module, '');
const program = join(scratch, 'run');
writeFileSync(program, '', { mode: 0o755 });

describe('readSource', () => {
  it('tells lists, addresses, projects and commands apart', () => {
    expect(readSource('https://a.example/mcp').kind).toBe('url');
    expect(readSource('absent.json').kind).toBe('file');
    expect(readSource(list)).toEqual({ kind: 'file', path: list });
    expect(readSource(join(scratch, 'project')).kind).toBe('project');
    expect(readSource(module)).toEqual({ kind: 'project', path: module });
    expect(readSource(program)).toEqual({ kind: 'command', command: program, args: [] });
    expect(readSource('npx -y  some-server')).toEqual({
      kind: 'command',
      command: 'npx',
      args: ['-y', 'some-server'],
    });
  });
});

describe('readSources', () => {
  it('takes each word for a source, and what is behind -- for one command', () => {
    const sources = readSources({ words: ['a.json', 'b.json'], command: ['node', 'b.json'] });
    expect(sources).toEqual([
      { kind: 'file', path: 'a.json' },
      { kind: 'file', path: 'b.json' },
      { kind: 'command', command: 'node', args: ['b.json'] },
    ]);
  });

  it('takes all words for one command when the first can only be one', () => {
    expect(readSources({ words: ['node', 'a.json'], command: [] })).toEqual([
      { kind: 'command', command: 'node', args: ['a.json'] },
    ]);
    expect(readSources({ words: [], command: [] })).toEqual([]);
  });
});

describe('nameOf', () => {
  it.each([
    [['npx', '-y', '@modelcontextprotocol/server-memory@1.2.3'], 'server-memory'],
    [['node', '/srv/notes/server.js'], 'server'],
    [['uvx', 'mcp-server-git'], 'mcp-server-git'],
  ])('calls %j %s', ([command = '', ...args], name) => {
    expect(nameOf({ kind: 'command', command, args })).toBe(name);
  });

  it('goes by host, file and folder', () => {
    expect(nameOf({ kind: 'url', url: 'https://mcp.example.com/x' })).toBe('mcp.example.com');
    expect(nameOf({ kind: 'url', url: 'https://' })).toBe('url');
    expect(nameOf({ kind: 'file', path: 'saved/notes.json' })).toBe('notes');
    expect(nameOf({ kind: 'project', path: 'examples/catalog' })).toBe('catalog');
  });
});
