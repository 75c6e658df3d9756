import { describe, expect, it } from 'vitest';
import { toTestBinding, toTestCardInit } from '../../../test/gate/approval-fixture.ts';
import type { CardInit } from './card.ts';
import { digestCard, isCardOf, toCard } from './card.ts';
import { cardToText } from './card-text.ts';
import { digestArguments } from './binding.ts';

function linesOf(argumentsText: string): readonly (readonly [string, string])[] {
  const { arguments: lines } = toCard(toTestCardInit({ argumentsText }));
  return lines.map(({ pointer, value }) => [pointer, value]);
}

function nest(depth: number): unknown {
  return depth === 0 ? 1 : { a: nest(depth - 1) };
}

function textOf(changes: Partial<CardInit>): string {
  return cardToText(toCard(toTestCardInit(changes)));
}

describe('the arguments on a card', () => {
  it('stand one a line, by their pointers, in the order they are sent', () => {
    const text = '{"b":[1,{"x/y~":null}],"a":"é\\n\\"q\\"","empty":{},"none":[],"t":true}';
    expect(linesOf(text)).toEqual([
      ['/b/0', '1'],
      ['/b/1/x~1y~0', 'null'],
      ['/a', '"é\\n\\"q\\""'],
      ['/empty', '{}'],
      ['/none', '[]'],
      ['/t', 'true'],
    ]);
  });

  it('are shown as the server will read them, whatever escapes they came in', () => {
    expect(linesOf(String.raw`{"\u0074o":"\u202eecila\u200b"}`)).toEqual([
      ['/to', '"⟨U+202E⟩ecila⟨U+200B⟩"'],
    ]);
  });

  it('have visible keys too', () => {
    expect(linesOf('{"a\u200b":1}')).toEqual([['/a⟨U+200B⟩', '1']]);
  });

  it('are shown whole, however long', () => {
    const note = `BEGIN${'👍'.repeat(2000)}MIDDLE${'x'.repeat(9000)}END`;
    expect(linesOf(JSON.stringify({ note, to: 'mallory' }))).toEqual([
      ['/note', `"${note}"`],
      ['/to', '"mallory"'],
    ]);
  });

  it('are shown one by one, however deep one of them is', () => {
    const lines = linesOf(JSON.stringify({ deep: nest(100), to: 'mallory' }));
    expect(lines).toEqual([
      [`/deep${'/a'.repeat(100)}`, '1'],
      ['/to', '"mallory"'],
    ]);
  });

  it('that two readers can read in two ways are shown as they are, with a warning', () => {
    const card = toCard(toTestCardInit({ argumentsText: '{"to":"a","to":"b\u0007"}' }));
    expect(card.arguments).toEqual([{ pointer: '', value: '{"to":"a","to":"b⟨U+0007⟩"}' }]);
    expect(card.warnings).toHaveLength(1);
    expect(card.channels).toEqual([]);
  });

  it('may be none', () => {
    expect(linesOf('')).toEqual([]);
    expect(textOf({ argumentsText: '' })).toContain('No arguments.');
  });
});

describe('a card', () => {
  it('warns of words that mix alphabets, in names and in arguments', () => {
    const { warnings } = toCard(
      toTestCardInit({ tool: 'dеlete', argumentsText: '{"to":"раypal"}' }),
    );
    expect(warnings).toEqual([
      'A word mixes letters that look alike: d⟨U+0435⟩lete',
      'A word mixes letters that look alike: ⟨U+0440⟩⟨U+0430⟩ypal',
    ]);
  });

  it('bounds warnings and the title, which a server or a caller could make long', () => {
    const words = Array.from({ length: 30 }, (_, n) => `раy${n}`).join(' ');
    const argumentsText = JSON.stringify({ note: words });
    const card = toCard(toTestCardInit({ title: 'x'.repeat(9000), argumentsText }));
    expect(card.warnings).toHaveLength(11);
    expect(card.warnings.at(-1)).toBe('And 20 more words like these.');
    expect(card.title?.length).toBeLessThan(300);
  });

  it.each([
    [100, ['elicitation', 'console', 'terminal', 'webhook']],
    [10_000, ['console', 'terminal', 'webhook']],
    [40_000, ['console', 'webhook']],
    [300_000, ['console']],
    [1_100_000, []],
  ])('with %i characters can be answered where all of them are shown', (length, channels) => {
    const argumentsText = JSON.stringify({ note: 'x'.repeat(length) });
    expect(toCard(toTestCardInit({ argumentsText })).channels).toEqual(channels);
  });

  it('can be answered only where the policy says', () => {
    expect(toCard(toTestCardInit({ channels: ['console'] })).channels).toEqual(['console']);
  });

  it('has another digest whenever anything on it is another', () => {
    const changes: readonly Partial<CardInit>[] = [
      {},
      { server: 'shop2' },
      { tool: 'place_orders' },
      { title: 'Place orders' },
      { tier: 'destructive' },
      { why: 'It moves much money.' },
      { reasons: [] },
      { price: { amount: '12.51', unit: 'EUR', from: 'estimate_order' } },
      { argumentsText: '{"to":"alice","amount":12.50}' },
      { principal: 'agent2' },
      { session: 's2' },
      { mode: 'sandbox' },
      { scopes: ['call'] },
      { grantMinutes: 5 },
      { channels: ['console'] },
    ];
    const digests = changes.map((each) => digestCard(toCard(toTestCardInit(each))));
    expect(new Set(digests).size).toBe(changes.length);
    expect(digestCard(toCard(toTestCardInit()))).toBe(digests[0]);
  });

  it('is of one call only', () => {
    const card = toCard(toTestCardInit());
    expect(isCardOf(card, toTestBinding())).toBe(true);
    const other = digestArguments(Buffer.from('{"to":"mallory","amount":12.5}'));
    expect(isCardOf(card, toTestBinding({ arguments: other }))).toBe(false);
    expect(isCardOf(card, toTestBinding({ tool: 'cancel_order' }))).toBe(false);
    expect(isCardOf(card, toTestBinding({ principal: 'other' }))).toBe(false);
  });
});

describe('a card as text', () => {
  it('R128: shows the price, and which operation told it', () => {
    expect(textOf({})).toContain('price   12.50 EUR, says estimate_order');
  });

  it('shows server, tool, tier, mode, caller, the reason, arguments and scopes', () => {
    const text = textOf({});
    for (const part of [
      'shop',
      'place_order',
      '"Place an order", says the server',
      'external_spend: Moves money or credits.',
      'live',
      'agent, session s1',
      'It moves money.',
      'The name says "order".',
      '    /to = "alice"\n    /amount = 12.5\n',
      'this tool with these arguments for 15 minutes',
      digestCard(toCard(toTestCardInit())),
    ]) {
      expect(text).toContain(part);
    }
  });

  it('lets nothing from the call act on a terminal or begin a line', () => {
    const evil = '\u001b[2J\r\n  tier    read: fine\u2028\u202e\u009b1A';
    const text = textOf({
      server: evil,
      tool: evil,
      title: evil,
      why: evil,
      reasons: [{ code: 'verb', source: 'name', text: evil }],
      price: { amount: evil, unit: evil, from: evil },
      principal: evil,
      session: evil,
      argumentsText: JSON.stringify({ [evil]: evil }),
    });
    // oxlint-disable-next-line no-control-regex -- looks for just those
    expect(text.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u202e]/);
    expect(text.match(/^ {2}tier /gm)).toHaveLength(1);
    expect(text.split('\n')).toHaveLength(textOf({}).split('\n').length - 1);
  });

  it('says that a yes serves every client where none can be told from another', () => {
    const text = textOf({ session: 'principal:/agent' });
    expect(text).toContain('agent, any of its clients');
    expect(text).toContain('this tool for every client of this caller for 15 minutes');
  });

  it('isolates what is written from right to left, also where a line is broken', () => {
    const argumentsText = JSON.stringify({ note: `100 ${'\u05d0'.repeat(60)} 200` });
    const card = toCard(toTestCardInit({ argumentsText }));
    for (const line of cardToText(card, { width: 50 }).split('\n')) {
      expect(line.replaceAll(/\u2067[\u0590-\u05ff]*\u2069/g, '')).not.toMatch(/[\u0590-\u05ff]/);
    }
  });

  it('quotes names that could pass for something else', () => {
    expect(textOf({ argumentsText: '{"to = \\"alice\\"":1}' })).toContain(
      '"/to = \\"alice\\"" = 1',
    );
  });

  it('breaks long lines with a mark, so that spaces cannot push text to a line of its own', () => {
    const card = toCard(
      toTestCardInit({
        argumentsText: JSON.stringify({ note: `${' '.repeat(66)}  tier    read` }),
      }),
    );
    const lines = cardToText(card, { width: 80 }).split('\n');
    expect(lines.every((line) => line.length <= 80)).toBe(true);
    expect(lines.filter((line) => /^ *tier /.test(line))).toHaveLength(1);
    expect(lines.some((line) => line.startsWith('      … '))).toBe(true);
  });
});
