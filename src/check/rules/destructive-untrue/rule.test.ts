import { describe, expect, it } from 'vitest';
import { codesOf, goodTool, tryRule } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

const claiming = (name: string, more: Readonly<Record<string, unknown>> = {}): unknown =>
  goodTool({
    name,
    title: undefined,
    description: undefined,
    annotations: { destructiveHint: false },
    ...more,
  });
const taking = (...names: readonly string[]): Readonly<Record<string, unknown>> => ({
  inputSchema: { type: 'object', properties: Object.fromEntries(names.map((n) => [n, {}])) },
});

describe('destructive-untrue', () => {
  it.each([
    ['wipe_all', {}, 'destructive-untrue'],
    ['delete_note', {}, 'destructive-untrue'],
  ])('finds %s for sure, with the fix', (name, more, code) => {
    const [draft] = tryRule(rule, [claiming(name, more)]);
    const pointer = '/tools/0/annotations/destructiveHint';
    expect(draft).toMatchObject({ code, pointer, fix: { kind: 'set', pointer, value: true } });
    expect(draft?.severity).toBeUndefined();
  });

  it.each([
    ['revoke_token', {}, 'destructive-untrue'],
    ['write_file', taking('path', 'content'), 'destructive-untrue'],
    ['refund_order', {}, 'destructive-untrue/money'],
    ['charge_card', taking('amount'), 'destructive-untrue/money'],
    ['evaluate', taking('code'), 'destructive-untrue/code'],
  ])('warns that %s may destroy something', (name, more, code) => {
    const [draft] = tryRule(rule, [claiming(name, more)]);
    expect(draft).toMatchObject({ code, severity: 'warning' });
    expect(draft?.message).toContain('may');
    expect(draft?.fix).toBeUndefined();
  });

  it('only warns where the description begins with a read', () => {
    const description = 'Lists what would be deleted.';
    const [draft] = tryRule(rule, [claiming('delete_note', { description })]);
    expect(draft?.severity).toBe('warning');
  });

  it('counts a mode that destroys', () => {
    expect(codesOf(rule, [claiming('save_note', taking('overwrite'))])).toHaveLength(1);
  });

  it.each([
    ['create_note', {}],
    ['get_note', {}],
    ['send_email', {}],
    ['disable_rule', {}],
    ['stop_trace', {}],
    ['push_files', taking('branch', 'files')],
    ['add_payment_method', {}],
    ['frobnicate', {}],
  ])('leaves %s alone', (name, more) => {
    expect(codesOf(rule, [claiming(name, more)])).toEqual([]);
  });

  it('takes a tier in _meta for mark enough of money, and of nothing else', () => {
    const spend = { _meta: { 'x-side-effect': 'external_spend' } };
    expect(codesOf(rule, [claiming('charge_card', spend)])).toEqual([]);
    expect(codesOf(rule, [claiming('delete_note', spend)])).toHaveLength(1);
  });

  it('finds nothing where true is said, or nothing', () => {
    const saying = (annotations: unknown): unknown => claiming('wipe_all', { annotations });
    expect(codesOf(rule, [saying({ destructiveHint: true }), saying(undefined)])).toEqual([]);
  });
});
