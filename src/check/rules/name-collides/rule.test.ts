import { describe, expect, it } from 'vitest';
import { codesOf, tryRule } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

const neighbours = [
  { name: 'mail', tools: ['send_email', 'search'] },
  { name: 'web', tools: ['search', '', '---'] },
];
const of = (name: string): readonly string[] => codesOf(rule, [{ name }], { neighbours });

describe('name-collides', () => {
  it('finds the very name and tells whose it is', () => {
    const [draft] = tryRule(rule, [{ name: 'search' }], { neighbours });
    expect(draft).toMatchObject({ code: 'name-collides', tool: 'search' });
    expect(draft?.message).toContain('"mail" and "web"');
  });

  it.each([
    'sendEmail',
    'send-email',
    'Send_Email',
    'send.email',
    'ｓend_email',
    'send_\u200Bemail',
  ])('finds %j, which is easily confused with send_email', (name) => {
    expect(of(name)).toEqual(['name-collides/confusable']);
  });

  it('finds letters of other scripts, with or without a neighbour', () => {
    expect(of('sеnd_email')).toEqual(['name-collides/confusable', 'name-collides/mixed-scripts']);
    expect(codesOf(rule, [{ name: 'pаy' }])).toEqual(['name-collides/mixed-scripts']);
  });

  it('leaves other names, whole foreign words and nameless tools alone', () => {
    expect(of('send_mail')).toEqual([]);
    expect(of('search_notes')).toEqual([]);
    expect(of('поиск')).toEqual([]);
    expect(of('')).toEqual([]);
    expect(of('___')).toEqual([]);
  });
});
