import { describe, expect, it } from 'vitest';
import { codesOf, goodTool, tryRule } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

const describing = (description: string): unknown => goodTool({ description });

describe('hidden-characters', () => {
  it.each([
    ['safe\u{202E}elet', 'bidi', 'U+202E'],
    ['note\u{E0041}\u{E0042}', 'tag', 'U+E0041 U+E0042'],
    ['note\u{1B}[2J', 'control', 'U+001B'],
    ['no\u{200B}te', 'invisible', 'U+200B'],
    ['note\u{3164}', 'invisible', 'U+3164'],
    ['a\u{FE00}b', 'invisible', 'U+FE00'],
  ])('finds them in %j', (description, code, points) => {
    const drafts = tryRule(rule, [describing(description)]);
    expect(drafts).toMatchObject([
      { code: `hidden-characters/${code}`, pointer: '/tools/0/description' },
    ]);
    expect(drafts[0]?.message).toContain(points);
  });

  it('looks into names, offered values and defaults', () => {
    const inputSchema = {
      type: 'object',
      properties: {
        'a\u{200D}b': { type: 'string' },
        kind: { enum: ['x\u{200B}'], default: 'y\u{2060}' },
      },
    };
    const drafts = tryRule(rule, [
      goodTool({ name: 'get\u{AD}note', title: 'n\u{200E}', inputSchema }),
    ]);
    expect(drafts.map(({ pointer }) => pointer)).toEqual([
      '/tools/0/name',
      '/tools/0/title',
      '/tools/0/inputSchema/properties/a\u{200D}b',
      '/tools/0/inputSchema/properties/kind/enum/0',
      '/tools/0/inputSchema/properties/kind/default',
    ]);
  });

  it('lets a line end stand in prose and not in a name', () => {
    expect(codesOf(rule, [describing('One.\n\tTwo.\r\n')])).toEqual([]);
    expect(codesOf(rule, [goodTool({ name: 'get\nnote' })])).toEqual(['hidden-characters/control']);
  });

  it.each([
    'Done \u{2714}\u{FE0F} and 1\u{FE0F}\u{20E3}',
    'Family \u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}',
    'Pride \u{1F3F3}\u{FE0F}\u{200D}\u{1F308}',
    'Scotland \u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}',
    '\u{0645}\u{06CC}\u{200C}\u{062E}\u{0648}\u{0627}\u{0647}\u{0645}',
    '\u{05E9}\u{05DC}\u{05D5}\u{05DD}\u{200F} (note)',
    'Stra\u{DF}e, \u{8D8A}\u{5357}, 5\u{A0}km',
  ])('leaves alone what belongs to a sign: %s', (description) => {
    expect(codesOf(rule, [describing(description)])).toEqual([]);
  });
});
