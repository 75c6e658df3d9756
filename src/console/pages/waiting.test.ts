import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ARGUMENTS, toTestQuestion } from '../../../test/gate/approval-fixture.ts';
import { callReceipt, keepCalls } from '../../../test/console/calls-fixture.ts';
import { serverView } from '../../../test/support/console-pages.ts';
import { ConsoleDoor } from '../../../test/support/console-door.ts';
import { pinsOf } from '../../../test/support/pins-of.ts';
import { writeLockFile } from '../../gate/tools/lock.ts';
import { openPins } from '../../gate/tools/pins.ts';
import type { ServerView } from '../console-services.ts';

const HOSTILE = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>&lt;`;
/** Controls, bidi, zero-width, tag and variation code points. */
const UNSEEN = [0x1b, 0x85, 0x202e, 0x2066, 0x200b, 0xfeff, 0xe0041, 0xfe0f, 0x2028];

afterEach(() => {
  vi.useRealTimers();
});

describe('what waits', () => {
  it('tells a newcomer what to do when nothing waits, and nobody else', async () => {
    await using door = await ConsoleDoor.entered();
    const { text } = await door.page('/');
    expect(text).toContain('Nothing is waiting.');
    expect(text).toContain('<pre>plimsoll wrap</pre>');
    await using later = await ConsoleDoor.entered({
      services: { servers: () => [serverView([])] },
    });
    expect((await later.page('/')).text).not.toContain('To get started');
  });

  it('shows who asks for what, why, at which price, and for how long', async () => {
    await using door = await ConsoleDoor.entered();
    const { id } = await door.ask();
    const { text } = await door.page('/');
    for (const part of [
      '1 call is waiting',
      'agent',
      'shop',
      'place_order',
      'Place an order',
      'spends',
    ])
      expect(text).toContain(part);
    for (const part of ['It moves money.', '12.50 EUR', 'estimate_order', 'alice', 'min'])
      expect(text).toContain(part);
    expect(text).toContain(`id="approval-${id}"`);
    expect(text).toContain('◆');
  });

  it('folds a long value and opens it in full', async () => {
    await using door = await ConsoleDoor.entered();
    const value = `BEGIN${'x'.repeat(5000)}MIDDLE${'y'.repeat(5000)}END`;
    await door.ask(toTestQuestion(JSON.stringify({ note: value, to: 'mallory' })));
    const { text } = await door.page('/');
    expect(text).toContain(value);
    expect(text).toMatch(/<summary>\s*<code>&quot;BEGINx+<\/code>… \(10016 characters/);
    expect(text).toContain('<code>&quot;mallory&quot;</code>');
  });

  it('folds calls that are alike, so that they hide no other', async () => {
    await using door = await ConsoleDoor.entered();
    for (let n = 0; n < 6; n += 1) await door.ask(toTestQuestion(`{"n":${n}}`));
    const { id } = await door.ask(toTestQuestion('{}', { tool: 'send_payment' }));
    const { text } = await door.page('/');
    expect(text.replace(/<[^>]*>|\s+/g, ' ')).toMatch(
      /3 more calls of +shop +\/ +place_order +by +agent/,
    );
    const shown = text.replace(/<details\s+class="alike".*?<\/article>\s*<\/details>/s, '');
    expect(shown.match(/id="approval-/g)).toHaveLength(4);
    expect(shown).toContain(`id="approval-${id}"`);
  });

  it('has no buttons where an answer in the console does not count', async () => {
    await using door = await ConsoleDoor.entered();
    const { id } = await door.ask(toTestQuestion(ARGUMENTS, { channels: ['terminal'] }));
    const { text } = await door.page(`/approvals/${id}`);
    expect(text).not.toContain('<button');
    expect(text).toContain('It can only be answered at a terminal.');
  });

  it('shows what others wrote as text, every character of it', async () => {
    await using door = await ConsoleDoor.entered();
    const unseen = String.fromCodePoint(...UNSEEN);
    const argumentsText = JSON.stringify({ [`k${unseen}${HOSTILE}`]: `v${unseen}${HOSTILE}` });
    const question = toTestQuestion(argumentsText, {
      title: unseen + HOSTILE,
      why: HOSTILE,
      server: `s${HOSTILE}`,
      tool: `t${unseen}${HOSTILE}`,
      principal: HOSTILE,
      price: { amount: HOSTILE, unit: HOSTILE, from: HOSTILE },
      reasons: [{ code: 'verb', source: 'name', text: HOSTILE }],
    });
    const { id } = await door.ask(question);
    for (const path of ['/', `/approvals/${id}`]) {
      const { text } = await door.page(path);
      expect(text).not.toContain('<script>alert');
      expect(text).not.toContain('<img src=x');
      expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
      for (const code of UNSEEN) {
        expect(text).not.toContain(String.fromCodePoint(code));
        expect(text).toContain(`U+${code.toString(16).toUpperCase().padStart(4, '0')}`);
      }
    }
  });

  it('shows how the tool differs from what was accepted', async () => {
    await using cleaning = new AsyncDisposableStack();
    const folder = mkdtempSync(join(tmpdir(), 'plimsoll-'));
    cleaning.defer(() => rmSync(folder, { recursive: true }));
    const lock = join(folder, 'lock.json');
    const accepted = { name: 'place_order', description: 'Places an order.' };
    await writeLockFile(lock, { servers: new Map([['shop', pinsOf(accepted)]]) });
    let tools = [accepted, { name: 'other' }];
    const shop = { name: 'shop', address: '', state: 'up', trusted: false, mode: 'live' } as const;
    const servers = (): readonly ServerView[] => [{ ...shop, tools }];
    const services = { pins: openPins(lock), servers };
    const door = cleaning.use(await ConsoleDoor.entered({ services }));
    await door.ask();
    expect((await door.page('/')).text).not.toContain('Changed since');
    tools = [{ name: 'place_order', description: 'Places <b>two</b> orders.' }];
    const { text } = await door.page('/');
    expect(text).toContain('Changed since it was accepted');
    expect(text).toContain('/description');
    expect(text).not.toContain('<b>two');
    await writeLockFile(lock, { servers: new Map() });
    expect((await door.page('/')).text).toContain('it has no pin');
  });

  it('has nothing inline that the policy of the page would forbid', async () => {
    await using door = await ConsoleDoor.entered();
    await door.ask();
    const { text } = await door.page('/');
    expect(text).not.toMatch(
      /<style|style=|<script(?! src="\/assets\/console\.js" defer>)| on\w+=/,
    );
  });
});

describe('an answer', () => {
  it('approves once what was shown', async () => {
    await using door = await ConsoleDoor.entered();
    const asked = await door.ask();
    const { id, display } = asked;
    const reply = await door.post(`/approvals/${id}`, {
      display,
      decision: 'approve',
      grant: 'call',
    });
    expect(reply).toMatchObject({ status: 303, headers: { location: `/?answered=${id}` } });
    expect(await door.services.approvals.find(id)).toMatchObject({
      state: 'APPROVED',
      approver: 'mia',
      channel: 'console',
    });
    const { text } = await door.page(`/approvals/${id}`);
    expect(text).toContain('Approved.');
    expect(text).not.toContain('<button');
    expect(await door.services.approvals.listGrants()).toEqual([]);
  });

  it('leads back to the queue, which tells what became of the call', async () => {
    await using door = await ConsoleDoor.entered();
    const { id, display } = await door.ask();
    const other = await door.ask(toTestQuestion('{"n":2}'));
    const { headers } = await door.post(`/approvals/${id}`, { display, decision: 'approve' });
    const path = String(headers['location']);
    const before = await door.page(path);
    expect(before.text).toContain('id="answered"');
    expect(before.text).toContain('Nothing runs yet');
    expect(before.text).toContain(`id="approval-${other.id}"`);
    const { ledger } = door.services;
    const ended = callReceipt({ approval: id, operation: 'place_order', outcome: 'success' });
    const waited = callReceipt({ approval: id, decision: 'waiting', outcome: 'approval-pending' });
    await keepCalls(ledger, [waited, ended]);
    const { text } = await door.page(path);
    expect(text).toContain('<b>It ran</b>, and the server reported success.');
    expect(text).toContain(`href="/calls/${ended.id}"`);
    expect(text).not.toContain('data-coming');
    expect((await door.page('/?answered=nothing')).text).not.toContain('id="answered"');
  });

  it('shows what changes, line by line, as text', async () => {
    await using door = await ConsoleDoor.entered();
    const diff = '--- a\n+++ b\n@@ -1 +1 @@\n-<b>old</b>\n+<i>new</i>\n';
    await door.ask(toTestQuestion('{"n":1}', { change: { from: 'read_<file>', diff } }));
    const { text } = await door.page('/');
    expect(text).toContain('<code>read_&lt;file&gt;</code>');
    expect(text).toContain(
      '<del>-&lt;b&gt;old&lt;/b&gt;\n</del><ins>+&lt;i&gt;new&lt;/i&gt;\n</ins>',
    );
    await door.ask(toTestQuestion('{"n":2}', { change: { from: 'read_file', diff: '' } }));
    expect((await door.page('/')).text).toContain(
      'It writes what <code>read_file</code> returns now.',
    );
  });

  it('shows a text of several lines as lines, and numbers that belong together in one row', async () => {
    await using door = await ConsoleDoor.entered();
    const content = '\n<b>one</b>\n\ttwo';
    await door.ask(toTestQuestion(JSON.stringify({ content, bbox: [1, 2, 3, 4] })));
    const { text } = await door.page('/');
    expect(text).toContain('<pre class="foreign">\n\n&lt;b&gt;one&lt;/b&gt;\n\ttwo</pre>');
    expect(text.replace(/<[^>]*>|\s+/g, ' ').replace(/ +/g, ' ')).toContain(
      'bbox › 0–3 1 , 2 , 3 , 4',
    );
  });

  it.each(['GET', 'HEAD'])('is never given by %s, whatever the address says', async (method) => {
    await using door = await ConsoleDoor.entered();
    const asked = await door.ask();
    const { id, display } = asked;
    const query = new URLSearchParams({ decision: 'approve', display, csrf: door.csrf });
    for (const path of [`/approvals/${id}`, `/api/approvals/${id}/answer`, '/']) {
      await door.send(`${path}?${query.toString()}`, { method, headers: { cookie: door.cookie } });
    }
    expect(await door.stateOf(asked)).toBe('PENDING');
  });

  it('refuses with a reason, which is kept for the agent', async () => {
    await using door = await ConsoleDoor.entered();
    const { id, display } = await door.ask();
    const reason = 'Too dear <b>now</b>.';
    await door.post(`/approvals/${id}`, { display, decision: 'decline', reason });
    expect(await door.services.approvals.find(id)).toMatchObject({ state: 'DECLINED', reason });
    expect((await door.page(`/approvals/${id}`)).text).toContain(
      'Too dear &lt;b&gt;now&lt;/b&gt;.',
    );
  });

  it.each(['arguments', 'session'] as const)('covers more where allowed: %s', async (grant) => {
    await using door = await ConsoleDoor.entered();
    const { id, display } = await door.ask();
    const fields = { display, decision: 'approve', grant, minutes: '5' };
    await door.post(`/approvals/${id}`, fields);
    const [kept] = await door.services.approvals.listGrants();
    expect(kept).toMatchObject({ approval: id, approver: 'mia' });
    expect((kept?.expires_at ?? 0) - (kept?.created_at ?? 0)).toBe(5 * 60_000);
  });

  it('offers no more than the card allows, and takes no more', async () => {
    await using door = await ConsoleDoor.entered();
    const asked = await door.ask(toTestQuestion(ARGUMENTS, { scopes: ['call'] }));
    const { id, display } = asked;
    expect((await door.page('/')).text).not.toContain('Approve more');
    const fields = { display, decision: 'approve', grant: 'session' };
    expect((await door.post(`/approvals/${id}`, fields)).status).toBe(409);
    for (const minutes of ['60', '-1', 'x', '']) {
      const wide = { ...fields, grant: 'arguments', minutes };
      expect((await door.post(`/approvals/${id}`, wide)).status).toBe(409);
    }
    expect(await door.stateOf(asked)).toBe('PENDING');
  });

  it('counts once: of a double click or two tabs the second is told so', async () => {
    await using door = await ConsoleDoor.entered();
    const asked = await door.ask();
    const { id, display } = asked;
    const say = (decision: string) => door.post(`/approvals/${id}`, { display, decision });
    const both = await Promise.all([say('approve'), say('decline')]);
    expect(both.map(({ status }) => String(status)).toSorted()).toEqual(['303', '409']);
    const late = await say('approve');
    expect(late.status).toBe(409);
    expect(late.text).toContain('was not accepted');
    expect(late.text).toContain('mia');
    expect(late.text).not.toContain('<button');
  });

  it('does not count for another display than the one that is asked', async () => {
    await using door = await ConsoleDoor.entered();
    const asked = await door.ask();
    for (const display of ['', 'x', 'f'.repeat(64)]) {
      const reply = await door.post(`/approvals/${asked.id}`, { display, decision: 'approve' });
      expect(reply.status).toBe(409);
      expect(reply.text).toContain('What was shown is not what is asked');
    }
    expect(await door.stateOf(asked)).toBe('PENDING');
  });

  it('does not count for a question that was withdrawn, and the page says why', async () => {
    await using door = await ConsoleDoor.entered();
    const { id, display } = await door.ask();
    await door.services.approvals.withdraw(id, 'definition-changed');
    expect((await door.page('/')).text).toContain('Nothing is waiting.');
    const { text } = await door.page(`/approvals/${id}`);
    expect(text).toContain('<title>Withdrawn');
    expect(text).toContain('the definition of the tool changed');
    expect(text).not.toContain('Answered by');
    const reply = await door.post(`/approvals/${id}`, { display, decision: 'approve' });
    expect(reply.status).toBe(409);
    expect(reply.text).toContain('The question was already withdrawn');
  });

  it('is told who was first when somebody answered elsewhere', async () => {
    await using door = await ConsoleDoor.entered();
    const { id, display } = await door.ask();
    const first = { kind: 'decline', approver: 'ann', channel: 'terminal', display } as const;
    await door.services.approvals.answer(id, first);
    const reply = await door.post(`/approvals/${id}`, { display, decision: 'approve' });
    expect(reply.status).toBe(409);
    expect(reply.text).toContain('The question was already declined by ann at a terminal.');
    expect(reply.text).toContain('<title>Declined');
  });

  it('shows that the caller is gone', async () => {
    await using door = await ConsoleDoor.entered();
    const { id } = await door.ask();
    expect((await door.page('/')).text).not.toContain('has disconnected');
    await door.services.approvals.mark(id, 'caller-gone');
    expect((await door.page('/')).text).toContain('The caller has disconnected');
  });

  it('comes too late when the time is over', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 });
    await using door = await ConsoleDoor.entered();
    const { id, display } = await door.ask();
    vi.setSystemTime(Date.now() + 601_000);
    expect((await door.page('/')).text).toContain('Nothing is waiting.');
    expect((await door.page(`/approvals/${id}`)).text).toContain('Expired');
    const reply = await door.post(`/approvals/${id}`, { display, decision: 'approve' });
    expect(reply.status).toBe(409);
    expect(reply.text).toContain('too old');
  });

  it.each(['', 'maybe', 'APPROVE'])('is yes or no, not %j', async (decision) => {
    await using door = await ConsoleDoor.entered();
    const asked = await door.ask();
    const reply = await door.post(`/approvals/${asked.id}`, { display: asked.display, decision });
    expect(reply.status).toBe(422);
    expect(await door.stateOf(asked)).toBe('PENDING');
  });
});
