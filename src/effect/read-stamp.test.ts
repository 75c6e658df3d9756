import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deletes } from './acts.ts';
import { HINT_NAMES } from './hints.ts';
import { plimsoll } from './conventions/plimsoll.ts';
import { readStamp } from './read-stamp.ts';
import { stamp } from './stamp.ts';

function codes(tool: unknown): readonly string[] {
  return readStamp(tool).findings.map(({ code }) => code);
}

describe('readStamp', () => {
  it('tells claimed from absent, with what MCP then assumes', () => {
    const { hints, findings } = readStamp({ name: 'x', annotations: { readOnlyHint: true } });
    expect(hints.readOnlyHint).toEqual({ state: 'claimed', value: true });
    expect(hints.destructiveHint).toEqual({ state: 'absent', assumed: true });
    expect(hints.idempotentHint).toEqual({ state: 'absent', assumed: false });
    expect(hints.openWorldHint).toEqual({ state: 'absent', assumed: true });
    expect(findings).toEqual([]);
  });

  it('makes a finding of a hint that is not a boolean', () => {
    const { hints, findings } = readStamp({
      annotations: { readOnlyHint: 'true', idempotentHint: null },
    });
    expect(hints.readOnlyHint).toEqual({ state: 'contradictory', said: 'true' });
    expect(findings).toEqual([
      {
        code: 'hint-not-boolean',
        pointer: '/annotations/readOnlyHint',
        message: 'readOnlyHint is not a boolean',
      },
      {
        code: 'hint-not-boolean',
        pointer: '/annotations/idempotentHint',
        message: 'idempotentHint is not a boolean',
      },
    ]);
  });

  it('R9: relies on neither of read-only and destructive said together', () => {
    const tool = { annotations: { readOnlyHint: true, destructiveHint: true } };
    expect(readStamp(tool).hints.readOnlyHint.state).toBe('contradictory');
    expect(readStamp(tool).hints.destructiveHint.state).toBe('contradictory');
    expect(codes(tool)).toEqual(['read-only-and-destructive']);
  });

  it('weighs the tier against the hint', () => {
    const tool = {
      annotations: { readOnlyHint: true },
      _meta: { 'x-side-effect': 'share_export' },
    };
    expect(readStamp(tool).hints.readOnlyHint.state).toBe('contradictory');
    expect(codes(tool)).toEqual(['tier-against-hint']);
    expect(codes({ _meta: { 'x-side-effect': 'harmless' } })).toEqual(['tier-unknown']);
  });

  it('R30: takes the tool-level title before the one in annotations', () => {
    expect(readStamp({ title: 'A', annotations: { title: 'B' } }).title).toBe('A');
    expect(readStamp({ annotations: { title: 'B' } }).title).toBe('B');
  });

  it('R27 R94: lets a client route on tier and scope without the description', () => {
    const declaration = {
      name: 'n',
      title: 'N',
      effect: deletes('note'),
      scopes: ['notes:write', 'files:read'],
      produces: [],
    };
    const reading = readStamp(
      JSON.parse(JSON.stringify({ name: 'n', ...stamp(declaration, plimsoll) })),
    );
    expect(reading.tier).toEqual({ state: 'claimed', value: 'destructive' });
    expect(reading.scopes).toEqual({ state: 'claimed', value: ['notes:write', 'files:read'] });
  });

  it.each([
    ['tool-not-object', 'text'],
    ['annotations-not-object', { annotations: [] }],
    ['meta-not-object', { _meta: 7 }],
    ['title-not-string', { title: 3 }],
  ])('makes a finding of %s', (code, tool) => {
    expect(codes(tool)).toContain(code);
  });

  it('ignores what is inherited', () => {
    const tool = JSON.parse('{"annotations":{"__proto__":{"readOnlyHint":true}}}') as unknown;
    expect(readStamp(tool).hints.readOnlyHint.state).toBe('absent');
  });

  it('never throws, whatever a server sends, and always answers for each hint', () => {
    const hint = fc.constantFrom(...HINT_NAMES, 'title', 'x-side-effect', 'x-required-scope');
    const part = fc.oneof(fc.jsonValue(), fc.dictionary(hint, fc.jsonValue()));
    const tool = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(fc.constantFrom('name', 'title', 'annotations', '_meta'), part),
    );
    fc.assert(
      fc.property(tool, (value) => {
        const reading = readStamp(value);
        expect(Object.keys(reading.hints)).toEqual([...HINT_NAMES]);
      }),
      { numRuns: 2000 },
    );
  });
});
