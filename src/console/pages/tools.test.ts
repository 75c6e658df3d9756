import { describe, expect, it } from 'vitest';
import { openConsolePages, serverView } from '../../../test/support/console-pages.ts';
import { toPolicy } from '../../gate/policy/to-policy.ts';

const TOOLS = [
  {
    name: 'get_note',
    title: 'Read a note',
    description: 'Returns one note.',
    annotations: { readOnlyHint: true },
  },
  { name: 'add_note', description: 'Adds a note.', annotations: { destructiveHint: false } },
  { name: 'delete_note', description: 'Deletes a note for good.' },
];
const SHOP = [
  { name: 'place_order', description: 'Buys what is in the basket.' },
  { name: 'share_basket', description: 'Creates a public link to the basket.' },
];

const servers = () => [serverView(TOOLS), serverView(SHOP, { name: 'shop', mode: 'sandbox' })];

/** The names of the tools that a page lists, in its order. */
function namesIn(text: string): readonly string[] {
  return [...text.matchAll(/<th scope="row">[^]*?<code>([^<]*)<\/code>/g)].map(
    ([, name]) => name ?? '',
  );
}

describe('tools by safety', () => {
  it('R89 lists all tools of all servers by tier, the gravest first', async () => {
    await using pages = await openConsolePages({ servers });
    const text = await pages.get('/tools');
    expect(namesIn(text)).toEqual([
      'delete_note',
      'place_order',
      'share_basket',
      'add_note',
      'get_note',
    ]);
    const headings = [...text.matchAll(/<h2 id="tier-([a-z_]+)">/g)].map(([, tier]) => tier);
    expect(headings).toEqual(['destructive', 'external_spend', 'share_export', 'compute', 'read']);
    expect(text).toContain('5 of 5 tools');
    expect(text).toContain('href="/tools/notes/delete_note"');
    expect(text).toContain('■');
  });

  it.each([
    ['tier=destructive', ['delete_note']],
    ['server=shop', ['place_order', 'share_basket']],
    ['hint=readOnlyHint:true', ['get_note']],
    ['hint=readOnlyHint:unset&server=notes', ['delete_note', 'add_note']],
    ['verdict=ask', ['delete_note', 'place_order', 'share_basket']],
    ['verdict=allow', ['add_note', 'get_note']],
    ['q=BASKET+link', ['share_basket']],
    ['q=note&tier=read', ['get_note']],
    ['evidence=observed', []],
    ['tier=none-such&hint=x:y&verdict=z&evidence=w', 5],
  ])('narrows by %s', async (query, expected) => {
    await using pages = await openConsolePages({ servers });
    const names = namesIn(await pages.get(`/tools?${query}`));
    expect(typeof expected === 'number' ? names.length : names).toEqual(expected);
  });

  it('tells beside each tool what check finds, and on its page what that is', async () => {
    const lying = { ...TOOLS[2], annotations: { readOnlyHint: true, title: '<b>Gone</b>' } };
    await using pages = await openConsolePages({ servers: () => [serverView([lying, TOOLS[0]])] });
    const row = (await pages.get('/tools'))
      .split('<tr>')
      .find((each) => each.includes('>delete_note<'));
    expect(row).toMatch(/data-head="Check">\d+ errors?/);
    const text = await pages.get('/tools/notes/delete_note');
    expect(text).toContain('What check finds');
    expect(text).toContain('<code>read-only-untrue');
    expect(text).not.toContain('<b>Gone</b>');
  });

  it('says what happens under the policy in force, not what a tier usually gets', async () => {
    const policy = toPolicy({
      rules: [
        // oxlint-disable-next-line unicorn/no-thenable -- a key of the policy; its value is a word
        { name: 'no-deleting', match: { tool: 'delete_*' }, then: 'deny' },
        // oxlint-disable-next-line unicorn/no-thenable -- a key of the policy; its value is a word
        { name: 'shop-is-free', match: { server: 'shop' }, then: 'allow' },
      ],
    });
    await using pages = await openConsolePages({ servers, policy });
    expect(namesIn(await pages.get('/tools?verdict=deny'))).toEqual(['delete_note']);
    expect(namesIn(await pages.get('/tools?verdict=allow&server=shop'))).toHaveLength(2);
  });

  it('stays light with a thousand tools, and leads to all of them', async () => {
    const many = Array.from({ length: 1000 }, (_, index) => ({
      name: `delete_thing_${String(index).padStart(4, '0')}`,
      description: 'Deletes a thing. '.repeat(20),
    }));
    await using pages = await openConsolePages({ servers: () => [serverView(many)] });
    const first = await pages.get('/tools');
    expect(Buffer.byteLength(first)).toBeLessThan(60_000);
    expect(first).toContain('1000 of 1000 tools');
    expect(first).toContain('href="/tools?page=2"');
    const last = namesIn(await pages.get('/tools?page=17&q=thing'));
    expect(last.at(-1)).toBe('delete_thing_0999');
    expect(namesIn(await pages.get('/tools?page=999'))).toEqual(last);
  });

  it('tells a newcomer what to do, with no server and with one that nobody has asked', async () => {
    await using none = await openConsolePages();
    expect(await none.get('/tools')).toContain('plimsoll gate --console');
    const unused = () => [serverView([], { state: 'unused' })];
    await using quiet = await openConsolePages({ servers: unused });
    expect(await quiet.get('/tools')).toContain('as soon as');
  });

  it('shows what a server says as text, every character visible, and nothing as markup', async () => {
    const bad = {
      name: '"><script>alert(1)</script>',
      title: '<img src=x onerror=alert(2)>\u202Eevil',
      description: 'Returns.',
    };
    const odd = [serverView([bad, { ...bad, name: 'a\u200Bb' }], { name: '<b>srv</b>' })];
    await using pages = await openConsolePages({ servers: () => odd });
    const text = await pages.get('/tools?q=%22%3E%3Cscript%3E');
    expect(text).not.toMatch(/<script>|<img|<b>srv/);
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    const all = await pages.get('/tools');
    expect(all).toContain('⟨U+202E⟩evil');
    expect(all).toContain('a⟨U+200B⟩b');
    expect(all).not.toMatch(/[\u202E\u200B]/);
  });
});
