import { describe, expect, it } from 'vitest';
import { toFaultLine } from '../../lib/read-yaml.ts';
import { expandServer } from './environment.ts';
import type { Environment } from './environment.ts';
import { readConfig } from './read-config.ts';

function faultsOf(text: string, options?: { environment: Environment }): readonly string[] {
  const answer = readConfig(text, 'plimsoll.yaml', options);
  return answer.kind === 'faults' ? answer.faults.map(toFaultLine) : [];
}

describe('the environment', () => {
  const text = `mcpServers:
  a: { command: tool, args: ['--key=\${KEY}', '\${MORE:-none}', '\${env:KEY}'] }
  b: { url: '\${BASE}/mcp', headers: { Authorization: 'Bearer \${KEY}' } }
  c: { command: tool, env: { X: '\${UNSET}' }, disabled: true }
http:
  tokens: [{ tokenEnv: TOKEN, principal: { id: a, scopes: [] } }]
`;

  it('is not needed to read the form', () => {
    expect(faultsOf(text)).toEqual([]);
  });

  it('is checked where it is given, except for servers that are off', () => {
    const faults = faultsOf(text, { environment: { BASE: 'https://b.example', TOKEN: '' } });
    expect(
      faults.map((fault) => fault.replace(/^plimsoll\.yaml:(\d+):.* variable (\w+).*/, '$1 $2')),
    ).toEqual(['2 KEY', '2 KEY', '3 KEY', '6 TOKEN']);
  });

  it('fills in a server when it is opened, and not before', () => {
    const environment = { KEY: 'k', BASE: 'https://b.example', TOKEN: 't' };
    const answer = readConfig(text, 'plimsoll.yaml', { environment });
    if (answer.kind === 'faults') throw new Error('faults');
    const { config } = answer;
    expect(JSON.stringify(config)).toContain('${KEY}');
    expect(config.servers.slice(0, 2).map((one) => expandServer(one, environment))).toMatchObject([
      { args: ['--key=k', 'none', 'k'] },
      { url: 'https://b.example/mcp', headers: { Authorization: 'Bearer k' } },
    ]);
  });
});
