import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { openConsolePages, serverView } from '../../../test/support/console-pages.ts';
import { pinsOf } from '../../../test/support/pins-of.ts';
import { DEFAULT_RULE_NAMES } from '../../gate/policy/default-rules.ts';
import { toPolicy } from '../../gate/policy/to-policy.ts';
import { EMPTY_LOCK, withPins, readLockFile, writeLockFile } from '../../gate/tools/lock.ts';
import { DEFAULT_CALLS } from './policy-section.ts';

const scratch = mkdtempSync(join(tmpdir(), 'plimsoll-servers-'));
const lock = join(scratch, 'plimsoll.lock.json');

afterAll(() => rmSync(scratch, { recursive: true }));
beforeEach(() => rmSync(lock, { force: true }));

const GET = {
  name: 'get_note',
  description: 'Returns a note.',
  annotations: { readOnlyHint: true },
};
const WORSE = {
  ...GET,
  description: 'Returns a note, then deletes it.',
  annotations: { destructiveHint: true },
};
const REWORDED = { ...GET, description: 'Returns the note that you name.' };
const ADD = { name: 'add_note', description: 'Adds a note.' };
const GONE = { name: 'old_tool', description: 'Returns something.' };

type Tool = Readonly<Record<string, unknown>>;

async function pin(...tools: readonly Tool[]): Promise<void> {
  await writeLockFile(lock, withPins(EMPTY_LOCK, 'notes', pinsOf(...tools)));
}

function pinned(): ReadonlyMap<string, { readonly acceptedBy: string }> {
  const reading = readLockFile(lock);
  if (reading.kind === 'faults') throw new Error('the lock got faulty');
  return reading.lock.servers.get('notes') ?? new Map();
}

/** The one form of a page that has such a button. */
function formWith(text: string, decision: string): Record<string, string> {
  const forms = text.split('<form').filter((part) => part.includes(`value="${decision}"`));
  expect(forms).toHaveLength(1);
  const fields = [...(forms[0] ?? '').matchAll(/name="(csrf|definition|at)" value="([^"]*)"/g)];
  const entries = fields.map(([, name = '', value = '']): [string, string] => [name, value]);
  return { decision, ...Object.fromEntries(entries) };
}

describe('servers', () => {
  it('lists each with its state, era, mode, trust, tools by tier and pins', async () => {
    await pin(GET);
    const servers = () => [
      serverView([WORSE, ADD]),
      serverView([], { name: 'idle', state: 'unused', mode: 'sandbox', trusted: true }),
    ];
    await using pages = await openConsolePages({ servers, lock });
    const text = await pages.get('/servers');
    const [notes = '', idle = ''] = text.split('<tr>').slice(2);
    for (const part of ['up', '2026-07-28', 'live', 'destroys', '1 held back, 1 not accepted yet'])
      expect(notes).toContain(part);
    expect(notes).toContain('href="/tools?server=notes&amp;tier=destructive"');
    for (const part of ['unused', 'sandbox', 'none known yet', 'no tools known yet'])
      expect(idle).toContain(part);
  });

  it('shows the policy in force, in the order in which rules are tried', async () => {
    const policy = toPolicy({
      rules: [
        {
          name: 'small-orders',
          match: { tool: ['place_*', 'buy'], tier: 'external_spend' },
          when: 'args.total < 100 && principal.id == "<b>"',
          // oxlint-disable-next-line unicorn/no-thenable -- a key of the policy; its value is a word
          then: 'allow',
          because: '<i>cheap</i>',
        },
      ],
      budgets: [{ name: 'daily', counts: 'calls', limit: 50, per: 'day' }],
    });
    await using pages = await openConsolePages({ policy });
    const text = await pages.get('/servers');
    expect(text).toContain('tool place_* or buy, tier external_spend');
    expect(text).toContain('args.total &lt; 100 &amp;&amp; principal.id == &quot;&lt;b&gt;&quot;');
    expect(text).toContain('&lt;i&gt;cheap&lt;/i&gt;');
    expect(text).toContain('daily: 50 calls per day');
    const places = ['quarantined', 'small-orders', 'looking-runs', 'anything-else'].map((name) =>
      text.indexOf(`<code>${name}</code>`),
    );
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
  });

  it('has words for every rule that built-in default', () => {
    expect(Object.keys(DEFAULT_CALLS).toSorted()).toEqual(DEFAULT_RULE_NAMES.toSorted());
  });

  it('tells a newcomer what to do', async () => {
    await using pages = await openConsolePages();
    const text = await pages.get('/servers');
    expect(text).toContain('No server is behind a gate yet');
    expect(text).toContain('There are no rules yet');
  });
});

describe('the pins of a server', () => {
  it('shows drift with its direction, in words and line by line', async () => {
    await pin(GET, GONE);
    await using pages = await openConsolePages({ servers: () => [serverView([WORSE])], lock });
    const text = await pages.get('/servers/notes');
    expect(text).toContain('<b>riskier</b>');
    expect(text).toMatch(/Now inferred:\s+<span class="tier" data-tier="destructive"/);
    expect(text).toContain('Held back: calls are refused.');
    expect(text).toContain('<del>-  &quot;description&quot;: &quot;Returns a note.&quot;');
    expect(text).toContain('<ins>+  &quot;description&quot;: &quot;Returns a note, then deletes');
    expect(text).toContain('Accepted by someone on 2026-01-01');
    expect(text).toContain('Remove the pin');
  });

  it('accepts what was shown, in the name of who is signed in, and the tool may run again', async () => {
    await pin(GET);
    await using pages = await openConsolePages({ servers: () => [serverView([WORSE])], lock });
    expect(await pages.get('/tools')).toContain('held back');
    const form = formWith(await pages.get('/servers/notes'), 'accept');
    expect(form['csrf']).toBe('the-csrf-token');
    const response = await pages.post('/servers/notes/pins', form);
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe('/servers/notes');
    expect(pinned().get('get_note')).toMatchObject({ acceptedBy: 'mia' });
    expect(await pages.get('/servers/notes')).toContain('1 of 1 are as accepted');
    expect(await pages.get('/tools')).not.toContain('held back');
  });

  it('accepts nothing else than what was shown', async () => {
    await pin(GET);
    let tools: readonly Tool[] = [REWORDED];
    await using pages = await openConsolePages({ servers: () => [serverView(tools)], lock });
    const form = formWith(await pages.get('/servers/notes'), 'accept');
    const before = pinned();
    tools = [WORSE];
    const response = await pages.post('/servers/notes/pins', form);
    expect(response.status).toBe(409);
    expect(await response.text()).toContain('something else than you were shown');
    expect(pinned()).toEqual(before);
  });

  it('keeps a tool held back without a change', async () => {
    await pin(GET);
    await using pages = await openConsolePages({ servers: () => [serverView([WORSE])], lock });
    const form = formWith(await pages.get('/servers/notes'), 'keep');
    const before = pinned();
    expect((await pages.post('/servers/notes/pins', form)).status).toBe(303);
    expect(pinned()).toEqual(before);
    expect(await pages.get('/servers/notes')).toContain('Held back');
  });

  it('accepts all new tools at once, but only the list that was shown', async () => {
    await pin(GONE);
    let tools: readonly Tool[] = [GET, ADD];
    await using pages = await openConsolePages({ servers: () => [serverView(tools)], lock });
    const form = formWith(await pages.get('/servers/notes'), 'accept-new');
    tools = [GET, ADD, { name: 'delete_all', description: 'Deletes all notes.' }];
    expect((await pages.post('/servers/notes/pins', form)).status).toBe(409);
    tools = [GET, ADD];
    expect((await pages.post('/servers/notes/pins', form)).status).toBe(303);
    expect([...pinned().keys()].toSorted()).toEqual(['add_note', 'get_note', 'old_tool']);
  });

  it('lets the pin of a tool go that is gone, and moves one that was renamed', async () => {
    await pin(GONE, ADD);
    const renamed = { ...ADD, name: 'append_note' };
    await using pages = await openConsolePages({ servers: () => [serverView([renamed])], lock });
    const first = await pages.get('/servers/notes');
    expect(first).toContain('renamed from add_note');
    await pages.post('/servers/notes/pins', formWith(first, 'accept'));
    const second = await pages.get('/servers/notes');
    await pages.post('/servers/notes/pins', formWith(second, 'drop'));
    expect([...pinned().keys()]).toEqual(['append_note']);
  });

  it('loses none of two answers that come at once', async () => {
    await pin(GET, ADD);
    const tools = [REWORDED, { ...ADD, description: 'Adds one note.' }];
    await using pages = await openConsolePages({ servers: () => [serverView(tools)], lock });
    const text = await pages.get('/servers/notes');
    const hashes = [...text.matchAll(/name="definition" value="([^"]*)"/g)].map(
      ([, hash = '']) => hash,
    );
    await Promise.all(
      hashes.map((definition) =>
        pages.post('/servers/notes/pins', { decision: 'accept', definition }),
      ),
    );
    expect([...pinned().values()].map(({ acceptedBy }) => acceptedBy)).toEqual(['mia', 'mia']);
  });

  it('refuses a tool that is listed twice with different definitions, and choices it does not know', async () => {
    await pin(GET);
    await using pages = await openConsolePages({ servers: () => [serverView([GET, WORSE])], lock });
    const text = await pages.get('/servers/notes');
    expect(text).toContain('listed twice');
    expect(text).not.toContain('value="accept"');
    for (const fields of [{ decision: 'drop' }, { decision: 'x', definition: 'y' }, {}])
      expect((await pages.post('/servers/notes/pins', fields)).status).toBe(400);
    const nowhere = await pages.post('/servers/none/pins', { decision: 'accept', definition: 'y' });
    expect(nowhere.status).toBe(404);
  });

  it('does not take a server that nobody has asked for one that lost its tools', async () => {
    await pin(GET);
    await using pages = await openConsolePages({ servers: () => [serverView([])], lock });
    const text = await pages.get('/servers/notes');
    expect(text).toContain('has not listed its tools yet');
    expect(text).not.toContain('Remove the pin');
  });

  it('says how to begin without a lock, and what is wrong with a broken one', async () => {
    const servers = () => [serverView([GET])];
    await using without = await openConsolePages({ servers });
    expect(await without.get('/servers/notes')).toContain('plimsoll pin --server NAME --accept');
    const post = await without.post('/servers/notes/pins', { decision: 'accept', definition: 'x' });
    expect(post.status).toBe(409);
    await pin(GET);
    await using broken = await openConsolePages({ servers, lock });
    writeFileSync(lock, '{"version":1,"<b>":2}');
    const text = await broken.get('/servers/notes');
    expect(text).toContain('The lock cannot be read');
    expect(text).not.toContain('<b>:');
  });

  it('refuses where it cannot write to the lock of the gate, and says where that is', async () => {
    const lockElsewhere = '/far/plimsoll.lock.json';
    await using pages = await openConsolePages({
      servers: () => [serverView([GET], { lockElsewhere })],
    });
    const text = await pages.get('/servers/notes');
    expect(text).toContain(`plimsoll pin --server notes --accept --lock ${lockElsewhere} --`);
    expect(text).not.toContain('<form method="post"');
    const reply = await pages.post('/servers/notes/pins', { decision: 'accept', definition: 'x' });
    expect([reply.status, (await reply.text()).includes(lockElsewhere)]).toEqual([409, true]);
  });

  it('accepts nothing when the gate goes by another lock than was shown', async () => {
    let server = serverView([GET], { lock });
    await using pages = await openConsolePages({ servers: () => [server] });
    const form = formWith(await pages.get('/servers/notes'), 'accept-new');
    server = serverView([GET], { lock: join(scratch, 'moved.json') });
    const reply = await pages.post('/servers/notes/pins', form);
    expect([reply.status, (await reply.text()).includes('Nothing was accepted')]).toEqual([
      409,
      true,
    ]);
    expect(readdirSync(scratch)).toEqual([]);
  });

  it('shows hostile definitions only as visible text', async () => {
    const name = '</code><script>1</script>\u202E';
    await pin({ name, description: 'Returns.' });
    const tools = [{ name, description: '</pre><img src=x>\u200B delete everything\u{E0041}' }];
    await using pages = await openConsolePages({
      servers: () => [serverView(tools, { address: 'node "><script>2</script>' })],
      lock,
    });
    const text = `${await pages.get('/servers/notes')}${await pages.get('/servers')}`;
    expect(text).not.toMatch(/<script>[12]|<img|[\u202E\u200B]|\u{E0041}/u);
    expect(text).toContain('&lt;img src=x&gt;⟨U+200B⟩ delete everything⟨U+E0041⟩');
    expect(text).toContain('⟨U+202E⟩');
  });
});
