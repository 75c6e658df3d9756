/** Policy files: what is read, where faults stand, and that the documented ones are good. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { describeFault, DEFAULT_POLICY } from './policy.ts';
import type { PolicyInit } from './to-policy.ts';
import type { Policy } from './policy.ts';
import type { PolicyReading } from './read-policy.ts';
import { readPolicy } from './read-policy.ts';
import { PolicyError, toPolicy } from './to-policy.ts';

function faultsOf(reading: PolicyReading): readonly string[] {
  return reading.kind === 'policy' ? [] : reading.faults.map(describeFault);
}

function policyOf(text: string): Policy {
  const reading = readPolicy(text);
  if (reading.kind === 'faults') throw new Error(faultsOf(reading).join('\n'));
  return reading.policy;
}

function versionOf(text: string): string {
  return policyOf(text).version;
}

const ONE_RULE = 'rules:\n  - name: a\n    then: ask\n';

describe('faults', () => {
  it.each([
    ['mod: live', '1:1: mod: there is no key "mod" here; did you mean mode?'],
    [
      'colour: red',
      '1:1: colour: there is no key "colour" here; known here: mode, rules, asking, headless, budgets, caches, webhook, servers, retries, duplicateMinutes, firstUse, hints, keepArguments, console, notify, methods',
    ],
    ['mode: lve', '1:7: mode: must be one of sandbox, live; did you mean live?'],
    ['headless: true', '1:11: headless: must be one of no, pend, refuse'],
    ['rules: none', '1:8: rules: must be a list, not text'],
    ['rules:\n  - 5', '2:5: rules[0]: must be a mapping, not a number'],
    ['rules:\n  - name: a', '2:5: rules[0].then: is missing'],
    ['- 1', '1:1: must be a mapping, not a list'],
    [
      `${ONE_RULE}    match: { tier: [read, spend] }`,
      '4:27: rules[0].match.tier[1]: must be one of read, compute, share_export, external_spend, destructive',
    ],
    [
      `${ONE_RULE}    match: { tier: destuctive }`,
      '4:20: rules[0].match.tier[0]: must be one of read, compute, share_export, external_spend, destructive; did you mean destructive?',
    ],
    [`${ONE_RULE}    match: { tool: [] }`, '4:20: rules[0].match.tool: must have at least 1'],
    [
      `${ONE_RULE}    mach: { tool: x }`,
      '4:5: rules[0].mach: there is no key "mach" here; did you mean match?',
    ],
    ['asking: { expirySeconds: 901 }', '1:26: asking.expirySeconds: must be at most 900'],
    ['asking: { channels: [] }', '1:21: asking.channels: must have at least 1'],
    ['duplicateMinutes: 1.5', '1:19: duplicateMinutes: must be a whole number, not a fraction'],
    [
      'webhook: { url: "http://pay.example", secretEnv: KEY }',
      '1:17: webhook.url: must be an https address (http only on this machine)',
    ],
    [
      'asking: { channels: [console, webhook] }',
      '1:31: asking.channels[1]: there is no `webhook` in this policy to ask through',
    ],
    [
      `${ONE_RULE}  - name: a\n    then: deny`,
      '4:11: rules[1].name: the name "a" is taken; records could not tell the two apart',
    ],
    [
      'rules:\n  - name: quarantined\n    then: allow',
      '2:11: rules[0].name: "quarantined" is the name of a default rule; choose another name',
    ],
    [
      'rules:\n  - { name: a, then: deny, ask: { grants: [call] } }',
      '2:33: rules[0].ask: only a rule with `then: ask` asks',
    ],
    [
      `${ONE_RULE}    repeats: allow`,
      '4:14: rules[0].repeats: only a rule with `then: allow` can allow repeats',
    ],
    ['mode: live\nmode: live', '2:1: Map keys must be unique'],
    ['mode: *nobody', '1:1: an alias is undefined, or there are too many aliases'],
  ])('%j', (text, fault) => {
    expect(faultsOf(readPolicy(text))).toEqual([fault]);
  });

  it('tell of taken names beside a condition that cannot be read', () => {
    const text = `rules:
  - { name: tier-asks, then: ask, when: nosuch == 1 }
  - { name: a, then: deny }
  - { name: a, then: deny }
budgets: { a: 1 }
`;
    expect(faultsOf(readPolicy(text)).map((fault) => fault.replace(/^\S+ /, ''))).toEqual([
      expect.stringMatching(/^rules\[0\]\.name: "tier-asks" is the name of a default rule/),
      expect.stringMatching(/^rules\[0\]\.when: /),
      expect.stringMatching(/^rules\[2\]\.name: the name "a" is taken/),
      expect.stringMatching(/^budgets: /),
    ]);
  });

  it('come all at once, in the order of the text, with the file', () => {
    const text = 'mode: x\nrules:\n  - name: a\n    when: tol == "x"\n    than: ask\n';
    expect(faultsOf(readPolicy(text, 'plimsoll.yaml'))).toEqual([
      'plimsoll.yaml:1:7: mode: must be one of sandbox, live',
      'plimsoll.yaml:3:5: rules[0].then: is missing',
      'plimsoll.yaml:4:11: rules[0].when: is not a valid condition: Unknown variable: tol',
      'plimsoll.yaml:5:5: rules[0].than: there is no key "than" here; did you mean then?',
    ]);
  });

  it('are thrown at programs that pass a wrong object', () => {
    const wrong = { mode: 'prod' } as unknown as PolicyInit; // what plain JavaScript could pass
    expect(() => toPolicy(wrong)).toThrow(
      new PolicyError([
        { code: 'wrong-value', path: 'mode', detail: 'must be one of sandbox, live' },
      ]),
    );
  });

  it('are told of text that has no canonical form', () => {
    expect(faultsOf(readPolicy(`${ONE_RULE}    because: "\\ud800"`))).toEqual([
      '1:1: a text in it holds half of a surrogate pair',
    ]);
  });
});

describe('a fault inside a condition', () => {
  it.each([
    ['plain', 'when: tool == "x" && trustd', '4:26'],
    ['in single quotes', `when: 'tool == ''x'' && trustd'`, '4:29'],
    ['in double quotes', 'when: "tool == \\"x\\" && trustd"', '4:29'],
    ['on the line of a literal block', 'when: |\n      tool == "x" &&\n        trustd', '6:9'],
    ['on the line of a folded block', 'when: >-\n      tool == "x"\n\n      && trustd', '7:10'],
    ['on the second line of plain text', 'when: tool == "x"\n      && trustd', '5:10'],
    ['at the end', 'when: tool ==', '4:18'],
    ['at the end of a block', 'when: |\n      tool ==\n', '5:14'],
    ['a type', 'when: tool + 1 == 2', '4:11'],
    ['a field that nobody has', 'when: principal.name == "x"', '4:21'],
    ['not a yes or no', 'when: size(tool)', '4:11'],
  ])('%s', (_, when, place) => {
    const [fault = ''] = faultsOf(readPolicy(`${ONE_RULE}    ${when}`));
    expect(fault).toMatch(new RegExp(`^${place}: rules\\[0\\]\\.when: `));
  });
});

describe('what is read', () => {
  it('is the default policy where nothing is written', () => {
    expect(readPolicy('')).toEqual({ kind: 'policy', policy: DEFAULT_POLICY });
  });

  it('takes JSON as it takes YAML', () => {
    expect(versionOf('{"mode": "sandbox", "headless": "no"}')).toBe(versionOf('mode: sandbox'));
  });

  it('has a version that goes by the meaning, not by the spelling', () => {
    const spelt = 'rules: [{ then: ask, name: a, match: { tool: [x] } }] # same';
    const other = 'rules: [{ then: ask, name: a, match: { tool: y } }]';
    expect(versionOf('rules:\n- name: a\n  then: ask\n  match:\n    tool: x')).toBe(
      versionOf(spelt),
    );
    expect(versionOf(other)).not.toBe(versionOf(spelt));
    expect(versionOf(spelt)).toMatch(/^[0-9a-f]{64}$/);
  });

  it('cannot be changed', () => {
    const policy = policyOf(`${ONE_RULE}    match: { tool: x }`);
    const parts = [policy, policy.rules, policy.rules[0], policy.rules[0]?.match?.tool];
    expect(parts.every((part) => Object.isFrozen(part))).toBe(true);
  });
});

describe('docs/policy.md', () => {
  const page = readFileSync('docs/policy.md', 'utf8');
  const examples = [...page.matchAll(/```yaml\n([^]*?)```/g)].map(([, text]) => text ?? '');

  it('has examples', () => {
    expect(examples.length).toBeGreaterThan(4);
  });

  it.each(examples)('has an example that is a good policy: %j', (text) => {
    expect(faultsOf(readPolicy(text))).toEqual([]);
  });

  it('names every key that a policy can have', () => {
    const keys = [...Object.keys(DEFAULT_POLICY), 'webhook'].filter((key) => key !== 'version');
    for (const key of keys) expect(page).toContain(`| \`${key}\` |`);
  });
});
