/** Hosts that write their servers in ways of their own: Codex, Gemini CLI, Zed, Continue, opencode, LM Studio. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { valueOf } from './host-json.ts';
import { readHostText } from './host-text.ts';
import { fileKindOf } from './known-hosts.ts';
import type { WrapResult } from './wrap-config.ts';
import { unwrapConfig, wrapConfig } from './wrap-config.ts';

type Json = Record<string, unknown>;

const gate = { command: '/opt/node', args: ['/opt/plimsoll/dist/cli/main.js', 'gate'] };

/** Each fixture under the name that the host gives it. */
const FILES = {
  'codex.toml': '/home/ann/.codex/config.toml',
  'gemini.json': '/home/ann/.gemini/settings.json',
  'zed.jsonc': '/home/ann/.config/zed/settings.json',
  'continue.yaml': '/home/ann/.continue/config.yaml',
  'opencode.jsonc': '/home/ann/.config/opencode/opencode.jsonc',
  'lm-studio.json': '/home/ann/.lmstudio/mcp.json',
} as const;

type Fixture = keyof typeof FILES;

function load(name: Fixture): string {
  return readFileSync(`test/fixtures/hosts/${name}`, 'utf8');
}

function wrap(text: string, name: Fixture): Extract<WrapResult, { kind: 'wrapped' }> {
  const result = wrapConfig(text, gate, [], fileKindOf(FILES[name]));
  if (result.kind !== 'wrapped') throw new Error(result.faults.join());
  return result;
}

function unwrap(text: string, name: Fixture, known: Parameters<typeof unwrapConfig>[1]): string {
  const result = unwrapConfig(text, known, fileKindOf(FILES[name]));
  if (result.kind !== 'unwrapped') throw new Error(result.faults.join());
  return result.text;
}

function parse(text: string, name: Fixture): Json {
  const read = readHostText(text, fileKindOf(FILES[name]).format);
  if (read.kind === 'malformed') throw new Error(`line ${read.line}\n${text}`);
  return valueOf(read.root) as Json;
}

function gated(name: string, ...words: readonly string[]): readonly string[] {
  return [...gate.args, '--name', name, ...words];
}

/** What stands in each file where its servers are, once they are behind the gate. */
const EXPECTED: Readonly<Record<Fixture, unknown>> = {
  'codex.toml': {
    mcp_servers: {
      notes: {
        command: gate.command,
        args: gated(
          'notes',
          ...'--pass-env API_KEY=PLIMSOLL_ENV_API_KEY --pass-env REGION=PLIMSOLL_ENV_REGION'.split(
            ' ',
          ),
          ...'--pass-env GITHUB_TOKEN -- npx -y notes-mcp@1.4.2'.split(' '),
        ),
        env_vars: ['GITHUB_TOKEN'],
        env: { PLIMSOLL_ENV_API_KEY: 'abc', PLIMSOLL_ENV_REGION: 'eu' },
      },
      files: {
        command: gate.command,
        args: gated(
          'files',
          ...'--pass-env DEBUG=PLIMSOLL_ENV_DEBUG -- npx -y server-filesystem'.split(' '),
        ),
        env: { PLIMSOLL_ENV_DEBUG: '1' },
      },
      crm: {
        command: gate.command,
        args: gated(
          'crm',
          ...'--url-env PLIMSOLL_URL --bearer-env CRM_TOKEN'.split(' '),
          ...'--header-env X-Team=PLIMSOLL_HEADER_X_TEAM --header-env X-Key=CRM_KEY'.split(' '),
        ),
        env: { PLIMSOLL_URL: 'https://crm.example/mcp', PLIMSOLL_HEADER_X_TEAM: 'a: b' },
        env_vars: ['CRM_TOKEN', 'CRM_KEY'],
        enabled: true,
      },
    },
  },
  'gemini.json': {
    mcpServers: {
      notes: {
        args: gated('notes', '--pass-env', 'KEY=PLIMSOLL_ENV_KEY', '--', 'notes-mcp', '--stdio'),
      },
      crm: { env: { PLIMSOLL_URL: 'https://crm.example/mcp' }, timeout: 5000 },
      typed: { type: 'stdio', env: { PLIMSOLL_URL: 'https://typed.example/mcp' } },
      old: { url: 'https://old.example/sse' },
    },
  },
  'zed.jsonc': {
    context_servers: {
      notes: { source: 'custom', command: gate.command, env: { PLIMSOLL_ENV_KEY: 'abc' } },
      crm: { env: { PLIMSOLL_HEADER_AUTHORIZATION: 'Bearer t' } },
      bare: { command: gate.command, args: gated('bare', '--', 'bare-mcp') },
    },
  },
  'continue.yaml': {
    mcpServers: [
      {
        name: 'notes',
        command: gate.command,
        args: gated(
          'notes',
          ...'--pass-env API_KEY=PLIMSOLL_ENV_API_KEY --pass-env REGION=PLIMSOLL_ENV_REGION'.split(
            ' ',
          ),
          ...'-- npx -y notes-mcp'.split(' '),
        ),
        env: { PLIMSOLL_ENV_API_KEY: '${{ secrets.NOTES }}', PLIMSOLL_ENV_REGION: 'eu' },
      },
      { name: 'Bare MCP', command: gate.command, args: gated('Bare MCP', '--', 'bare-mcp') },
      { name: 'flow', args: gated('flow', '--', 'flow-mcp', '--stdio') },
      {
        name: 'crm',
        type: 'stdio',
        command: gate.command,
        env: {
          PLIMSOLL_URL: 'https://crm.example/mcp',
          PLIMSOLL_HEADER_AUTHORIZATION: 'Bearer t',
        },
        connectionTimeout: 5000,
      },
      { name: 'old', type: 'sse', url: 'https://old.example/sse' },
    ],
  },
  'opencode.jsonc': {
    mcp: {
      notes: {
        type: 'local',
        command: [
          gate.command,
          ...gated('notes', '--pass-env', 'KEY=PLIMSOLL_ENV_KEY', '--', 'npx', '-y', 'notes-mcp'),
        ],
        environment: { PLIMSOLL_ENV_KEY: '{env:NOTES_KEY}' },
        enabled: true,
      },
      crm: {
        type: 'local',
        command: [
          gate.command,
          ...gated(
            'crm',
            ...'--url-env PLIMSOLL_URL --header-env'.split(' '),
            'Authorization=PLIMSOLL_HEADER_AUTHORIZATION',
          ),
        ],
        environment: { PLIMSOLL_URL: 'https://crm.example/mcp' },
      },
    },
  },
  'lm-studio.json': {
    mcpServers: {
      notes: { command: gate.command },
      hub: { env: { PLIMSOLL_URL: 'https://hub.example/mcp' } },
    },
  },
};

describe.each(Object.keys(FILES) as Fixture[])('%s', (name) => {
  const text = load(name);

  it('has the gate in front of its servers', () => {
    expect(parse(wrap(text, name).text, name)).toMatchObject(EXPECTED[name] as Json);
  });

  it.each([
    ['as it is', text],
    ['with CRLF', text.replaceAll('\n', '\r\n')],
    ['with a byte order mark', `\u{feff}${text}`],
    ['without a last line end', text.trimEnd()],
  ])('%s: goes back byte for byte, and is not wrapped twice', (_, variant) => {
    const { text: wrapped, servers } = wrap(variant, name);
    expect(servers.length).toBeGreaterThan(0);
    expect(wrapped).not.toBe(variant);
    expect(unwrap(wrapped, name, servers)).toBe(variant);
    expect(wrap(wrapped, name).text).toBe(wrapped);
  });

  it('keeps every comment and every line that is not about an entry', () => {
    const wrapped = wrap(text, name).text;
    for (const [comment] of text.matchAll(/(?<=^|\s)(?:\/\/|#) .*$/gm)) {
      expect(wrapped).toContain(comment);
    }
  });

  it('means the same after unwrapping without a record', () => {
    const back = parse(unwrap(wrap(text, name).text, name, []), name);
    expect(back).toEqual(withoutRecord(parse(text, name)));
  });
});

/** What a record would tell: a command had no arguments at all, an address stood under another name. */
function withoutRecord(config: Json): Json {
  const at = (key: string): Json => (config[key] ?? {}) as Json;
  const bare = at('context_servers')['bare'] ?? at('mcpServers')['1'];
  if (bare !== undefined) (bare as Json)['args'] = [];
  if (at('mcpServers')['typed'] !== undefined)
    at('mcpServers')['typed'] = { type: 'http', httpUrl: 'https://typed.example/mcp' };
  return config;
}

describe('what only one format has', () => {
  it.each([
    ['a dotted key', 'mcp_servers.a.command = "x"'],
    ['an inline table', '[mcp_servers]\na = { command = "x" }'],
    ['a dotted key in a table', '[mcp_servers.a]\ncommand = "x"\nenv.A = "b"'],
    ['tables apart', '[mcp_servers.a]\ncommand = "x"\n[other]\n[mcp_servers.a.env]\nA = "b"'],
  ])('%s of TOML is left alone, and the output says why', (_, text) => {
    expect(wrap(text, 'codex.toml')).toMatchObject({
      text,
      skipped: [{ name: 'a', why: 'odd-layout' }],
    });
  });

  it.each([
    ['a flow map', 'mcpServers:\n  - { name: a, command: x }'],
    ['an anchor', 'mcpServers:\n  - name: a\n    command: x\n    env: &e\n      A: b\nz: *e'],
  ])('%s of YAML is left alone, and the output says why', (_, text) => {
    expect(wrap(text, 'continue.yaml')).toMatchObject({
      text,
      skipped: [{ name: 'a', why: 'odd-layout' }],
    });
  });

  it.each(['|', '|-', '|+', '>'])('an entry of YAML may end with a text after %s', (mark) => {
    const end = `${mark}\n          abc\n`;
    const text = `mcpServers:
  - name: a
    url: https://a.example
    requestOptions:
      headers:
        X-Key: >-
          abc
  - name: b
    env:
      LONG: ${end}    command: |-
      b
  - name: c
    command: c
    env:
      LONG: ${end}  - name: d
    command: d
    args:
      - ${end}  - name: e
    command: e
`;
    const { text: wrapped, servers, skipped } = wrap(text, 'continue.yaml');
    expect(skipped).toEqual([]);
    expect(parse(wrapped, 'continue.yaml')['mcpServers']).toMatchObject(
      ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name, command: gate.command })),
    );
    expect(unwrap(wrapped, 'continue.yaml', servers)).toBe(text);
    const [, ...others] = parse(text, 'continue.yaml')['mcpServers'] as Json[];
    const without = parse(unwrap(wrapped, 'continue.yaml', []), 'continue.yaml')['mcpServers'];
    expect(without).toMatchObject([{ name: 'a', url: 'https://a.example' }, ...others]);
  });

  it('a server of a list without a name is skipped', () => {
    expect(wrap('mcpServers:\n  - command: x', 'continue.yaml').skipped).toMatchObject([
      { why: 'no-name' },
    ]);
  });

  it.each([
    ['codex.toml', '[mcp_servers.a]\ncommand = @', 'line 2, column 11: this is not TOML'],
    ['continue.yaml', 'mcpServers:\n  - "a', 'line 2, column 7: this is not YAML'],
  ] as const)('%s: says where the text is broken', (name, text, fault) => {
    expect(wrapConfig(text, gate, [], fileKindOf(FILES[name]))).toEqual({
      kind: 'faults',
      faults: [expect.stringMatching(fault)],
    });
  });

  it('a variable that steers the gate is not handed on to a server', () => {
    const text = '[mcp_servers.a]\ncommand = "x"\nenv_vars = ["NODE_OPTIONS"]';
    expect(wrap(text, 'codex.toml').skipped).toMatchObject([{ why: 'odd-env' }]);
  });

  it('two addresses in one entry are not chosen from', () => {
    const text = '{"mcpServers":{"a":{"url":"https://a.example","httpUrl":"https://b.example"}}}';
    expect(wrap(text, 'lm-studio.json').skipped).toMatchObject([{ why: 'two-addresses' }]);
  });

  it('requests of Continue that have more than headers are left alone', () => {
    const text =
      'mcpServers:\n  - name: a\n    url: https://a.example\n    requestOptions:\n      proxy: x';
    expect(wrap(text, 'continue.yaml').skipped).toMatchObject([{ why: 'odd-headers' }]);
  });

  it('a server that has a URL and no credential may want a sign-in', () => {
    const signIns = wrap(load('codex.toml'), 'codex.toml').servers.flatMap(
      ({ signIn }) => signIn ?? [],
    );
    expect(signIns).toEqual(['https://open.example/mcp']);
  });
});
