import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HINT_DEFAULTS, HINT_NAMES } from '../../effect/hints.ts';
import { classifyDrift } from './drift.ts';
import type { Drift } from './drift.ts';
import type { PinEntry } from './lock.ts';
import { toPinEntry } from './lock.ts';

interface Case {
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly kind: Drift['kind'];
  readonly codes: readonly string[];
}

const cases = JSON.parse(
  readFileSync(new URL('drift.cases.json', import.meta.url), 'utf8'),
) as readonly Case[];

function pin(tool: unknown): PinEntry {
  const entry = toPinEntry(tool, { by: 'mia', at: new Date(0) });
  if (entry === undefined) throw new Error('the tool of the test is not whole');
  return entry;
}

function codesOf(drift: Drift): readonly string[] {
  return drift.kind === 'same' ? [] : drift.changes.map(({ code }) => code);
}

describe('the decision table', () => {
  it('has a row for each way a tool can drift', () => {
    expect(cases.length).toBeGreaterThanOrEqual(40);
    expect(new Set(cases.map(({ kind }) => kind))).toEqual(
      new Set(['same', 'safer', 'riskier', 'neutral']),
    );
  });

  it.each(cases)('$name: $kind', ({ before, after, kind, codes }) => {
    const drift = classifyDrift(pin(before), after);
    expect({ kind: drift.kind, codes: codesOf(drift) }).toEqual({
      kind,
      codes: expect.arrayContaining([...codes]),
    });
  });
});

/** The sentences of one comparison. */
function textsOf(before: object, after: object): readonly string[] {
  const tool = { name: 'set_note', description: 'Sets a note.', inputSchema: { type: 'object' } };
  const drift = classifyDrift(pin({ ...tool, ...before }), { ...tool, ...after });
  return drift.kind === 'same' ? [] : drift.changes.map(({ text }) => text);
}

describe('what is said of a change', () => {
  const safe = { annotations: { destructiveHint: false } };

  it('tells a hint that was removed from one that now says otherwise', () => {
    expect(textsOf(safe, {})).toContain('destructiveHint: false was removed; the default is true');
    const stated = { annotations: { destructiveHint: true } };
    expect(textsOf(safe, stated)).toContain('destructiveHint went from false to true');
  });

  it('says no hint was removed that was never written', () => {
    const texts = textsOf({ annotations: { readOnlyHint: true } }, {});
    expect(texts).toContain('readOnlyHint: true was removed; the default is false');
    expect(texts).toContain('destructiveHint went from false to true');
  });

  it('names the text that changed, and the parameter that is now required', () => {
    expect(textsOf({}, { description: 'Sets one note.' })).toContain('the description changed');
    const schema = (description: string, required: readonly string[]): object => ({
      inputSchema: { type: 'object', properties: { x: { type: 'string', description } }, required },
    });
    const texts = textsOf(schema('Old', []), schema('New', ['x']));
    expect(texts).toContain('"x" is now required');
    expect(texts).toContain('a description in inputSchema changed');
  });
});

const hints = fc.record(
  Object.fromEntries(HINT_NAMES.map((name) => [name, fc.boolean()])) as Record<
    (typeof HINT_NAMES)[number],
    fc.Arbitrary<boolean>
  >,
  { requiredKeys: [] },
);

function toTool(annotations: object): object {
  return { name: 'touch_note', description: 'Touches a note.', inputSchema: {}, annotations };
}

describe('hints', () => {
  it('absent and default never differ', () => {
    fc.assert(
      fc.property(hints, (said) => {
        const full = toTool({ ...HINT_DEFAULTS, ...said });
        expect(classifyDrift(pin(toTool(said)), full)).toEqual({ kind: 'same' });
        expect(classifyDrift(pin(full), toTool(said))).toEqual({ kind: 'same' });
      }),
    );
  });

  it('one flip is riskier one way and safer the other', () => {
    fc.assert(
      fc.property(hints, fc.constantFrom(...HINT_NAMES), (said, name) => {
        const other = { ...said, [name]: !(said[name] ?? HINT_DEFAULTS[name]) };
        const there = classifyDrift(pin(toTool(said)), toTool(other)).kind;
        const back = classifyDrift(pin(toTool(other)), toTool(said)).kind;
        // These two say nothing of a tool that only reads.
        const isIdle =
          said.readOnlyHint === true && (name === 'destructiveHint' || name === 'idempotentHint');
        expect(new Set([there, back])).toEqual(new Set(isIdle ? ['same'] : ['safer', 'riskier']));
      }),
    );
  });
});

describe('what cannot be compared', () => {
  const tool = { name: 'get_note', description: 'Returns a note.' };

  it('is riskier when the accepted text was not kept', () => {
    const { definitionText: _, ...bare } = pin(tool);
    expect(classifyDrift(bare, tool).kind).toBe('same');
    const drift = classifyDrift(bare, { ...tool, description: 'Gives a note.' });
    expect([drift.kind, codesOf(drift)]).toEqual(['riskier', ['not-comparable']]);
  });

  it('is riskier when the kept text is not the accepted one', () => {
    const forged = { ...pin(tool), definitionText: '{"name":"get_note"}' };
    const drift = classifyDrift(forged, { ...tool, description: 'Gives a note.' });
    expect(codesOf(drift)).toContain('not-comparable');
  });

  it('is riskier when part of the tool is not JSON', () => {
    let deep: unknown = {};
    for (let depth = 0; depth < 5000; depth += 1) deep = { properties: { a: deep } };
    for (const inputSchema of [deep, { a: '\ud800' }, { a: Number.NaN }, { a: new Date() }])
      expect(codesOf(classifyDrift(pin(tool), { ...tool, inputSchema }))).toEqual(['unreadable']);
  });
});

it('never throws, and finds every tool the same as itself', () => {
  let pinned = 0;
  fc.assert(
    fc.property(
      fc.object({
        key: fc.constantFrom(
          'name',
          'title',
          'inputSchema',
          'properties',
          'required',
          'enum',
          '$ref',
          'annotations',
          '_meta',
          '__proto__',
          'x',
        ),
        maxDepth: 5,
      }),
      fc.anything(),
      (tool, other) => {
        const entry = toPinEntry(tool, { by: 'mia', at: new Date(0) });
        if (entry === undefined) return;
        pinned += 1;
        expect(classifyDrift(entry, tool)).toEqual({ kind: 'same' });
        classifyDrift(entry, other);
      },
    ),
  );
  expect(pinned).toBeGreaterThan(20);
});
