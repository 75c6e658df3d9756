import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Finding, Severity } from './rule.ts';
import { toScore } from './score.ts';

function find(rule: string, severity: Severity, index?: number): Finding {
  const about = index === undefined ? {} : { tool: `t${index}` };
  const pointer = index === undefined ? '' : `/tools/${index}/name`;
  return { rule, code: rule, severity, server: 's', pointer, message: 'm.', ...about };
}

describe('toScore', () => {
  it('is 100 without a finding, and never with one', () => {
    expect(toScore([], 7)).toEqual({ points: 100, deductions: [] });
    expect(toScore([find('a', 'info', 1)], 10_000).points).toBe(99);
  });

  it("takes a part of a tool's share for each rule, once", () => {
    const twice = [find('a', 'warning', 0), find('a', 'warning', 0), find('a', 'warning', 1)];
    expect(toScore(twice, 4)).toEqual({
      points: 87,
      deductions: [{ rule: 'a', severity: 'warning', tools: 2, points: 12.5 }],
    });
  });

  it('takes no more from a tool than its share', () => {
    const all = ['a', 'b', 'c', 'd', 'e', 'f'].map((rule) => find(rule, 'warning', 0));
    expect(toScore(all, 2).points).toBe(50);
  });

  it('takes whole points for what is about the server', () => {
    expect(toScore([find('a', 'warning'), find('b', 'info')], 50).points).toBe(94);
  });

  it('lets no number of good tools hide an error', () => {
    const { points, deductions } = toScore([find('a', 'error', 3)], 100);
    expect(points).toBe(79);
    expect(deductions).toEqual([
      { rule: 'cap', severity: 'error', tools: 0, points: 20.4 },
      { rule: 'a', severity: 'error', tools: 1, points: 0.6 },
    ]);
  });

  it('stays between 0 and 100, and what was taken off explains it', () => {
    const finding = fc.record({
      rule: fc.constantFrom('a', 'b', 'c'),
      severity: fc.constantFrom<Severity>('error', 'warning', 'info'),
      index: fc.option(fc.nat(5), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(finding), (all) => {
        const findings = all.map(({ rule, severity, index }) => find(rule, severity, index));
        const { points, deductions } = toScore(findings, 6);
        const taken = deductions.reduce((sum, one) => sum + one.points, 0);
        expect(points).toBeGreaterThanOrEqual(0);
        expect(points).toBeLessThanOrEqual(findings.length === 0 ? 100 : 99);
        expect(Math.abs(Math.max(0, 100 - taken) - points)).toBeLessThan(1.5);
      }),
    );
  });
});
