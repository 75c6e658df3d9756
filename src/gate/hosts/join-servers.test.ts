import { readFileSync } from 'node:fs';
import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { readHostJson, valueOf } from './host-json.ts';
import { findJoinable, joinServers, splitServers } from './join-servers.ts';

const gate = { command: '/opt/node', args: ['/opt/main.js', 'gate'] };
const FILE = '/home/ann/together-1.json';
const JSON_FILE = { format: 'json' } as const;

const PLAIN = '{ "command": "notes", "args": ["-y"], "env": { "KEY": "x" } }';

function namesIn(text: string): readonly (readonly string[])[] {
  return findJoinable(text, JSON_FILE).map(({ servers }) => servers.map(({ name }) => name));
}

function joinFirst(text: string): ReturnType<typeof joinServers> {
  const [group] = findJoinable(text, JSON_FILE);
  if (group === undefined) throw new Error('nothing can be joined');
  return joinServers(text, group, gate, FILE);
}

function read(text: string): unknown {
  const json = readHostJson(text);
  if (json.kind === 'malformed') throw new Error(`line ${json.line}:\n${text}`);
  return valueOf(json.root);
}

describe('servers that can share a gate', () => {
  it('are plain commands beside each other', () => {
    const text = `{ "mcpServers": { "a": ${PLAIN}, "b": { "command": "b" }, "c": { "url": "https://c" } },
      "projects": { "/p": { "mcpServers": { "d": ${PLAIN} } } } }`;
    expect(namesIn(text)).toEqual([['a', 'b'], ['d']]);
    expect(findJoinable(text, JSON_FILE)[0]?.servers[0]).toEqual({
      name: 'a',
      command: 'notes',
      args: ['-y'],
      env: { KEY: 'x' },
    });
  });

  it.each([
    ['a setting of its own', '{ "command": "b", "cwd": "/" }'],
    ['a list of tools that run unasked', '{ "command": "b", "autoApprove": ["x"] }'],
    ['being off', '{ "command": "b", "disabled": true }'],
    ['a file of variables', '{ "command": "b", "envFile": ".env" }'],
    ['a variable of the host', '{ "command": "b", "args": ["${workspaceFolder}"] }'],
    ['a variable of Gemini CLI', '{ "command": "b", "env": { "KEY": "$KEY" } }'],
    ['a variable of opencode', '{ "command": "b", "env": { "KEY": "{env:KEY}" } }'],
    ['an environment that is not text', '{ "command": "b", "env": { "KEY": 7 } }'],
    ['a gate that others share', '{ "command": "node", "args": ["gate", "--together", "x"] }'],
    ['a gate', '{ "command": "plimsoll", "args": ["gate", "--name", "b", "--", "b"] }'],
  ])('are none with %s', (_, entry) => {
    expect(namesIn(`{ "mcpServers": { "a": ${PLAIN}, "b": ${entry} } }`)).toEqual([['a']]);
  });

  it.each(['toml', 'yaml'] as const)('are none in %s', (format) => {
    expect(findJoinable('mcpServers = {}', { format })).toEqual([]);
  });
});

describe('one entry for several servers', () => {
  it('stands in the place of the first, with comments and line ends as they were', () => {
    const lines = ['{', '\t"mcpServers": {', '\t\t// first', `\t\t"a": ${PLAIN}, // a`];
    const rest = [
      '\t\t"far": { "url": "https://c" },',
      '\t\t"b": { "command": "b" }',
      '\t}',
      '}',
      '',
    ];
    const { text, entry } = joinFirst([...lines, ...rest].join('\r\n'));
    const words = `"/opt/main.js","gate","--together","${FILE}"`;
    expect(text.split('\r\n')).toEqual([
      ...lines.slice(0, 3),
      `\t\t"plimsoll": { "command": "/opt/node", "args": [${words}] }, // a`,
      '\t\t"far": { "url": "https://c" }',
      '\t}',
      '}',
      '',
    ]);
    expect(entry.servers).toEqual([
      { name: 'a', before: PLAIN },
      { name: 'b', before: '{ "command": "b" }' },
    ]);
  });

  it('has a name that is free, the words of its host, and a type where the others had one', () => {
    const taken = `{ "mcpServers": { "plimsoll": ${PLAIN}, "b": { "type": "stdio", "command": "b" } } }`;
    expect(joinFirst(taken).entry.name).toBe('plimsoll-2');
    const code =
      '{ "servers": { "a": { "type": "stdio", "command": "a" }, "b": { "type": "stdio", "command": "b" } } }';
    expect(read(joinFirst(code).text)).toMatchObject({ servers: { plimsoll: { type: 'stdio' } } });
    const open =
      '{ "mcp": { "a": { "type": "local", "command": ["a"] }, "b": { "type": "local", "command": ["b"], "enabled": true } } }';
    expect(read(joinFirst(open).text)).toEqual({
      mcp: {
        plimsoll: {
          type: 'local',
          command: ['/opt/node', '/opt/main.js', 'gate', '--together', FILE],
        },
      },
    });
  });

  it.each([
    'claude-desktop.json',
    'claude-code.json',
    'claude-code-user.json',
    'vscode-settings.jsonc',
    'zed.jsonc',
    'lm-studio.json',
  ])('is taken back in %s, and all means the same', (name) => {
    const before = readFileSync(`test/fixtures/hosts/${name}`, 'utf8');
    const groups = findJoinable(before, JSON_FILE);
    expect(groups).not.toEqual([]);
    for (const group of groups) {
      const { text, entry } = joinServers(before, group, gate, FILE);
      expect(JSON.stringify(read(text))).toContain('--together');
      const after = splitServers(text, entry) ?? '';
      expect(read(after)).toEqual(read(before));
      expect(parse(after, [], { allowTrailingComma: true })).toEqual(read(before));
    }
  });

  it('is not taken back where somebody else has its place, and writes over no server', () => {
    const { text, entry } = joinFirst(
      `{ "mcpServers": { "a": ${PLAIN}, "b": { "command": "b" } } }`,
    );
    expect(splitServers(text.replace(FILE, '/other.json'), entry)).toBeUndefined();
    expect(splitServers('{ "mcpServers": {} }', entry)).toBeUndefined();
    const own = text.replace('{ "plimsoll"', '{ "a": { "command": "new" }, "plimsoll"');
    expect(read(splitServers(own, entry) ?? '')).toEqual({
      mcpServers: { a: { command: 'new' }, b: { command: 'b' } },
    });
    const all = '"a": { "command": "new" }, "b": { "command": "newer" }';
    const mcpServers = { a: { command: 'new' }, b: { command: 'newer' } };
    for (const edited of [
      text.replace('{ "plimsoll"', `{ ${all}, "plimsoll"`),
      text.replace(/ \} \}$/, `, ${all} } }`),
    ]) {
      expect(read(edited)).toMatchObject({ mcpServers });
      expect(read(splitServers(edited, entry) ?? '')).toEqual({ mcpServers });
    }
  });
});
