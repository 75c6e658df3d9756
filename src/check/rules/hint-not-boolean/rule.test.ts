import { describe, expect, it } from 'vitest';
import { codesOf, goodTool, tryRule } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

describe('hint-not-boolean', () => {
  it.each(['true', 'yes', 1, 0, null, [], {}])('finds %j', (readOnlyHint) => {
    const [draft] = tryRule(rule, [goodTool({ annotations: { readOnlyHint } })]);
    expect(draft?.pointer).toBe('/tools/0/annotations/readOnlyHint');
    expect(draft?.message).toContain('whole list');
  });

  it('finds every one of the four', () => {
    const hint = 'true';
    const annotations = {
      readOnlyHint: hint,
      destructiveHint: hint,
      idempotentHint: hint,
      openWorldHint: hint,
    };
    expect(codesOf(rule, [goodTool({ annotations })])).toHaveLength(4);
  });

  it('offers a fix only where the meaning is plain', () => {
    const fixOf = (readOnlyHint: unknown): unknown =>
      tryRule(rule, [goodTool({ annotations: { readOnlyHint } })])[0]?.fix;
    expect(fixOf('false')).toMatchObject({ kind: 'set', value: false });
    expect(fixOf(null)).toMatchObject({ kind: 'remove' });
    expect(fixOf('no')).toBeUndefined();
    expect(fixOf(1)).toBeUndefined();
  });

  it('offers none that the text contradicts', () => {
    const annotations = { readOnlyHint: 'true' };
    const deletes = goodTool({
      name: 'delete_note',
      description: 'Deletes a note for good.',
      annotations,
    });
    expect(tryRule(rule, [deletes])[0]?.fix).toBeUndefined();
    expect(tryRule(rule, [goodTool({ annotations })])[0]?.fix).toMatchObject({ value: true });
  });

  it('leaves booleans and other members alone', () => {
    const annotations = { readOnlyHint: false, destructiveHint: true, priority: 'high' };
    expect(codesOf(rule, [goodTool({ annotations })])).toEqual([]);
  });
});
