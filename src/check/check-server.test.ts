import { describe, expect, it } from 'vitest';
import { checkServer } from './check-server.ts';
import type { Profile, Rule } from './rule.ts';
import type { Ignore, Settings } from './read-check-config.ts';
import { defaultSettings } from './read-check-config.ts';
import { toSubject } from './subject.ts';

const now = new Date('2026-06-15T12:00:00Z');

const shout: Rule = {
  id: 'shout',
  category: 'naming',
  severity: 'warning',
  summary: 'A name is in capitals.',
  cost: 'It is loud.',
  profiles: { strict: 'error', 'openai-apps': 'off' },
  codes: { 'shout/all': 'all of it', 'shout/some': 'some of it' },
  checkTool: ({ name, pointer }) => {
    if (!/[A-Z]/.test(name)) return [];
    const code = /[a-z]/.test(name) ? 'shout/some' : 'shout/all';
    return [{ code, pointer: `${pointer}/name`, message: 'The name is loud.' }];
  },
};

const empty: Rule = {
  id: 'empty',
  category: 'schema',
  severity: 'info',
  summary: 'There is no tool.',
  cost: 'Nothing can be done.',
  codes: { empty: 'none at all' },
  checkServer: ({ tools }) =>
    tools.length === 0 ? [{ code: 'empty', pointer: '/tools', message: 'There is none.' }] : [],
};

const broken: Rule = {
  id: 'broken',
  category: 'schema',
  severity: 'info',
  summary: 'Throws.',
  cost: 'None.',
  codes: { broken: 'never' },
  checkTool: ({ name }) => {
    if (name === 'QUIET') throw new Error('\u001B[2J words of a server');
    return [];
  },
};

const server = toSubject('loud', [{ name: 'LOUD' }, { name: 'Mixed' }, { name: 'calm' }]);

function check(more: Partial<Settings> = {}, rules: readonly Rule[] = [shout, empty]) {
  return checkServer(server, { ...defaultSettings(now), ...more }, rules);
}

function withProfiles(...profiles: Profile[]) {
  return check({ profiles }).map(({ severity }) => severity);
}

describe('checkServer', () => {
  it('adds rule, severity, server and tool to what rules find', () => {
    expect(check()).toEqual([
      {
        rule: 'shout',
        code: 'shout/all',
        severity: 'warning',
        server: 'loud',
        tool: 'LOUD',
        pointer: '/tools/0/name',
        message: 'The name is loud.',
      },
      expect.objectContaining({ code: 'shout/some', tool: 'Mixed' }),
    ]);
    const none = checkServer(toSubject('none', []), defaultSettings(now), [shout, empty]);
    expect(none).toEqual([expect.objectContaining({ rule: 'empty', pointer: '/tools' })]);
    expect(none[0]).not.toHaveProperty('tool');
  });

  it('takes the gravest of several profiles, unless one of them turns the rule off', () => {
    expect(withProfiles('spec')).toEqual(['warning', 'warning']);
    expect(withProfiles('spec', 'strict')).toEqual(['error', 'error']);
    expect(withProfiles('strict', 'openai-apps')).toEqual([]);
  });

  it('lets the configuration win over profiles, and a code over its rule', () => {
    const said = (...severities: [string, 'error' | 'warning' | 'info' | 'off'][]) =>
      check({ profiles: ['strict'], severities: new Map(severities) }).map(
        ({ code, severity }) => `${code} ${severity}`,
      );
    expect(said(['shout', 'info'])).toEqual(['shout/all info', 'shout/some info']);
    expect(said(['shout/all', 'off'])).toEqual(['shout/some error']);
    expect(said(['shout', 'off'], ['shout/some', 'info'])).toEqual(['shout/some info']);
    expect(said(['shout', 'off'])).toEqual([]);
  });

  it('makes a finding of a rule that throws, quotes nothing, and goes on', () => {
    const quiet = toSubject('s', [{ name: 'QUIET' }, { name: 'LOUD' }]);
    const found = checkServer(quiet, defaultSettings(now), [broken, shout]);
    expect(found.map(({ rule, severity, tool }) => [rule, severity, tool])).toEqual([
      ['rule-failed', 'error', 'QUIET'],
      ['shout', 'warning', 'QUIET'],
      ['shout', 'warning', 'LOUD'],
    ]);
    expect(found[0]?.message).toBe('The rule broken failed here.');
  });
});

describe('ignores', () => {
  const ignore: Ignore = { rule: 'shout', reason: 'a brand', until: '2026-06-15' };
  const codes = (...ignores: Ignore[]) => check({ ignores }).map(({ code }) => code);

  it('cover a rule, a code, a tool and a server, on their last day, too', () => {
    expect(codes(ignore)).toEqual([]);
    expect(codes({ ...ignore, rule: 'shout/all' })).toEqual(['shout/some']);
    expect(codes({ ...ignore, tool: 'Mix*' })).toEqual(['shout/all']);
    expect(codes({ ...ignore, server: 'other' })).toEqual(['shout/all', 'shout/some']);
  });

  it('are a finding themselves once their day is over, and cover nothing', () => {
    const found = check({ ignores: [{ ...ignore, until: '2026-06-14' }] });
    expect(found.map(({ code, severity }) => [code, severity])).toEqual([
      ['shout/all', 'warning'],
      ['shout/some', 'warning'],
      ['ignore-expired', 'warning'],
    ]);
    expect(found[2]?.message).toContain('2026-06-14');
  });

  it('say nothing about servers that they are not for', () => {
    const late = { ...ignore, until: '2020-01-01' };
    expect(codes({ ...late, server: 'other' })).not.toContain('ignore-expired');
    expect(codes({ ...late, tool: 'absent' })).not.toContain('ignore-expired');
  });
});

describe('a list of 10,000 tools', () => {
  const toMany = (count: number): readonly object[] =>
    Array.from({ length: count }, (_, index) => ({
      name: `${['get', 'delete', 'send', 'create', 'pay'][index % 5]}_thing_${index}`,
      description: `Does something to thing number ${index}, and tells how it went.`,
      inputSchema: {
        type: 'object',
        properties: {
          id: { type: 'string', description: 'Which thing.' },
          amount: { type: 'number', description: 'How much of it.' },
          action: { type: 'string', enum: ['show', 'delete'] },
        },
        required: ['id'],
      },
      annotations: { readOnlyHint: index % 3 === 0 },
    }));

  type Found = ReturnType<typeof checkServer>;

  function measure(count: number): { readonly found: Found; readonly cpu: number } {
    const subject = toSubject('many', toMany(count));
    const before = process.cpuUsage();
    const found = checkServer(subject, defaultSettings(now));
    const { user, system } = process.cpuUsage(before);
    return { found, cpu: user + system };
  }

  it('is checked by every rule, at a cost per tool that does not grow with the list', () => {
    measure(1000); // so that nothing is compiled while it is measured
    const few = measure(1000);
    const many = measure(10_000);
    expect(many.found.length).toBeGreaterThan(1000);
    expect(many.found.filter(({ rule }) => rule === 'rule-failed')).toEqual([]);
    expect(many.cpu / few.cpu).toBeLessThan(10 * 3);
  }, 60_000);
});
