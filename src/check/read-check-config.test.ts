import { describe, expect, it } from 'vitest';
import { allRules } from './check-server.ts';
import { readCheckConfig } from './read-check-config.ts';

const FILE = 'plimsoll.check.yaml';

function faultsOf(text: string): readonly string[] {
  const reading = readCheckConfig(text, FILE, allRules());
  if (reading.kind === 'config') return [];
  return reading.faults.map(({ line, message }) => `${line}: ${message}`);
}

describe('readCheckConfig', () => {
  it('reads profiles, severities and ignores', () => {
    const text = `
profiles: [anthropic-directory, strict]
failOn: warning
severities:
  rule-failed: warning
  ignore-expired: off
ignore:
  - rule: rule-failed
    tool: legacy_*
    server: notes
    reason: goes away with the next major
    until: 2027-03-01
`;
    expect(readCheckConfig(text, FILE, allRules())).toEqual({
      kind: 'config',
      config: {
        profiles: ['anthropic-directory', 'strict'],
        failOn: 'warning',
        severities: new Map([
          ['rule-failed', 'warning'],
          ['ignore-expired', 'off'],
        ]),
        ignores: [
          {
            rule: 'rule-failed',
            tool: 'legacy_*',
            server: 'notes',
            reason: 'goes away with the next major',
            until: '2027-03-01',
          },
        ],
      },
    });
  });

  it('takes an empty file', () => {
    expect(faultsOf('')).toEqual([]);
    expect(faultsOf('# nothing yet\n')).toEqual([]);
  });

  it.each([
    ['ignore:\n  - rule: rule-failed\n    until: 2027-03-01', 'reason is missing'],
    ['ignore:\n  - rule: rule-failed\n    reason: x', 'until is missing'],
    [
      'ignore:\n  - rule: rule-failed\n    reason: "  "\n    until: 2027-03-01',
      'must not be empty',
    ],
    ['ignore:\n  - rule: rule-failed\n    reason: x\n    until: 2027-02-30', 'must be a date'],
    ['ignore:\n  - rule: rule-failed\n    reason: x\n    until: soon', 'must be a date'],
    ['ignore:\n  - {rule: rule-faild, reason: x, until: 2027-03-01}', 'Did you mean rule-failed?'],
    ['severities: {no-such-rule-here: off}', 'no such rule'],
    ['severities: {rule-failed: fatal}', 'must be one of info, warning, error, off'],
    ['profiles: [antropic]', 'must be one of spec'],
    ['profile: spec', 'is called `profiles`'],
    ['failOn: never', 'must be one of'],
    ['profiles: [spec', 'Flow sequence'],
    ['[]', 'must be a mapping'],
  ])('refuses %j', (text, message) => {
    const faults = faultsOf(text);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(message);
  });

  it('tells everything at once, each with its line', () => {
    const faults = faultsOf(
      'failOn: never\nseverities:\n  nothing-like-it: error\n  rule-failed: bad',
    );
    expect(faults.map((fault) => fault[0])).toEqual(['1', '3', '4']);
  });
});

describe('priorities', () => {
  it('are groups of tool names in an order', () => {
    const text = 'priorities:\n  - name: critical\n    tools: [login, "notes_*"]\n';
    expect(readCheckConfig(text, FILE, allRules())).toMatchObject({
      config: { priorities: [{ name: 'critical', tools: ['login', 'notes_*'] }] },
    });
    expect(faultsOf('priorities:\n  - name: critical\n    tools: []\n')).toHaveLength(1);
  });
});
