import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../lib/json-value.ts';
import type { Finding, Fix } from './rule.ts';
import { applyFixes } from './apply-fixes.ts';

function apply(file: JsonValue, path: readonly string[], ...fixes: readonly Fix[]) {
  const findings = fixes.map((fix): Finding => ({
    rule: 'r',
    code: 'r',
    severity: 'info',
    server: 's',
    pointer: fix.pointer,
    message: 'm.',
    fix,
  }));
  return applyFixes(file, path, findings);
}

const set = (pointer: string, value: JsonValue): Fix => ({ kind: 'set', pointer, value });
const remove = (pointer: string): Fix => ({ kind: 'remove', pointer });

describe('applyFixes', () => {
  it('sets and removes members, makes what is missing on the way, and leaves the original', () => {
    const file = {
      tools: [
        { name: 'a', x: 1 },
        { name: 'b', title: null },
      ],
    };
    const { value, applied, left } = apply(
      file,
      ['tools'],
      set('/tools/0/annotations/readOnlyHint', true),
      remove('/tools/1/title'),
    );
    expect(value).toEqual({
      tools: [{ name: 'a', x: 1, annotations: { readOnlyHint: true } }, { name: 'b' }],
    });
    expect([applied.length, left.length]).toEqual([2, 0]);
    expect(file.tools[1]).toHaveProperty('title');
  });

  it('finds the tools wherever the file has them', () => {
    expect(apply([{ name: 'a' }], [], set('/tools/0/title', 'A')).value).toEqual([
      { name: 'a', title: 'A' },
    ]);
    const answer = { id: 1, result: { tools: [{ name: 'a' }] } };
    expect(apply(answer, ['result', 'tools'], set('/tools/0/title', 'A')).value).toEqual({
      id: 1,
      result: { tools: [{ name: 'a', title: 'A' }] },
    });
  });

  it('never makes a tool claim to be read-only and destructive', () => {
    const annotations = { readOnlyHint: 'true', destructiveHint: true };
    const file = { tools: [{ name: 'a', annotations }] };
    const fixes = [set('/tools/0/annotations/readOnlyHint', true), set('/tools/0/title', 'A')];
    const { value, applied, left } = apply(file, ['tools'], ...fixes);
    expect(value).toEqual({ tools: [{ name: 'a', annotations, title: 'A' }] });
    expect([applied, left]).toEqual([fixes.slice(1), fixes.slice(0, 1)]);
    const both = apply(
      { tools: [{ name: 'a' }] },
      ['tools'],
      set('/tools/0/annotations/readOnlyHint', true),
      set('/tools/0/annotations/destructiveHint', true),
    );
    expect([both.applied.length, both.left.length]).toEqual([0, 2]);
  });

  it('takes equal wishes once, and leaves those that differ', () => {
    const file = { tools: [{ name: 'a' }] };
    const same = apply(file, ['tools'], set('/tools/0/b', [1]), set('/tools/0/b', [1]));
    expect(same.applied).toHaveLength(1);
    const differing = apply(file, ['tools'], set('/tools/0/b', true), remove('/tools/0/b'));
    expect(differing).toEqual({ value: file, applied: [], left: expect.any(Array) });
    expect(differing.left).toHaveLength(2);
  });

  it('leaves what has no place', () => {
    const file = { tools: [{ name: 'a', annotations: 'no' }, null] };
    const { value, applied, left } = apply(
      file,
      ['tools'],
      set('/tools/0/annotations/readOnlyHint', true),
      set('/tools/1/title', 'x'),
      set('/tools/7/title', 'x'),
      set('/tools/0', {}),
      set('/tools', []),
      set('', []),
      remove('/tools/0/title'),
    );
    expect(value).toEqual(file);
    expect([applied.length, left.length]).toEqual([0, 7]);
  });

  it('gives __proto__ no meaning of its own', () => {
    const { value } = apply([{}], [], set('/tools/0/__proto__/polluted', true));
    expect(JSON.stringify(value)).toBe('[{"__proto__":{"polluted":true}}]');
    expect({}).not.toHaveProperty('polluted');
  });
});
