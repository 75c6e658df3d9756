import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toFaultLine } from '../../lib/read-yaml.ts';
import type { GateConfig } from './gate-config.ts';
import type { ReadConfigOptions } from './read-config.ts';
import { readConfig } from './read-config.ts';

const FILE = '/etc/gate/plimsoll.yaml';

function accept(text: string, options?: ReadConfigOptions): GateConfig {
  const answer = readConfig(text, FILE, options);
  if (answer.kind === 'faults') throw new Error(answer.faults.map(toFaultLine).join('\n'));
  return answer.config;
}

function faultsOf(text: string, options?: ReadConfigOptions): readonly string[] {
  const answer = readConfig(text, 'plimsoll.yaml', options);
  return answer.kind === 'faults' ? answer.faults.map(toFaultLine) : [];
}

describe('a configuration', () => {
  it('takes mcpServers as hosts write them, in JSON', () => {
    const text = JSON.stringify({
      mcpServers: {
        files: { command: 'npx', args: ['-y', 'server', ''], env: { ROOT: '${HOME}/x' } },
        notes: { type: 'http', url: 'https://notes.example/mcp' },
      },
    });
    expect(accept(text)).toEqual({
      file: FILE,
      servers: [
        {
          kind: 'process',
          name: 'files',
          disabled: false,
          command: 'npx',
          args: ['-y', 'server', ''],
          env: { ROOT: '${HOME}/x' },
          cwd: '/etc/gate',
        },
        {
          kind: 'remote',
          name: 'notes',
          disabled: false,
          url: 'https://notes.example/mcp',
          headers: {},
        },
      ],
    });
  });

  it('takes all that the gate adds, in YAML, with paths relative to the file', () => {
    const config = accept(`
mcpServers:
  pay:
    url: https://pay.example/mcp
    headers: { Authorization: 'Bearer \${PAY}' }
    trusted: true
    mode: sandbox
    disabled: false
    idempotency: { header: Idempotency-Key, argument: key, meta: example.com/key }
    oauth: { clientId: abc, scopes: [read, write], clientMetadataUrl: https://me.example/client.json }
  tool: { command: ./tool, cwd: ../tools }
ledger: sqlite:state/ledger.sqlite
lock: pins/lock.json
http:
  host: 127.0.0.1
  port: 4100
  allowedHosts: [gate.example]
  allowedOrigins: [console.example]
  tokens:
    - { tokenEnv: ALICE, principal: { id: alice, tenant: acme, scopes: ['notes:*'] } }
    - { tokenSha256: ${'AB'.repeat(32)}, principal: { id: bob, scopes: [] } }
  jwt:
    jwksUrl: https://id.example/jwks
    issuer: https://id.example
    audience: https://gate.example/mcp
    tenantClaim: org
`);
    expect(config.servers).toMatchObject([
      {
        kind: 'remote',
        trusted: true,
        mode: 'sandbox',
        idempotency: { header: 'Idempotency-Key', argument: 'key', meta: 'example.com/key' },
        oauth: { clientId: 'abc', scopes: ['read', 'write'] },
      },
      { kind: 'process', cwd: '/etc/tools' },
    ]);
    expect(config.ledger).toBe('sqlite:/etc/gate/state/ledger.sqlite');
    expect(config.lock).toBe('/etc/gate/pins/lock.json');
    expect(config.http?.tokens).toEqual([
      {
        kind: 'environment',
        variable: 'ALICE',
        principal: { id: 'alice', tenant: 'acme', scopes: ['notes:*'] },
      },
      { kind: 'digest', sha256: 'ab'.repeat(32), principal: { id: 'bob', scopes: [] } },
    ]);
    expect(config.http?.jwt).toEqual({
      keys: { kind: 'url', url: 'https://id.example/jwks' },
      issuer: 'https://id.example',
      audience: ['https://gate.example/mcp'],
      principalClaim: 'sub',
      scopeClaim: 'scope',
      tenantClaim: 'org',
    });
  });

  it('resolves a relative file against where it was started', () => {
    const answer = readConfig('mcpServers: {}', 'plimsoll.yaml');
    expect(answer.kind === 'config' && answer.config.file).toBe(resolve('plimsoll.yaml'));
  });

  it('takes a name for text, whatever YAML would make of it', () => {
    const config = accept('mcpServers:\n  1: { command: a }\n  null: { command: b }\n');
    expect(config.servers.map(({ name }) => name)).toEqual(['1', 'null']);
  });

  it('hands the policy on, from inside or from its own file', () => {
    const inline = accept('mcpServers: {}\npolicy:\n  mode: sandbox\n');
    expect(inline.policy?.mode).toBe('sandbox');
    const read: string[] = [];
    const readFile = (path: string): string => {
      read.push(path);
      return 'mode: sandbox';
    };
    const apart = accept('mcpServers: {}\npolicy: rules/policy.yaml\n', { readFile });
    expect(read).toEqual(['/etc/gate/rules/policy.yaml']);
    expect(apart.policy?.version).toBe(inline.policy?.version);
  });

  it('tells the faults of a policy in its own file by that file, and of one that cannot be read', () => {
    const text = 'mcpServers: {}\npolicy: rules.yaml\n';
    const answer = readConfig(text, FILE, { readFile: () => 'mode: live\nrules:\n  - name: a\n' });
    expect(answer.kind === 'faults' && answer.faults.map(toFaultLine)).toEqual([
      '/etc/gate/rules.yaml:3:5: policy.rules[0].then is missing',
    ]);
    const readFile = (): string => {
      throw new Error('ENOENT');
    };
    expect(faultsOf(text, { readFile })).toEqual([
      'plimsoll.yaml:2:9: policy: the file cannot be read; check its name and who may read it',
    ]);
  });

  it.each([
    ['as a block', 'mcpServers: {}\npolicy:\n  mode: live\n  mdoe: live\n', 'plimsoll.yaml:4:3: '],
    ['in braces', '{ "mcpServers": {},\n  "policy": {"mdoe": "live"} }', 'plimsoll.yaml:2:14: '],
  ])('tells the true place of a fault in a policy inside it, written %s', (_, text, place) => {
    const [fault = '', ...more] = faultsOf(text);
    expect(more).toEqual([]);
    expect(fault.startsWith(place)).toBe(true);
    expect(fault).toMatch(/policy.*mode/);
  });
});

describe('a fault', () => {
  const entry = (fields: string): string => `mcpServers:\n  one: ${fields}\n`;
  const http = (fields: string): string => `mcpServers: {}\nhttp: ${fields}\n`;
  const principal = 'principal: { id: a, scopes: [] }';

  it.each([
    ['a typing error', 'mcpServer: {}\n', /^plimsoll\.yaml:1:1: mcpServer: .* mean mcpServers\?$/m],
    ['what VS Code calls it', 'servers: {}\n', /1:1: servers: is `mcpServers` here/],
    ['an unknown key', entry('{ command: a, comand: b }'), /2:22: .*comand: .* mean command\?/],
    ['neither command nor url', entry('{ args: [] }'), /2:8: mcpServers\.one: needs either/],
    ['both', entry('{ command: a, url: "https://a.example" }'), /needs either/],
    ['headers for a process', entry('{ command: a, headers: {} }'), /goes with url/],
    [
      'a type that is not spoken',
      entry('{ url: "https://a.example", type: sse }'),
      /type: must be/,
    ],
    ['another scheme', entry('{ url: "file:///etc/passwd" }'), /must be an http\(s\) URL/],
    ['a password in a URL', entry('{ url: "https://a:b@c.example" }'), /password must not be in/],
    [
      'a number for text',
      entry('{ command: a, env: { PORT: 1 } }'),
      /2:\d+: .*env\.PORT: .*quotes/,
    ],
    ['a name with a dot', 'mcpServers:\n  a.b: { command: a }\n', /2:3: .*1 to 32 letters/],
    ['a name too long', `mcpServers:\n  ${'a'.repeat(33)}: { command: a }\n`, /1 to 32 letters/],
    [
      'twins but for case',
      'mcpServers:\n  Notes: { command: a }\n  notes: { command: b }\n',
      /3:3: mcpServers\.notes: differs from Notes in case only/,
    ],
    ['the same key twice', 'mcpServers: {}\nmcpServers: {}\n', /2:1: /],
    ['text that is no YAML', 'mcpServers: {\n', /plimsoll\.yaml:\d+:\d+: /],
    ['an empty file', '', /1:1: must be a mapping/],
    ['no servers', 'lock: a\n', /mcpServers is missing/],
    ['another database', 'mcpServers: {}\nledger: mysql://a\n', /2:9: ledger: must be sqlite/],
    ['a port beyond', http('{ port: 65536 }'), /2:15: http\.port: /],
    ['a token without owner', http('{ tokens: [{ tokenEnv: A }] }'), /principal is missing/],
    ['a token by nothing', http(`{ tokens: [{ ${principal} }] }`), /needs either tokenEnv/],
    ['a short digest', http(`{ tokens: [{ tokenSha256: abc, ${principal} }] }`), /SHA-256 in hex/],
    [
      'JWTs without audience',
      http('{ jwt: { jwksUrl: "https://a.example", issuer: b } }'),
      /audience/,
    ],
    [
      'an empty audience',
      http('{ jwt: { jwksUrl: "https://a.example", issuer: b, audience: [] } }'),
      /must name an audience/,
    ],
    [
      'keys over plain http',
      http('{ jwt: { jwksUrl: "http://a.example", issuer: b, audience: c } }'),
      /must be an https URL/,
    ],
  ])('is %s, with its place', (_, text, expected) => {
    expect(faultsOf(text).join('\n')).toMatch(expected);
  });

  const secret = 'c2VjcmV0LXNlY3JldA';
  it.each([
    ['a token', http(`{ tokens: [{ token: ${secret}, ${principal} }] }`), /tokenEnv/],
    [
      'a token as a name',
      http(`{ tokens: [{ tokenEnv: 1-${secret}, ${principal} }] }`),
      /not a token/,
    ],
    [
      'a header',
      entry(`{ url: "https://a.example", headers: { authorization: ${secret} } }`),
      /NAME/,
    ],
    [
      'a server token',
      entry(`{ url: "https://a.example", token: ${secret} }`),
      /Bearer \$\{NAME\}/,
    ],
    ['a password', `mcpServers: {}\nledger: postgres://me:${secret}@db/x\n`, /\$\{NAME\}/],
    [
      'a shared key',
      http(`{ jwt: { jwks: { keys: [{ kty: oct, k: ${secret} }] }, issuer: b, audience: c } }`),
      /must be a public key/,
    ],
  ])('is %s written down; it says what to do and does not repeat it', (_, text, advice) => {
    const faults = faultsOf(text).join('\n');
    expect(faults).toMatch(advice);
    expect(faults).not.toContain(secret);
  });

  it('never quotes a value that is not text', () => {
    const faults = faultsOf(
      entry('{ command: a, env: { PIN: 73915 }, trusted: 73916, args: 7.39 }'),
    );
    expect(faults).toHaveLength(3);
    expect(faults.join('\n')).not.toMatch(/739/);
  });

  it.each(['!tag', '*name', '"a" b', "'a' b", '"\\q"'])(
    'never quotes a part of the text that YAML does not allow: %j',
    (odd) => {
      const value = odd.replace(/[a-z]+/, secret);
      const faults = faultsOf(entry(`{ command: a, env: { PIN: ${value} } }`)).join('\n');
      expect(faults).toMatch(/^plimsoll\.yaml:\d+:\d+: [A-Za-z]/);
      expect(faults).not.toContain(secret);
    },
  );

  it('is found behind an alias, at the place where it is written', () => {
    const text = 'mcpServers:\n  a: &one { command: x, cwd: 1 }\n  b: *one\n';
    expect(faultsOf(text)).toEqual([
      'plimsoll.yaml:2:30: mcpServers.a.cwd: must be a string; put it in quotes',
      'plimsoll.yaml:2:30: mcpServers.b.cwd: must be a string; put it in quotes',
    ]);
  });

  it('of the environment comes with those of the form, and does not hide one in another part', () => {
    const text = `mcpServers:
  a: { url: 'https://a.example', headers: { cookie: x, Authorization: 1 }, args: [] }
  B: { command: '\${UNSET}' }
  b: { command: x, env: [] }
http: { jwt: { issuer: 1, audience: a } }
`;
    const faults = faultsOf(text, { environment: {} });
    expect(
      faults.map((fault) => fault.replace(/^plimsoll\.yaml:(\d+):\d+: ([^ ]*) .*/, '$1 $2')),
    ).toEqual([
      '2 mcpServers.a.headers.cookie:',
      '2 mcpServers.a.headers.Authorization:',
      '2 mcpServers.a.args:',
      '3 mcpServers.B.command:',
      '4 mcpServers.b:',
      '4 mcpServers.b.env:',
      '5 http.jwt:',
      '5 http.jwt.issuer:',
    ]);
  });

  it('are told all at once, in order', () => {
    const text = 'lock: 1\nmcpServers:\n  a: { url: x }\n  b: {}\n';
    const lines = faultsOf(text).map((line) => line.split(':')[1]);
    expect(lines).toEqual(['1', '3', '4']);
  });
});
