import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readHostJson, valueOf } from './host-json.ts';
import type { WrapResult } from './wrap-config.ts';
import { unwrapConfig, wrapConfig } from './wrap-config.ts';

type Json = Record<string, unknown>;

const gate = { command: 'plimsoll', args: ['gate'] };

const HOSTS = [
  'claude-desktop.json',
  'claude-code.json',
  'claude-code-user.json',
  'cursor.jsonc',
  'vscode.jsonc',
  'vscode-settings.jsonc',
  'windsurf.json',
] as const;

function load(name: string): string {
  return readFileSync(`test/fixtures/hosts/${name}`, 'utf8');
}

function wrap(text: string): Extract<WrapResult, { kind: 'wrapped' }> {
  const result = wrapConfig(text, gate);
  if (result.kind !== 'wrapped') throw new Error(result.faults.join());
  return result;
}

function parse(text: string): unknown {
  const reading = readHostJson(text);
  if (reading.kind !== 'json') throw new Error(`line ${reading.line}`);
  return valueOf(reading.root);
}

function at(text: string, path: readonly string[]): Json {
  return path.reduce<unknown>((value, key) => (value as Json)[key], parse(text)) as Json;
}

function unwrap(text: string, known: Parameters<typeof unwrapConfig>[1]): string {
  const result = unwrapConfig(text, known);
  if (result.kind !== 'unwrapped') throw new Error(result.faults.join());
  return result.text;
}

describe.each(HOSTS)('%s', (name) => {
  const text = load(name);
  const strict = name.endsWith('.json');
  const variants = {
    'as it is': text,
    'with CRLF': text.replaceAll('\n', '\r\n'),
    'with a byte order mark': `\u{feff}${text}`,
    'with tabs': text.replaceAll('  ', '\t'),
    ...(strict && {
      'on one line': JSON.stringify(JSON.parse(text)),
      'with four spaces': JSON.stringify(JSON.parse(text), null, 4),
    }),
  };

  it.each(Object.entries(variants))('%s: is wrapped and goes back byte for byte', (_, variant) => {
    const { text: wrapped, servers } = wrap(variant);
    expect(servers.length).toBeGreaterThan(0);
    for (const { name: server, path } of servers) {
      const before = at(variant, path);
      const after = at(wrapped, path);
      const { command, args = [], env, envFile, url, serverUrl, headers = {}, ...rest } = before;
      const names = Object.keys((command === undefined ? headers : (env ?? {})) as Json);
      const variableOf = (header: string): string =>
        `PLIMSOLL_HEADER_${header.toUpperCase().replaceAll('-', '_')}`;
      const file = envFile === undefined ? [] : ['--server-env-file', envFile];
      const passed = names.map((each) => `--pass-env ${each}=PLIMSOLL_ENV_${each}`.split(' '));
      const taken = names.map((each) => `--header-env ${each}=${variableOf(each)}`.split(' '));
      const gated =
        command === undefined
          ? ['--url-env', 'PLIMSOLL_URL', ...taken.flat()]
          : [...file, ...passed.flat(), '--', command, ...(args as string[])];
      const toEnv = (values: unknown, toName: (key: string) => string): Json =>
        Object.fromEntries(
          Object.entries(values as Json).map(([key, value]) => [toName(key), value]),
        );
      expect(after).toEqual({
        ...rest,
        ...('type' in rest && { type: 'stdio' }),
        command: 'plimsoll',
        args: ['gate', '--name', server, ...gated],
        ...(command === undefined && {
          env: { PLIMSOLL_URL: url ?? serverUrl, ...toEnv(headers, variableOf) },
        }),
        ...(env !== undefined && { env: toEnv(env, (key) => `PLIMSOLL_ENV_${key}`) }),
      });
    }
    expect(unwrap(wrapped, servers)).toBe(variant);
    expect(wrap(wrapped).text).toBe(wrapped);
  });

  it('is left alone where no server stands', () => {
    const { text: wrapped, servers } = wrap(text);
    const kept = (whole: string, texts: readonly string[]): string =>
      texts.reduce((rest, part) => rest.replace(part, () => '…'), whole);
    expect(
      kept(
        wrapped,
        servers.map(({ after }) => after),
      ),
    ).toBe(
      kept(
        text,
        servers.map(({ before }) => before),
      ),
    );
  });

  it('stays plain JSON where it was', () => {
    const isPlain = (whole: string): boolean => {
      try {
        JSON.parse(whole);
        return true;
      } catch {
        return false;
      }
    };
    expect([isPlain(text), isPlain(wrap(text).text)]).toEqual([strict, strict]);
  });

  it('means the same after unwrapping without a record', () => {
    const { text: wrapped, servers } = wrap(text);
    const bare = unwrap(wrapped, []);
    for (const { path } of servers) {
      const { serverUrl, args, type: _t, headers, ...before } = at(text, path);
      expect(at(bare, path)).toMatchObject({
        ...before,
        ...(serverUrl !== undefined && { url: serverUrl }),
        ...(args !== undefined && { args }),
        ...(headers !== undefined && JSON.stringify(headers) !== '{}' && { headers }),
      });
    }
  });
});

describe('wrapConfig', () => {
  it('keeps comments, layout and line ends around what it changes', () => {
    const text = [
      '{',
      '\t// ours',
      '\t"mcpServers": {',
      '\t\t"files": {',
      '\t\t\t"command": "npx", // fast',
      '\t\t\t"args": [',
      '\t\t\t\t"-y", // yes',
      '\t\t\t\t"server-filesystem",',
      '\t\t\t],',
      '\t\t},',
      '\t},',
      '}',
    ].join('\r\n');
    expect(wrap(text).text.split('\r\n')).toEqual([
      '{',
      '\t// ours',
      '\t"mcpServers": {',
      '\t\t"files": {',
      '\t\t\t"command": "plimsoll", // fast',
      '\t\t\t"args": [',
      '\t\t\t\t"gate",',
      '\t\t\t\t"--name",',
      '\t\t\t\t"files",',
      '\t\t\t\t"--",',
      '\t\t\t\t"npx",',
      '\t\t\t\t"-y", // yes',
      '\t\t\t\t"server-filesystem",',
      '\t\t\t],',
      '\t\t},',
      '\t},',
      '}',
    ]);
  });

  it('turns a URL and its headers into variables of the gate, out of sight of other users', () => {
    const text = `{
  "servers": {
    "crm": {
      "type": "http",
      "url": "https://crm.example/mcp",
      "headers": { "Authorization": "Bearer \${input:crm}", "X-Team": "a: b" }
    }
  }
}`;
    expect(wrap(text).text).toBe(`{
  "servers": {
    "crm": {
      "type": "stdio",
      "command": "plimsoll",
      "args": ["gate", "--name", "crm", "--url-env", "PLIMSOLL_URL", "--header-env", "Authorization=PLIMSOLL_HEADER_AUTHORIZATION", "--header-env", "X-Team=PLIMSOLL_HEADER_X_TEAM"],
      "env": { "PLIMSOLL_URL": "https://crm.example/mcp", "PLIMSOLL_HEADER_AUTHORIZATION": "Bearer \${input:crm}", "PLIMSOLL_HEADER_X_TEAM": "a: b" }
    }
  }
}`);
    expect(parse(unwrap(wrap(text).text, []))).toEqual(parse(text));
  });

  it('a comment before a removed last member does not swallow the brace', () => {
    const text = '{"mcpServers":{"a":{"url":"https://a.example" // c\n,"headers":{"A":"b"} }}}';
    expect(parse(wrap(text).text)).toMatchObject({ mcpServers: { a: { command: 'plimsoll' } } });
    const other = '{"mcpServers":{"a":{"url":"https://a.example", // c\n"headers":{"A":"b"}}}}';
    expect(parse(wrap(other).text)).toMatchObject({ mcpServers: { a: { command: 'plimsoll' } } });
  });

  it.each([
    ['{"mcpServers":{"a":{"type":"sse","url":"https://a.example/sse"}}}', 'sse'],
    ['{"mcpServers":{"a":{"command":7}}}', 'odd-args'],
    ['{"mcpServers":{"a":{"command":"x","args":[7]}}}', 'odd-args'],
    ['{"mcpServers":{"a":{"command":"x","args":"y"}}}', 'odd-args'],
    ['{"mcpServers":{"a":{"url":"https://a.example","headers":{"A":7}}}}', 'odd-headers'],
    ['{"mcpServers":{"a":{"url":"https://a.example","headers":{"A":"b\\nC: d"}}}}', 'odd-headers'],
    ['{"mcpServers":{"a":{"url":"https://a.example","headersHelper":"x"}}}', 'headers-helper'],
    ['{"mcpServers":{"a":{}}}', 'no-address'],
    ['{"mcpServers":{"a":true}}', 'not-an-object'],
    ['{"mcpServers":{"a":{"command":"x"},"a":{"command":"y"}}}', 'named-twice'],
    ['{"mcpServers":{"a":{"command":"x","command":"y"}}}', 'member-twice'],
    ['{"mcpServers":{"a":{"command":"x","env":["A=b"]}}}', 'odd-env'],
    ['{"mcpServers":{"a":{"command":"x","env":{"A=b":"c"}}}}', 'odd-env'],
    ['{"mcpServers":{"a":{"command":"x","envFile":7}}}', 'odd-env'],
    ['{"mcpServers":{"a":{"url":"https://a.example","env":{"A":"b"}}}}', 'url-and-command'],
    ['{"mcpServers":{"a":{"url":"https://a.example","args":[]}}}', 'url-and-command'],
    [
      '{"mcpServers":{"a":{"command":"plimsoll","args":["gate","--name","a","--","x"]}}}',
      'already-wrapped',
    ],
    [
      '{"mcpServers":{"a":{"command":"plimsoll","args":["gate","--name","a","--pass-env","A=PLIMSOLL_ENV_A","--","x"],"env":{"PLIMSOLL_ENV_A":"b"}}}}',
      'already-wrapped',
    ],
    [
      '{"mcpServers":{"a":{"command":"plimsoll","args":["gate","--name","a","--url-env","PLIMSOLL_URL"],"env":{"PLIMSOLL_URL":"https://a.example"}}}}',
      'already-wrapped',
    ],
  ])('leaves %s and says why', (text, why) => {
    const { text: after, servers, skipped } = wrap(text);
    expect(after).toBe(text);
    expect(servers).toEqual([]);
    expect(new Set(skipped.map((entry) => entry.why))).toEqual(new Set([why]));
  });

  it.each(['', '{', '[1,]x', '{"a":1 "b":2}', '{"a":/* 1}', '['.repeat(100_000)])(
    'refuses what is not JSON: %#',
    (text) => {
      expect(wrapConfig(text, gate)).toMatchObject({ kind: 'faults' });
    },
  );

  it.each(['{}', '[]', '{"servers":["a"]}', '{"servers":{"a":{"port":1}}}', '"mcpServers"'])(
    'refuses what is no configuration of a host: %s',
    (text) => {
      expect(wrapConfig(text, gate)).toMatchObject({ kind: 'faults' });
    },
  );

  it('tells where the text is broken', () => {
    expect(wrapConfig('{\r\n  "mcpServers": {\r\n    oops\r\n', gate)).toEqual({
      kind: 'faults',
      faults: ['line 3, column 5: this is not JSON'],
    });
  });
});

const word = fc.string({ unit: 'grapheme', maxLength: 12 });
const server = fc.oneof(
  fc.record(
    {
      command: word,
      args: fc.array(word),
      env: fc.dictionary(
        word.filter((name) => /^[^=\0]+$/.test(name)),
        word,
      ),
      envFile: word.filter((name) => name !== ''),
      x: fc.jsonValue(),
    },
    { requiredKeys: ['command'] },
  ),
  fc.record(
    {
      url: fc.webUrl(),
      headers: fc.dictionary(
        fc.stringMatching(/^[A-Za-z-]{1,9}$/),
        fc.stringMatching(/^[ -~]{0,9}$/),
        { minKeys: 1 },
      ),
      type: fc.constant('http'),
      x: fc.jsonValue(),
    },
    { requiredKeys: ['url'] },
  ),
);

it('any servers in any layout come back byte for byte, and nothing else changes', () => {
  fc.assert(
    fc.property(
      fc.dictionary(word, server, { minKeys: 1 }),
      fc.constantFrom(undefined, 1, 2, '\t'),
      fc.jsonValue(),
      (mcpServers, indent, other) => {
        const text = JSON.stringify({ other, mcpServers, z: [other] }, null, indent);
        const { text: wrapped, servers, skipped } = wrap(text);
        expect(skipped.filter(({ why }) => why !== 'already-wrapped')).toEqual([]);
        const parsed = JSON.parse(wrapped) as Json;
        expect({ ...parsed, mcpServers: 0 }).toEqual({
          ...(JSON.parse(text) as Json),
          mcpServers: 0,
        });
        expect(unwrap(wrapped, servers)).toBe(text);
        const bare = JSON.parse(unwrap(wrapped, [])) as { mcpServers: Json };
        for (const [name, before] of Object.entries(mcpServers))
          expect(bare.mcpServers[name]).toMatchObject(JSON.parse(JSON.stringify(before)) as Json);
      },
    ),
  );
});
