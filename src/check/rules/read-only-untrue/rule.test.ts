import { describe, expect, it } from 'vitest';
import { codesOf, goodTool, tryRule } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

const claiming = (name: string, more: Readonly<Record<string, unknown>> = {}): unknown =>
  goodTool({
    name,
    title: undefined,
    description: undefined,
    annotations: { readOnlyHint: true },
    ...more,
  });

describe('read-only-untrue', () => {
  it.each(['delete_note', 'update_note', 'create_note', 'send_email', 'charge_card', 'setTitle'])(
    'finds %s',
    (name) => {
      expect(codesOf(rule, [claiming(name)])).toEqual(['read-only-untrue']);
    },
  );

  it('tells why and how to fix it', () => {
    const [draft] = tryRule(rule, [claiming('delete_note')]);
    const pointer = '/tools/0/annotations/readOnlyHint';
    expect(draft).toMatchObject({ pointer, fix: { kind: 'set', pointer, value: false } });
    expect(draft?.message).toMatch(/the inferred tier is destructive: "delete" in the name/);
  });

  it.each([
    ['notes', { description: 'Deletes every note for good.' }],
    ['update_note', { description: 'Gets a note and its updates.' }],
    ['sync_notes', {}],
  ])('only warns of %s, which may change something', (name, more) => {
    const [draft] = tryRule(rule, [claiming(name, more)]);
    expect(draft).toMatchObject({ severity: 'warning' });
    expect(draft?.message).toContain('it may change something');
    expect(draft?.fix).toBeUndefined();
  });

  it('finds it also where destructiveHint speaks against it', () => {
    const annotations = { readOnlyHint: true, destructiveHint: true };
    expect(codesOf(rule, [claiming('update_note', { annotations })])).toHaveLength(1);
  });

  it('goes by the description where the name tells nothing', () => {
    const description = 'Deletes every note for good.';
    expect(codesOf(rule, [claiming('notes', { description })])).toHaveLength(1);
  });

  it.each([
    'get_note',
    'search_web',
    'list_orders',
    'run_audit',
    'generate_types',
    'open_node',
    'generate_link',
    'frobnicate',
  ])('leaves %s alone', (name) => {
    expect(codesOf(rule, [claiming(name)])).toEqual([]);
  });

  it('leaves arithmetic alone', () => {
    const inputSchema = { type: 'object', properties: { a: { type: 'number' }, b: {} } };
    expect(codesOf(rule, [claiming('add', { inputSchema })])).toEqual([]);
    expect(codesOf(rule, [claiming('add')])).toHaveLength(1);
  });

  it('finds nothing where nothing is claimed', () => {
    const annotations = { readOnlyHint: false };
    expect(codesOf(rule, [claiming('delete_note', { annotations })])).toEqual([]);
    expect(codesOf(rule, [claiming('delete_note', { annotations: {} })])).toEqual([]);
  });
});
