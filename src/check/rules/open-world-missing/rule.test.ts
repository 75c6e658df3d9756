import { describe, expect, it } from 'vitest';
import { codesOf, goodTool, tryRule } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

describe('open-world-missing', () => {
  it('finds the unset hint on reads and writes', () => {
    const tools = [true, false].map((readOnlyHint) => goodTool({ annotations: { readOnlyHint } }));
    expect(codesOf(rule, tools)).toEqual(['open-world-missing', 'open-world-missing']);
    expect(tryRule(rule, tools)[0]?.message).toMatch(/Codex asks.*VS Code/);
  });

  it('offers no value: vendors disagree on what is open', () => {
    expect(tryRule(rule, [goodTool({ annotations: { readOnlyHint: true } })])[0]?.fix).toBe(
      undefined,
    );
  });

  it('is silent where it is said and where nothing is', () => {
    const tools = [undefined, {}, { openWorldHint: true }].map((annotations) =>
      goodTool({ annotations }),
    );
    expect(codesOf(rule, [goodTool(), ...tools])).toEqual([]);
  });
});
