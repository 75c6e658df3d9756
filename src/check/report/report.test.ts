/** Every report, of one check with foreign words that try to get out of their place. */
import { describe, expect, it } from 'vitest';
import type { CheckReport } from '../check-server.ts';
import { toExitCode, ENGINE_RULES } from '../check-server.ts';
import type { Finding } from '../rule.ts';
import { toScore } from '../score.ts';
import { describeScore } from './to-text.ts';
import { FORMATS, REPORTS } from './report.ts';

const EVIL = '\u001B[2J]]>&<b>"|`\n::error::x\u202E@all https://evil.example';

const findings: readonly Finding[] = [
  {
    rule: 'ignore-expired',
    code: 'ignore-expired',
    severity: 'info',
    server: 'notes',
    tool: EVIL,
    pointer: '/tools/0/description',
    message: `It says "${EVIL}", 100% of it.`,
  },
  {
    rule: 'rule-failed',
    code: 'rule-failed',
    severity: 'error',
    server: 'notes',
    tool: 'delete_note',
    pointer: '/tools/1/annotations/readOnlyHint',
    message: 'It removes, and says that it only reads.',
    fix: { kind: 'set', pointer: '/tools/1/annotations/readOnlyHint', value: false },
  },
  {
    rule: 'rule-failed',
    code: 'rule-failed',
    severity: 'warning',
    server: 'notes',
    pointer: '',
    message: 'The list is long.',
  },
];

const report: CheckReport = {
  version: '1.2.3',
  profiles: ['spec'],
  failOn: 'error',
  rules: ENGINE_RULES,
  failures: [],
  servers: [
    {
      name: 'notes',
      tools: 3,
      findings,
      score: toScore(findings, 3),
      file: { path: 'saved/a b,c.json', lineOf: (pointer) => pointer.length },
    },
    { name: 'clean', tools: 1, findings: [], score: toScore([], 1) },
  ],
};
const failed: CheckReport = { ...report, failures: [{ name: 'gone', detail: `no ${EVIL}` }] };

const PLAIN = { colours: false };

function unseen(text: string): readonly string[] {
  return text.match(/[\p{C}--\n]/gv) ?? [];
}

describe.each(FORMATS)('%s', (format) => {
  it('tells every finding and every failure, with nothing unseen in it', () => {
    const text = REPORTS[format](failed, PLAIN);
    for (const words of ['It removes, and says', 'The list is long', 'rule-failed', 'gone'])
      expect(text).toContain(words);
    expect(text).toContain('73');
    // As data, JSON is what was found; its own escapes keep a terminal safe.
    expect(format === 'json' || format === 'sarif' ? [] : unseen(text)).toEqual([]);
    expect(text).not.toContain('\u001B');
  });
});

describe('text', () => {
  it('groups by tool, the gravest first, with the fix and the score', () => {
    const text = REPORTS.text(report, PLAIN);
    const places = ['tool delete_note', 'the server as a whole', 'tool \u27E8U+001B\u27E9'].map(
      (words) => text.indexOf(words),
    );
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(text).toContain('fix: set /tools/1/annotations/readOnlyHint to false');
    expect(text).toContain('Score 73 of 100 (73.3, rounded down). Points lost: 25 by rule-failed');
    expect(text).toMatch(/2 servers, 4 tools: 1 error, 1 warning, 1 for information/);
  });

  it('says that a score was rounded down, so that it agrees with the points lost', () => {
    const deductions = [{ rule: 'rule-failed', severity: 'info' as const, tools: 1, points: 4.3 }];
    expect(describeScore({ points: 95, deductions })).toBe(
      'Score 95 of 100 (95.7, rounded down). Points lost: 4.3 by rule-failed (1 tool).',
    );
  });

  it('tells the same finding of several tools once, and counts each', () => {
    const same = ['a', 'b', 'c'].map((tool, at): Finding => ({
      rule: 'rule-failed',
      code: 'rule-failed',
      severity: 'error',
      server: 'notes',
      tool,
      pointer: `/tools/${at}/title`,
      message: 'It has no title.',
      fix: { kind: 'set', pointer: `/tools/${at}/title`, value: 'T' },
    }));
    const [first] = report.servers;
    if (first === undefined) throw new Error('there is none');
    const servers = [{ ...first, findings: [...same, ...findings] }];
    const text = REPORTS.text({ ...report, servers }, PLAIN);
    expect(text.split('It has no title.')).toHaveLength(2);
    expect(text).toContain('on 3 tools: a, b, c');
    expect(text).toContain('fix: set /title to "T"');
    expect(text).toContain('notes: 3 tools, 6 findings');
    expect(text).toContain('tool delete_note');
  });

  it('colours its own words only, and only when told to', () => {
    const text = REPORTS.text(report, { colours: true });
    expect(text).toContain('\u001B[31merror  \u001B[0m');
    expect(text).not.toContain('\u001B[2J');
  });

  it('begins no line with a word of the server', () => {
    const lines = REPORTS.text(failed, PLAIN).split('\n');
    expect(lines.filter((line) => line.trimStart().startsWith('::'))).toEqual([]);
  });
});

describe('json', () => {
  it('is the findings as they are', () => {
    const { servers, counts } = JSON.parse(REPORTS.json(report, PLAIN)) as {
      servers: { findings: unknown; file?: string; score: { points: number } }[];
      counts: unknown;
    };
    expect(servers[0]?.findings).toEqual(findings);
    expect(servers[0]?.file).toBe('saved/a b,c.json');
    expect(servers[1]?.score).toEqual({ points: 100, deductions: [] });
    expect(counts).toEqual({ error: 1, warning: 1, info: 1 });
  });
});

interface SarifLog {
  readonly $schema: string;
  readonly version: string;
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly name: string; readonly rules: Descriptor[] } };
    readonly invocations: readonly { readonly executionSuccessful: boolean }[];
    readonly results: readonly SarifResult[];
  }[];
}

interface Descriptor {
  readonly id: string;
  readonly shortDescription: { readonly text: string };
  readonly help: { readonly text: string };
  readonly defaultConfiguration: { readonly level: string };
}

interface SarifResult {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly message: { readonly text: string };
  readonly locations: readonly {
    readonly physicalLocation?: {
      readonly artifactLocation: { readonly uri: string; readonly uriBaseId?: string };
      readonly region: { readonly startLine: number };
    };
    readonly logicalLocations: readonly { readonly fullyQualifiedName: string }[];
  }[];
  readonly partialFingerprints: Readonly<Record<string, string>>;
  readonly properties: { readonly pointer: string };
}

describe('sarif', () => {
  const log = JSON.parse(REPORTS.sarif(report, PLAIN)) as SarifLog;
  const [run] = log.runs;

  it('has what the schema of 2.1.0 requires of a log, a run, a rule and a result', () => {
    expect(log.version).toBe('2.1.0');
    expect(log.$schema).toMatch(/sarif.*2\.1\.0/);
    expect(run?.tool.driver.name).toBe('Plimsoll');
    expect(run?.invocations[0]?.executionSuccessful).toBe(true);
    for (const rule of run?.tool.driver.rules ?? []) {
      expect(rule.id).toMatch(/^[a-z-]+$/);
      expect(rule.shortDescription.text).not.toBe('');
      expect(rule.help.text).not.toBe('');
      expect(['error', 'warning', 'note']).toContain(rule.defaultConfiguration.level);
    }
    for (const result of run?.results ?? []) {
      expect(run?.tool.driver.rules[result.ruleIndex]?.id).toBe(result.ruleId);
      expect(['error', 'warning', 'note']).toContain(result.level);
      expect(result.message.text).not.toBe('');
      expect(result.locations).toHaveLength(1);
    }
    expect(run?.results.map(({ level }) => level)).toEqual(['note', 'error', 'warning']);
  });

  it('says where: the file and line, and the pointer into the list', () => {
    const [, result] = run?.results ?? [];
    expect(result?.locations[0]?.physicalLocation).toEqual({
      artifactLocation: { uri: 'saved/a%20b%2Cc.json', uriBaseId: '%SRCROOT%' },
      region: { startLine: '/tools/1/annotations/readOnlyHint'.length },
    });
    expect(result?.locations[0]?.logicalLocations[0]).toEqual({
      name: 'delete_note',
      fullyQualifiedName: 'notes#/tools/1/annotations/readOnlyHint',
      kind: 'object',
    });
    expect(result?.properties.pointer).toBe('/tools/1/annotations/readOnlyHint');
  });

  it('knows a finding again when its tool has moved in the list', () => {
    const moved = findings.map((finding) => ({
      ...finding,
      pointer: finding.pointer.replace('/tools/1', '/tools/9'),
    }));
    const [server] = report.servers;
    if (server === undefined) throw new Error('there is a server');
    const other = { ...report, servers: [{ ...server, findings: moved }] };
    const after = JSON.parse(REPORTS.sarif(other, PLAIN)) as SarifLog;
    const prints = (some: SarifLog) =>
      some.runs[0]?.results.map(({ partialFingerprints }) => partialFingerprints['plimsoll/v1']);
    expect(prints(after)).toEqual(prints(log));
    expect(new Set(prints(log)).size).toBe(3);
  });

  it('says that a run with a failure was none', () => {
    const text = REPORTS.sarif(failed, PLAIN);
    expect((JSON.parse(text) as SarifLog).runs[0]?.invocations[0]?.executionSuccessful).toBe(false);
  });
});

describe('junit', () => {
  it('fails the cases that fail the check, and counts them', () => {
    const text = REPORTS.junit(failed, PLAIN);
    expect(text).toContain('<testsuites name="plimsoll check" tests="5" failures="1" errors="1">');
    expect(text.match(/<failure /g)).toHaveLength(1);
    expect(text.match(/<error /g)).toHaveLength(1);
    expect(text.match(/<testcase /g)).toHaveLength(5);
    const strict = REPORTS.junit({ ...report, failOn: 'warning' }, PLAIN);
    expect(strict.match(/<failure /g)).toHaveLength(2);
  });

  it('lets no word of the server end an element', () => {
    const text = REPORTS.junit(report, PLAIN);
    expect(text).not.toContain('<b>');
    const open: string[] = [];
    const crossed: string[] = [];
    for (const [, closing, name = '', own] of text.matchAll(/<(\/?)([\w-]+)[^>]*?(\/?)>/g)) {
      if (closing === '/' && open.pop() !== name) crossed.push(name);
      if (closing === '' && own === '') open.push(name);
    }
    expect(crossed).toEqual([]);
    expect(open).toEqual([]);
  });
});

describe('markdown', () => {
  it('keeps foreign words in their cell, without markup, mention or link', () => {
    const text = REPORTS.markdown(report, PLAIN);
    const rows = text.split('\n').filter((line) => line.startsWith('| '));
    expect(rows).toHaveLength(5);
    for (const row of rows.slice(2)) expect(row.match(/\|/g)).toHaveLength(6);
    for (const words of ['<b>', '@all', '://', '`']) expect(text).not.toContain(words);
  });
});

describe('github', () => {
  const lines = REPORTS.github(failed, PLAIN).trimEnd().split('\n');

  it('is one command a finding, with file and line', () => {
    const commands = lines.filter((line) => line.startsWith('::'));
    expect(commands.map((line) => /^::(\w+) /.exec(line)?.[1])).toEqual([
      'error',
      'error',
      'warning',
      'notice',
    ]);
    expect(commands[1]).toContain(
      'file=saved/a b%2Cc.json,line=33,title=delete_note%3A rule-failed::',
    );
  });

  it('lets no word of the server begin a command or end one early', () => {
    expect(lines.filter((line) => line.startsWith('::error::'))).toEqual([]);
    expect(lines.find((line) => line.startsWith('::notice'))).toContain('100%25 of it');
  });
});

describe('toExitCode', () => {
  it('is 1 from the threshold on, and 2 when something could not be checked', () => {
    expect(toExitCode(report)).toBe(1);
    expect(toExitCode(failed)).toBe(2);
    const mild = { ...report, servers: report.servers.slice(1) };
    expect(toExitCode({ ...mild, failOn: 'info' })).toBe(0);
    const warned = report.servers.map((server) => ({
      ...server,
      findings: server.findings.filter(({ severity }) => severity !== 'error'),
    }));
    expect(toExitCode({ ...report, servers: warned })).toBe(0);
    expect(toExitCode({ ...report, servers: warned, failOn: 'warning' })).toBe(1);
  });
});

describe('priorities', () => {
  const of = (tool: string, severity: Finding['severity']): Finding => ({
    rule: 'rule-failed',
    code: 'rule-failed',
    severity,
    server: 'notes',
    tool,
    pointer: '',
    message: 'Something is missing.',
  });
  const some = [of('news_list', 'error'), of('login', 'info'), of('notes_get', 'warning')];
  const ordered: CheckReport = {
    ...report,
    servers: [{ name: 'notes', tools: 3, findings: some, score: toScore(some, 3) }],
    priorities: [
      { name: 'critical', tools: ['login'] },
      { name: 'high', tools: ['notes_*', 'log*'] },
    ],
  };

  it('order the tools before graveness does, with a heading for each group', () => {
    const text = REPORTS.text(ordered, { colours: false });
    const heads = text.match(/^ {2}(?:tool \w+|priority: \w+|without a priority)$/gm);
    expect(heads).toEqual([
      '  priority: critical',
      '  tool login',
      '  priority: high',
      '  tool notes_get',
      '  without a priority',
      '  tool news_list',
    ]);
  });

  it('order the other reports that go by tool, too', () => {
    for (const format of ['markdown', 'github'] as const) {
      const text = REPORTS[format](ordered, { colours: false });
      const places = ['login', 'notes', 'news'].map((word) => text.lastIndexOf(word));
      expect(text.indexOf('login')).toBeLessThan(text.indexOf('news'));
      expect(places.every((place) => place > 0)).toBe(true);
    }
  });
});
