import { describe, expect, it } from 'vitest';
import type { WrapResult } from './wrap-config.ts';
import { unwrapConfig, wrapConfig } from './wrap-config.ts';

function wrap(text: string): Extract<WrapResult, { kind: 'wrapped' }> {
  const result = wrapConfig(text, { command: 'plimsoll', args: ['gate'] });
  if (result.kind !== 'wrapped') throw new Error(result.faults.join());
  return result;
}

describe('an entry with the gate in front of it', () => {
  it('hands its environment to the server alone, and leaves the layout', () => {
    const text = `{ "mcpServers": { "a": {
      "env": { "TOKEN": "t", /* ours */ "XDG_STATE_HOME": "x" },
      "command": "notes",
      "envFile": "\${workspaceFolder}/.env"
    } } }`;
    const { text: wrapped } = wrap(text);
    expect(wrapped).toBe(`{ "mcpServers": { "a": {
      "env": { "PLIMSOLL_ENV_TOKEN": "t", /* ours */ "PLIMSOLL_ENV_XDG_STATE_HOME": "x" },
      "command": "plimsoll",
      "args": ["gate", "--name", "a", "--server-env-file", "\${workspaceFolder}/.env", "--pass-env", "TOKEN=PLIMSOLL_ENV_TOKEN", "--pass-env", "XDG_STATE_HOME=PLIMSOLL_ENV_XDG_STATE_HOME", "--", "notes"]
    } } }`);
    expect(unwrapConfig(wrapped, [])).toMatchObject({ servers: [{ name: 'a', exact: false }] });
  });

  it('keeps what was added to it when the gate is removed', () => {
    const { text: wrapped } = wrap('{"mcpServers":{"a":{"command":"x","env":{"A":"b"}}}}');
    const edited = wrapped.replace('"env":{', '"env":{"NEW":"c",').replace('"x"]', '"x", "-v"]');
    const result = unwrapConfig(edited, []);
    expect(result.kind === 'unwrapped' && JSON.parse(result.text)).toEqual({
      mcpServers: { a: { command: 'x', args: ['-v'], env: { NEW: 'c', A: 'b' } } },
    });
  });

  it.each<readonly [string, readonly string[], object?]>([
    ['x', ['gate', '--name', 'a', '--', 'y']],
    ['/opt/plimsoll', ['gate', '--name', 'a', '--', 'y']],
    ['sh', ['-c', 'plimsoll', 'gate', '--name', 'a', '--', 'y']],
    ['npx', ['-y', 'plimsoll', 'gate', '--name', 'a', '--', 'y']],
    ['plimsoll', ['gate', '--name', 'other', '--', 'y']],
    ['plimsoll', ['gate', '--policy', 'own.yaml', '--name', 'a', '--', 'y']],
    ['plimsoll', ['gate', '--name', 'a', '--policy', 'own.yaml', '--', 'y']],
    ['plimsoll', ['gate', '--name', 'a', '--pass-env', 'A', '--', 'y']],
    ['plimsoll', ['gate', '--name', 'a', '--url-env', 'PLIMSOLL_URL', '--trusted']],
    ['plimsoll', ['gate', '--name', 'a', '--', 'y'], { NODE_OPTIONS: '--import=./z.mjs' }],
    ['plimsoll', ['gate', '--name', 'a', '--', 'y'], { XDG_STATE_HOME: '.state' }],
  ])('an entry of %s %j is not taken for what it wrote itself', (command, args, env) => {
    const text = JSON.stringify({ mcpServers: { a: { command, args, env } } });
    expect(wrap(text).servers).toHaveLength(1);
  });

  it('keeps apart what headers with similar names say', () => {
    const headers = { 'X-A': '1', X_A: '2', 'x-a': '3' };
    const text = JSON.stringify({ mcpServers: { a: { url: 'https://a.example', headers } } });
    const { text: wrapped } = wrap(text);
    expect(JSON.parse(wrapped)).toMatchObject({
      mcpServers: {
        a: {
          env: {
            PLIMSOLL_URL: 'https://a.example',
            PLIMSOLL_HEADER_X_A: '1',
            PLIMSOLL_HEADER_X_A_2: '2',
            PLIMSOLL_HEADER_X_A_3: '3',
          },
        },
      },
    });
    const bare = unwrapConfig(wrapped, []);
    expect(bare.kind === 'unwrapped' && JSON.parse(bare.text)).toEqual(JSON.parse(text));
  });
});
