import { describe, expect, it } from 'vitest';
import { openConsolePages, serverView } from '../../../test/support/console-pages.ts';
import { toPolicy } from '../../gate/policy/to-policy.ts';

const MANAGE = {
  name: 'manage_note',
  description: 'Manages notes.',
  inputSchema: {
    type: 'object',
    properties: { action: { type: 'string', enum: ['get', 'create', 'delete'] } },
    required: ['action'],
  },
};
const ORDER = { name: 'place_order', description: 'Buys what is in the basket.' };

const servers = () => [serverView([MANAGE, ORDER])];

const policy = toPolicy({
  rules: [
    {
      name: 'small-orders',
      match: { tool: 'place_order', principal: 'mia*' },
      when: 'args.total < 100',
      // oxlint-disable-next-line unicorn/no-thenable -- a key of the policy; its value is a word
      then: 'allow',
    },
  ],
  budgets: [{ name: 'daily', counts: 'calls', limit: 50, per: 'day' }],
});

interface Typed {
  readonly tool: string;
  readonly args?: string;
  readonly principal?: string;
  readonly repeated?: string;
}

async function judge(typed: Typed): Promise<{ readonly status: number; readonly text: string }> {
  await using pages = await openConsolePages({ servers, policy });
  const { tool, args = '', principal = '', repeated = '' } = typed;
  const fields = { server: 'notes', tool, arguments: args, principal, repeated };
  const response = await pages.post('/what-if', fields);
  return { status: response.status, text: await response.text() };
}

describe('what would happen if', () => {
  it('has a form that a link can fill in, and answers no GET', async () => {
    await using pages = await openConsolePages({ servers, policy });
    const text = await pages.get('/what-if?server=notes&tool=place_order&arguments=%7B%7D');
    expect(text).toContain('value="place_order"');
    expect(text).toContain('name="csrf" value="the-csrf-token"');
    expect(text).not.toContain('id="answer"');
  });

  it.each<[string, Typed, string, string]>([
    [
      'the rule of the file that fits',
      { tool: 'place_order', args: '{"total":5}', principal: 'mia' },
      'It would run',
      'small-orders',
    ],
    [
      'the default where it does not',
      { tool: 'place_order', args: '{"total":500}', principal: 'mia' },
      'A person would be asked',
      'tier-asks',
    ],
    [
      'another caller',
      { tool: 'place_order', args: '{"total":5}', principal: 'bob' },
      'A person would be asked',
      'tier-asks',
    ],
    [
      'an argument that the rule misses',
      { tool: 'place_order', principal: 'mia' },
      'A person would be asked',
      'tier-asks',
    ],
    [
      'a repeat',
      { tool: 'place_order', args: '{"total":5}', principal: 'mia', repeated: '1' },
      'A person would be asked',
      'duplicate-intent',
    ],
    [
      'arguments that look only',
      { tool: 'manage_note', args: '{"action":"get"}' },
      'It would run',
      'looking-runs',
    ],
    [
      'arguments that destroy',
      { tool: 'manage_note', args: '{"action":"delete"}' },
      'A person would be asked',
      'tier-asks',
    ],
    [
      'keys that differ in case only',
      { tool: 'manage_note', args: '{"action":"get","Action":"delete"}' },
      'A person would be asked',
      'tier-asks',
    ],
  ])('judges by %s', async (_, typed, words, rule) => {
    const { status, text } = await judge(typed);
    expect(status).toBe(200);
    expect(text).toContain(`<b>${words}</b>, by the rule <code>${rule}</code>`);
    const [decisive = ''] = text.split('← decides');
    expect(decisive.slice(decisive.lastIndexOf('<tr'))).toContain(`<code>${rule}</code>`);
  });

  it('says when arguments made the call milder, and what it draws on', async () => {
    const { text } = await judge({ tool: 'manage_note', args: '{"action":"get"}' });
    expect(text).toContain('These arguments make it milder');
    expect(text).toContain('daily (50 calls per day)');
    const worst = await judge({ tool: 'manage_note', args: '{"action":"delete"}' });
    expect(worst.text).not.toContain('make it milder');
  });

  it.each<[string, Typed, string]>([
    ['no JSON', { tool: 'place_order', args: '{' }, 'is not JSON'],
    ['a key twice', { tool: 'place_order', args: '{"a":1,"a":2}' }, 'same key twice'],
    ['a list', { tool: 'place_order', args: '[]' }, 'not an object'],
    ['a tool that is not there', { tool: 'nothing' }, 'no such tool'],
  ])('says what is wrong with %s', async (_, typed, words) => {
    const { status, text } = await judge(typed);
    expect(status).toBe(422);
    expect(text).toContain(words);
  });

  it('sends nothing and records nothing', async () => {
    await using pages = await openConsolePages({ servers, policy });
    await pages.post('/what-if', { server: 'notes', tool: 'place_order', arguments: '{}' });
    const { ledger, approvals } = pages.services;
    await ledger.flush();
    const query = { orderBy: 'seq', limit: 1 } as const;
    expect(await ledger.store.transaction((tx) => tx.list('receipts', query))).toEqual([]);
    expect(await approvals.listPending()).toEqual([]);
  });

  it('gives back what was typed as text, and finds tools by their visible name', async () => {
    const name = 'get\u202E\n<b>';
    const odd = () => [serverView([{ name, description: 'Returns.' }])];
    await using pages = await openConsolePages({ servers: odd });
    const query = new URLSearchParams({ server: 'notes', tool: name }).toString();
    const form = await pages.get(`/what-if?${query}`);
    const [, shown = ''] = /list="tool-names"\s+value="([^"]*)"/.exec(form) ?? [];
    expect(shown).toBe('get⟨U+202E⟩⟨U+000A⟩&lt;b&gt;');
    const response = await pages.post('/what-if', {
      server: 'notes',
      tool: shown.replace('&lt;', '<').replace('&gt;', '>'),
      arguments: '{"x":"</textarea><script>1</script>"}',
      principal: '"><img src=x>',
    });
    const text = await response.text();
    expect(text).toContain('It would run');
    expect(text).not.toMatch(/<script>1|<img|<b>"|\u202E/);
  });

  it('tells a newcomer what to do', async () => {
    await using pages = await openConsolePages();
    expect(await pages.get('/what-if')).toContain('Put a server behind the gate');
  });
});
