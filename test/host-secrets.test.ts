/** What is secret in a host's configuration is written where it belongs and never printed. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { runMain } from './support/run-main.ts';
import { useOwnHome } from './support/own-home.ts';

/** In every place where people put a secret. */
const SECRET = 'hunter2';

const JSON_FILE = `{
  "primaryApiKey": "${SECRET}-0",
  "mcpServers": {
    // "old": { "command": "old-mcp", "args": ["--token", "${SECRET}-1"], "env": { "WHO": "${SECRET}-2" } },
    "token-notes": {
      "command": "notes-mcp",
      "args": [
        "--api-key", "${SECRET}-3", "--secret=${SECRET}-4", "-e", "WHO=${SECRET}-5",
        "--header", "X-Who: ${SECRET}-6", "Authorization: Bearer ${SECRET}-7",
        "postgres://ann:${SECRET}-8@db/shop", "--config", "{\\"apiKey\\":\\"${SECRET}-9\\"}", "--verbose"
      ],
      "env": {
        "WHO": "${SECRET}-10",
        "NUMBER": 17171717
      }
    },
    "wiki": {
      "url": "https://wiki.example/mcp?api_key=${SECRET}-11&team=${SECRET}-12",
      "headers": { "X-Who": "${SECRET}-13" }
    },
    "odd": { "type": "sse", "url": "https://ann:${SECRET}-14@old.example/sse", "headers": { "K": "${SECRET}-15" } }
  },
  "env": { "WHO": "${SECRET}-16" }
}
`;

const TOML_FILE = `# WHO = "${SECRET}-1"
[mcp_servers.notes]
command = "notes-mcp"
args = ["--token", '${SECRET}-2', """
--secret=${SECRET}-3""", "--verbose"]
env_vars = ["HANDED_ON"]

[mcp_servers.notes.env]
WHO = "${SECRET}-4"
"K.EY" = 17171717

[mcp_servers.wiki]
url = "https://ann:${SECRET}-5@wiki.example/mcp"
bearer_token_env_var = "WIKI_TOKEN"
http_headers = { X-Who = "${SECRET}-6" }
`;

const YAML_FILE = `# token: ${SECRET}-1
shared: &shared
  WHO: ${SECRET}-2
mcpServers:
  - name: notes
    command: notes-mcp
    args:
      - --token
      - ${SECRET}-3 # was WHO=${SECRET}-4
      - --verbose
    env:
      WHO: '${SECRET}-5'
      LONG: |
        ${SECRET}-6
        ${SECRET}-7
      NUMBER: 17171717
  - name: wiki
    type: streamable-http
    url: https://wiki.example/mcp#${SECRET}-8
    requestOptions:
      headers:
        X-Who: >-
          ${SECRET}-9
  - name: shared
    command: shared-mcp
    env: *shared
`;

const FILES = [
  ['.cursor/mcp.json', JSON_FILE],
  ['.codex/config.toml', TOML_FILE],
  ['.continue/config.yaml', YAML_FILE],
] as const;

const home = useOwnHome();

async function plimsoll(...args: readonly string[]): Promise<string> {
  vi.spyOn(process, 'cwd').mockReturnValue(home());
  return (await runMain(args)).said;
}

function put(path: string, text: string): string {
  const file = join(home(), path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

it.each(FILES)('wraps and unwraps %s without printing a value', async (path, text) => {
  const file = put(path, text);
  const preview = await plimsoll('wrap', file, '--dry-run');
  const all = [
    preview,
    await plimsoll('status'),
    await plimsoll('wrap', '--json', '--dry-run'),
    await plimsoll('wrap', '--yes', file),
    await plimsoll('wrap', file, '--dry-run'),
    await plimsoll('status', '--json'),
  ].join('\n');
  const wrapped = readFileSync(file, 'utf8');
  for (const [secret] of text.matchAll(/hunter2-\d+|17171717/g)) expect(wrapped).toContain(secret);
  expect(all).not.toContain(SECRET);
  expect(all).not.toContain('17171717');
  expect(await plimsoll('unwrap', file)).not.toContain(SECRET);
  expect(readFileSync(file, 'utf8')).toBe(text);
  // Names, commands and what the gate adds can be read.
  for (const word of ['notes-mcp', 'WHO', 'PLIMSOLL_ENV_WHO', '--verbose', 'wiki.example', '…'])
    expect(preview).toContain(word);
  expect(preview).toContain('wrap writes them as they are');
});

it.each(FILES)('says where %s is broken without quoting it', async (path, text) => {
  const file = put(path, text.replace(/"?WHO"? ?[:=] ?(?=["']?hunter2)/, ''));
  writeFileSync(file, `${readFileSync(file, 'utf8')}\n "${SECRET}": [ ]] : "${SECRET}`);
  const all = [
    await plimsoll('wrap', file, '--dry-run'),
    await plimsoll('wrap', file, '--together'),
    await plimsoll('unwrap', file),
    await plimsoll('check', file),
    await plimsoll('status'),
    await plimsoll('pin', file),
    await plimsoll('tools', file),
    await plimsoll('gate', '--config', file),
    await plimsoll('gate', '--together', file),
    await plimsoll('policy', 'check', file),
  ];
  expect(all.join('\n')).not.toContain(SECRET);
  expect(all[0]).toMatch(/line \d+, column \d+/);
});

it.each([
  ['--url', `https//ann:${SECRET}@wiki.example`],
  ['--url', 'https://wiki.example', '--header', `Authorization Bearer ${SECRET}`],
  ['--url', 'https://wiki.example', '--header-env', `Authorization: ${SECRET}`],
])('refuses gate %s %s %s %s without quoting it', async (...flags) => {
  const said = await plimsoll('gate', ...flags.filter((flag) => flag !== undefined));
  expect(said).toContain(`what ${flags.at(-2)} says`);
  expect(said).not.toContain(SECRET);
});
